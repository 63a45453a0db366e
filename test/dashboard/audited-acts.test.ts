// The acts of members whose row the route describes: the row is written in the transaction of the change, and a refused act leaves no row.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { routes } from '#/http/routes.ts'
import { newId } from '#/kernel/id.ts'
import { endKind } from '#/payments/end.ts'
import { openCardWorld, type CardWorld } from '../card-world.ts'
import { paymentBody, withdrawalBody, type Answer, type Tenant } from '../contract/world.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from './world.ts'

let dashboard: DashboardWorld
let tenant: Tenant
let owner: Person
before(async () => {
  dashboard = await openDashboardWorld()
  tenant = await dashboard.base.openTenant()
  owner = await dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }])
})
after(() => dashboard.close())

type Written = {
  readonly action: string
  readonly subject: string
  readonly actorId: string
  readonly transaction: string
}

/** The rows that a request of this id has left, with their transactions. */
async function rowsOf(sql: Sql, requestId: string): Promise<readonly Written[]> {
  const rows = await sql<Written[]>`
    select action, subject, actor_id as "actorId", xmin::text as transaction from audit_log
     where request_id = ${requestId}`
  return [...rows]
}

type Act = { readonly method?: 'POST' | 'PUT' | 'PATCH'; readonly path: string; readonly body?: unknown }

/** The routes whose acts left a row. */
const seen = new Set<string>()

async function act(person: Person, { id }: Pick<Tenant, 'id'>, { method = 'POST', path, body = {} }: Act) {
  const requestId = newId()
  const answer = await person.ask(method, `/api/m/${id}/${path}`, body, { 'x-request-id': requestId })
  return { answer, requestId }
}

/** Notes the route of an act that left a row. */
function note({ method = 'POST', path }: Act): void {
  const called = routes.find(
    (route) =>
      route.method === method &&
      new RegExp(`^/v1/${path}$`.replaceAll(/[0-9a-f-]{36}/g, '{id}')).test(route.path),
  )
  assert.ok(called !== undefined, path)
  seen.add(called.operationId)
}

/** Does it, and fails unless it left one row of this action and subject, in the transaction that `changed` names. */
async function leaves(
  what: Act & {
    readonly status: number
    readonly action: string
    /** Default: of this kind, with the id of the answer. */
    readonly subject: string | { readonly kind: string }
    readonly changed?: (answer: Answer) => Promise<readonly { readonly transaction: string }[]>
  },
): Promise<Answer> {
  const { answer, requestId } = await act(owner, tenant, what)
  assert.equal(answer.status, what.status, answer.text)
  const rows = await rowsOf(dashboard.base.sql, requestId)
  const subject =
    typeof what.subject === 'string' ? what.subject : `${what.subject.kind}:${String(answer.body['id'])}`
  assert.deepEqual(
    rows.map(({ action, subject: written, actorId }) => [action, written, actorId]),
    [[what.action, subject, owner.userId]],
  )
  note(what)
  const changed = await what.changed?.(answer)
  assert.ok(changed?.length !== 0, 'something has changed')
  for (const { transaction } of changed ?? []) assert.equal(transaction, rows[0]?.transaction, what.action)
  return answer
}

/** Does it, and fails unless it is refused with this status and left no row. */
async function leavesNothing(what: Act & { readonly status: number }): Promise<void> {
  const { answer, requestId } = await act(owner, tenant, what)
  assert.equal(answer.status, what.status, `${what.path}: ${answer.text}`)
  assert.deepEqual(await rowsOf(dashboard.base.sql, requestId), [], what.path)
}

