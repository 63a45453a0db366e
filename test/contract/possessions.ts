// Something of every kind that a merchant can have, and a sub-account that can have it too: for tests of who finds what.
import assert from 'node:assert/strict'
import { scopes } from '#/contract/keys.ts'
import { newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import { paymentBody, withdrawalBody, type Api, type ApiWorld, type Tenant } from './world.ts'

type World = { readonly base: ApiWorld; readonly api: Api }

/** A transfer between two wallets of the merchant, out of what a payment brings. */
async function transferOf({ base, api }: World, { id, key }: Tenant, paymentId: string): Promise<string> {
  await base.settlePayment(id, paymentId as PaymentId, 10n)
  const opened = await api.ask('POST', '/v1/wallets', {
    key,
    body: { currency: 'USDT', walletType: 'RESERVE', label: 'Taxes' },
  })
  const { body } = await api.ask('GET', '/v1/wallets?currency=USDT', { key })
  const [main] = body['data'] as readonly Readonly<Record<string, unknown>>[]
  const moved = await api.ask('POST', '/v1/transfers', {
    key,
    body: { fromWalletId: main?.['id'], toWalletId: opened.body['id'], amount: 1 },
  })
  return String(moved.body['id'])
}

/** Rows as refunds and disputes leave them; to create them a provider would be needed. */
async function refundAndDisputeOf({ base }: World, { id }: Tenant, paymentId: string) {
  const [refundId, disputeId] = [newId(), newId()]
  await base.sql`
    insert into refund (merchant_id, id, payment_id, attempt_id, method, connection, paid_ref, wallet_id, amount_minor,
                        currency, status, fingerprint, request, created_at)
    values (${id}, ${refundId}, ${paymentId}, ${newId()}, 'PIX', 'a1-x', 'E1', ${newId()}, 1, 'BRL', 'PENDING', '', '{}',
            now())`
  await base.sql`
    insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status,
                         amount_minor, currency, created_at)
    values (${id}, ${disputeId}, ${paymentId}, 'a1-x', ${disputeId}, 'E1', ${newId()}, 'MED', 'OPEN', 1, 'BRL', now())`
  return { refundId, disputeId }
}

async function withdrawalOf(world: World, tenant: Tenant): Promise<string> {
  const { base, api } = world
  await base.fund(tenant, 100n)
  const { body } = await api.ask('POST', '/v1/withdrawals', { key: tenant.key, body: withdrawalBody() })
  return String(body['id'])
}

async function batchOf(world: World, tenant: Tenant): Promise<string> {
  const { base, api } = world
  await base.fund(tenant, 100n)
  const body = { idempotencyKey: 'batch', withdrawals: [withdrawalBody()] }
  const answer = await api.ask('POST', '/v1/withdrawal-batches', { key: tenant.key, body })
  return String(answer.body['id'])
}

async function scheduleOf(world: World, tenant: Tenant): Promise<string> {
  const { base, api } = world
  const { amount: _amount, ...fields } = withdrawalBody()
  const listed = {
    merchantId: tenant.id,
    type: 'PIX' as const,
    destination: String(fields['pixKey']),
    note: null,
  }
  await insertDestination(base.sql, listed)
  const { body: wallets } = await api.ask('GET', '/v1/wallets', { key: tenant.key })
  const wallet = (wallets['data'] as readonly Readonly<Record<string, unknown>>[]).find(
    ({ currency }) => currency === 'BRL',
  )
  const body = { ...fields, walletId: wallet?.['id'], rhythm: 'ABOVE', above: 100 }
  const answer = await api.ask('POST', '/v1/payout-schedules', { key: tenant.key, body })
  return String(answer.body['id'])
}

async function endpointAndRecoveryOf(world: World, tenant: Tenant) {
  const { api } = world
  const make = async (path: string, body: object) => {
    const answer = await api.ask('POST', path, { key: tenant.key, body })
    return String(answer.body['id'])
  }
  const endpointId = await make('/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/x' })
  const recoveryId = await make('/v1/webhook-recoveries', { endpointId, afterSequence: 0 })
  return { endpointId, recoveryId }
}

async function rehearsalOf({ api }: World, { key }: Tenant): Promise<string> {
  const { body } = await api.ask('POST', '/v1/sandbox/rehearsals', {
    key,
    body: { url: 'http://127.0.0.1:9/x' },
  })
  return String(body['id'])
}

async function madeAt({ api }: World, { key }: Tenant, path: string, body: object): Promise<string> {
  return String((await api.ask('POST', path, { key, body })).body['id'])
}

/** Something of every kind, made by this merchant: its ids by a part of the paths that name them. */
export async function possessionsOf(world: World, owner: Tenant, kind: 'MERCHANT' | 'SUB_ACCOUNT') {
  const { base, api } = world
  const created = await api.ask('POST', '/v1/payments', {
    key: owner.key,
    body: paymentBody({ webhookUrl: 'http://127.0.0.1:9/x' }),
  })
  const paymentId = String(created.body['id'])
  await api.ask('POST', `/v1/payments/${paymentId}/cancel`, { key: owner.key })
  const first = async (path: string) => {
    const { body } = await api.ask('GET', path, { key: owner.key })
    const [row] = body['data'] as readonly Readonly<Record<string, unknown>>[]
    return String(row?.['id'])
  }
  const eventId = await first(`/v1/events?limit=1&types=payment.canceled`)
  const deliveryId = await first(`/v1/events/${eventId}/deliveries`)
  const { endpointId, recoveryId } = await endpointAndRecoveryOf(world, owner)
  const { refundId, disputeId } = await refundAndDisputeOf(world, owner, paymentId)
  // A sub-account has none of its own, and only a sub-account gives grants.
  const ofKind =
    kind === 'MERCHANT'
      ? ([
          '/sub-accounts/',
          await madeAt(world, owner, '/v1/sub-accounts', { name: 'Bea', idempotencyKey: newId() }),
        ] as const)
      : ([
          '/transfer-grants/',
          await madeAt(world, owner, '/v1/transfer-grants', { currency: 'BRL', maxAmount: 1 }),
        ] as const)
  const ids = new Map([
    ['/deliveries/{id}', deliveryId],
    ['/events/', eventId],
    ['/wallets/', await first('/v1/wallets')],
    ['/transfers/', await transferOf(world, owner, paymentId)],
    ['/withdrawals/', await withdrawalOf(world, owner)],
    ['/withdrawal-batches/', await batchOf(world, owner)],
    ['/payout-schedules/', await scheduleOf(world, owner)],
    ['/keys/', (await base.issue(owner.id, ['wallets:read'])).id],
    ['/webhook-endpoints/', endpointId],
    ['/webhook-recoveries/', recoveryId],
    ['/refunds/', refundId],
    ['/disputes/', disputeId],
    ['/rehearsals/', await rehearsalOf(world, owner)],
    [
      '/payment-links/',
      await madeAt(world, owner, '/v1/payment-links', { name: 'x', currency: 'USDT', amount: 100 }),
    ],
    ['/payments/', paymentId],
    ofKind,
  ])
  for (const [part, id] of ids) assert.match(id, /^[0-9a-f-]{36}$/, part)
  return { ids, idOf: (path: string) => [...ids].find(([part]) => path.includes(part))?.[1] }
}

/** A sub-account that may withdraw, with a key that its parent did not make. */
export async function subAccountOf(world: World, parent: Tenant): Promise<Tenant> {
  const { base } = world
  const id = (await madeAt(world, parent, '/v1/sub-accounts', {
    name: 'Bea',
    idempotencyKey: newId(),
  })) as MerchantId
  const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const
  await activateSubAccount(base.sql, operator, id, 'papers seen')
  const { id: keyId, key } = await base.issue(id, scopes)
  return { id, mode: parent.mode, key, keyId }
}