test('a resent delivery and a ping leave their rows with what they send; an unknown one leaves none', async () => {
  const { sql } = dashboard.base
  const endpoint = await owner.ask('POST', `/api/m/${tenant.id}/webhook-endpoints`, {
    url: 'http://127.0.0.1:9/hook',
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  const ping = `webhook-endpoints/${String(endpoint.body['id'])}/ping`
  const pinged = await leaves({
    path: ping,
    status: 202,
    action: 'webhook_endpoint.ping',
    subject: `webhook_endpoint:${String(endpoint.body['id'])}`,
    changed: ({ body }) =>
      sql`select xmin::text as transaction from event where id = ${String(body['eventId'])}`,
  })
  const [delivery] = await sql<{ id: string }[]>`
    select delivery.id from delivery join event using (merchant_id)
     where event.id = ${String(pinged.body['eventId'])} and event_sequence = event.sequence`
  const id = String(delivery?.id)
  await leaves({
    path: `deliveries/${id}/resend`,
    status: 202,
    action: 'delivery.resend',
    subject: `delivery:${id}`,
    changed: () => sql`select xmin::text as transaction from delivery_due where delivery_id = ${id}`,
  })
  await leavesNothing({ path: `webhook-endpoints/${newId()}/ping`, status: 404 })
  await leavesNothing({ path: `deliveries/${newId()}/resend`, status: 404 })
  await owner.ask('PATCH', `/api/m/${tenant.id}/webhook-endpoints/${String(endpoint.body['id'])}`, {
    status: 'DISABLED',
  })
  await leavesNothing({ path: ping, status: 409 })
})

test('declared keys of metadata leave a row; the same list again changes nothing and leaves none', async () => {
  const { sql } = dashboard.base
  const declare = { method: 'PUT', path: 'metadata-keys' } as const
  await leaves({
    ...declare,
    body: { keys: ['orderId'] },
    status: 200,
    action: 'metadata_keys.declare',
    subject: `merchant:${tenant.id}`,
    changed: () => sql`select xmin::text as transaction from metadata_key where merchant_id = ${tenant.id}`,
  })
  await leavesNothing({ ...declare, body: { keys: ['orderId'] }, status: 200 })
  await leavesNothing({ ...declare, body: { keys: ['a', 'b', 'c', 'd', 'e', 'f'] }, status: 400 })
})

test('changed settings leave a row; the same again leave none', async () => {
  const { sql } = dashboard.base
  const change = { method: 'PUT', path: 'settings' } as const
  const body = {
    returnUrl: 'https://shop.example.com/thanks',
    legalName: 'Loja da Ana Ltda.',
    taxId: '11.222.333/0001-81',
  }
  await leaves({
    ...change,
    body,
    status: 200,
    action: 'settings.set',
    subject: `merchant:${tenant.id}`,
    changed: () => sql`select xmin::text as transaction from merchant where id = ${tenant.id}`,
  })
  await leavesNothing({ ...change, body, status: 200 })
  await leavesNothing({ ...change, body: { returnUrl: 'ftp://shop.example' }, status: 400 })
  await leavesNothing({ ...change, body: { taxId: '11.222.333/0001-82' }, status: 400 })
})

test('a rehearsal that begins or is canceled leaves its row; one that is running already, or has ended, leaves none', async () => {
  const { sql } = dashboard.base
  const body = { url: 'http://127.0.0.1:9/hook' }
  const path = 'sandbox/rehearsals'
  const changed = ({ body: { id } }: Answer) =>
    sql<{ transaction: string }[]>`
      select xmin::text as transaction from rehearsal where id = ${String(id)}`
  const subject = { kind: 'rehearsal' }
  const started = await leaves({ path, body, status: 202, action: 'rehearsal.create', subject, changed })
  await leavesNothing({ path, body, status: 409 })
  await leavesNothing({ path, body: { url: 'ftp://shop.example' }, status: 400 })
  const cancel = `${path}/${String(started.body['id'])}/cancel`
  await leaves({ path: cancel, status: 200, action: 'rehearsal.cancel', subject, changed })
  const ended = await act(owner, tenant, { path: cancel })
  assert.deepEqual(await rowsOf(sql, ended.requestId), [])
  await leavesNothing({ path: `${path}/${newId()}/cancel`, status: 404 })
})

test('an advance of the clock leaves one row, however often its key is sent; a refused one leaves none', async () => {
  const { sql } = dashboard.base
  const path = 'sandbox/clock'
  const body = { advance: 'PT1H', idempotencyKey: newId() }
  await leaves({
    path,
    body,
    status: 202,
    action: 'sandbox.advance_clock',
    subject: `merchant:${tenant.id}`,
    changed: ({ body: { id } }) =>
      sql`select xmin::text as transaction from clock_advance where id = ${String(id)}`,
  })
  await leavesNothing({ path, body, status: 202 })
  await leavesNothing({ path, body: { ...body, advance: 'PT2H' }, status: 409 })
  await leavesNothing({ path, body: { advance: 'soon' }, status: 400 })
})

test('who plays the payer is written down before the payer pays; for an unknown payment nothing is', async () => {
  const made = await leaves({
    path: 'payments',
    body: paymentBody({ amount: 100 }),
    status: 201,
    action: 'payment.create',
    subject: { kind: 'payment' },
  })
  await leaves({
    path: `sandbox/payments/${String(made.body['id'])}/pay`,
    status: 202,
    action: 'sandbox.pay',
    subject: `payment:${String(made.body['id'])}`,
  })
  await leavesNothing({ path: `sandbox/payments/${newId()}/pay`, status: 404 })
})

test('wallets, transfers, withdrawals and batches of them leave a row that names what was made or changed', async () => {
  const mainId = await dashboard.base.fund(tenant, 10_000n)
  const made = async (path: string, body: object, kind: string) => {
    const answer = await leaves({ path, body, status: 201, action: `${kind}.create`, subject: { kind } })
    return String(answer.body['id'])
  }
  const changed = async (act: Omit<Act, 'body'>, action: string, body: object = {}) => {
    const [kind] = action.split('.')
    await leaves({ ...act, body, status: 200, action, subject: { kind: String(kind) } })
  }
  const walletId = await made('wallets', { currency: 'BRL', walletType: 'RESERVE', label: 'Taxes' }, 'wallet')
  const rename = { method: 'PATCH', path: `wallets/${walletId}` } as const
  await changed(rename, 'wallet.change', { label: 'Rent' })
  await made('transfers', { fromWalletId: mainId, toWalletId: walletId, amount: 1 }, 'transfer')
  const withdrawalId = await made('withdrawals', withdrawalBody(), 'withdrawal')
  await changed({ path: `withdrawals/${withdrawalId}/cancel` }, 'withdrawal.cancel')
  const batch = { idempotencyKey: newId(), withdrawals: [withdrawalBody(), withdrawalBody()] }
  const batchId = await made('withdrawal-batches', batch, 'withdrawal_batch')
  await changed({ path: `withdrawal-batches/${batchId}/cancel` }, 'withdrawal_batch.cancel')
})

/** A merchant of a card world with its dashboard. */
async function openCards() {
  const world: CardWorld = await openCardWorld()
  const { sql, lane, clock, merchant } = world.line
  const cards = await openDashboardWorld({
    over: {
      sql,
      lane,
      clock,
      capturer: world.capturer,
      endKind: endKind(world.rails),
      settle: (receipts) => world.settle(...receipts),
    },
    rails: world.rails,
  })
  const person = await cards.person([{ merchantId: merchant.id, role: 'OWNER' }])
  return {
    world,
    merchant,
    person,
    async [Symbol.asyncDispose]() {
      await cards.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

async function approvedAt(world: CardWorld) {
  const { payment, attempt } = await world.create({ captureMode: 'MANUAL' })
  const ref = `pi_${newId()}`
  await world.settle(world.receipt(attempt, 'authorised', ref, { pendingRef: ref }))
  const say = (outcome: 'paid' | 'voided') => () => [
    world.receipt(attempt, outcome, ref, { pendingRef: ref, authorised: attempt.amount }),
  ]
  return { payment, attempt, ref, say }
}

test('captures, voids and accepted disputes at a provider leave one row each, and what is refused here leaves none', async () => {
  await using cards = await openCards()
  const { world, merchant, person } = cards
  const { sql } = world.line
  const rows = async (path: string, status: number, body: unknown = {}) => {
    const done = await act(person, merchant, { path, body })
    assert.equal(done.answer.status, status, done.answer.text)
    const written = await rowsOf(sql, done.requestId)
    if (written.length > 0) note({ path })
    return written.map(({ action, subject }) => [action, subject])
  }
  const first = await approvedAt(world)
  const subject = `payment:${first.payment.id}`
  world.provider.capture = first.say('paid')
  const capture = `payments/${first.payment.id}/capture`
  assert.deepEqual(await rows(capture, 422, { amount: 1_001 }), [])
  assert.deepEqual(await rows(capture, 200), [['payment.capture', subject]])
  assert.deepEqual(await rows(capture, 200), [], 'the same capture again changes nothing')
  assert.deepEqual(await rows(`payments/${newId()}/capture`, 404), [])

  const second = await approvedAt(world)
  world.provider.void = second.say('voided')
  const cancel = `payments/${second.payment.id}/cancel`
  assert.deepEqual(await rows(cancel, 200), [['payment.cancel', `payment:${second.payment.id}`]])
  assert.deepEqual(await rows(cancel, 200), [])

  const third = await world.create()
  await world.settle(world.receipt(third.attempt, 'paid', 'pi_disputed'))
  const [refunded] = await rows(`payments/${third.payment.id}/refunds`, 201, { amount: 1 })
  const [refund] = await sql<{ id: string }[]>`select id from refund where payment_id = ${third.payment.id}`
  assert.deepEqual(refunded, ['refund.create', `refund:${refund?.id}`])
  const says = (outcome: 'dispute_opened' | 'dispute_lost') =>
    world.receipt(third.attempt, outcome, 'dp_disputed', {
      dispute: {
        paidRef: 'pi_disputed',
        kind: 'CHARGEBACK',
        reason: 'fraudulent',
        evidenceDueAt: new Date(),
      },
    })
  await world.settle(says('dispute_opened'))
  const listed = await person.ask('GET', `/api/m/${merchant.id}/disputes`)
  const [dispute] = listed.body['data'] as readonly { readonly id: string }[]
  const accept = `disputes/${String(dispute?.id)}/accept`
  world.provider.accept = () => [says('dispute_lost')]
  assert.deepEqual(await rows(`disputes/${newId()}/accept`, 404), [])
  assert.deepEqual(await rows(accept, 200), [['dispute.accept', `dispute:${String(dispute?.id)}`]])
  assert.deepEqual(await rows(accept, 200), [], 'it is LOST already')
})

test('each act whose row its route describes was done above', () => {
  const described = routes.filter(({ audit }) => typeof audit === 'object')
  assert.ok(described.length > 15)
  assert.deepEqual(described.map(({ operationId }) => operationId).toSorted(), [...seen].toSorted())
})
