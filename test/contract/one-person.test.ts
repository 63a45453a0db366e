// One person is never both persons for a sub-account's money: the parent's key that requested by the header, every key that came of it, and
// the seat of whoever holds it, at every door where something is decided.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import { newId, type ApiKeyId, type MerchantId, type UserId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { makeKey } from '#/merchants/managed-keys.ts'
import { seatOf } from '#/merchants/member-keys.ts'
import { insertDestination, writeLimit } from '#/money-out/queries.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { asId } from '../as-id.ts'
import { openForTests } from '../open-for-tests.ts'
import { partly } from '../partly.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { openRefundWorld, payer, stranger, type RefundWorld, type Row } from '../refund-world.ts'
import { withdrawalBody, type Tenant } from './world.ts'

const world = openForTests(openRefundWorld)

type Key = { readonly key: string; readonly id: ApiKeyId }
const permissions = new Set<string>(scopes)
const noOrigin = { actor: { kind: 'SYSTEM', id: 'test' } } as const

const seatAt = async (merchantId: MerchantId, userId: UserId, email: string): Promise<ApiKeyId> =>
  (await seatOf(world.base.sql, { merchantId, userId, email, permissions })).keyId

/** By a member in the dashboard, who acts by their seat. */
async function madeByMember({ id, mode }: Tenant, seat: ApiKeyId): Promise<Key> {
  const { sql, pepper } = world.base
  const caller = { merchant: { id, mode }, keyId: seat, origin: noOrigin }
  const made = await makeKey({ sql, mint: { pepper, cell: 'a1' } }, caller, { name: 'dashboard', scopes })
  return { key: String(made.key), id: made.row.id }
}

async function openFamily() {
  const parent = await world.base.openTenant()
  const made = await world.ask(parent, 'POST', '/v1/sub-accounts', { body: { name: 'Livraria Bea' } })
  const id = made.body['id'] as MerchantId
  const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const
  await activateSubAccount(world.base.sql, operator, id, 'papers seen')
  const bank = {
    merchantId: id,
    type: 'PIX',
    destination: String(withdrawalBody()['pixKey']),
    note: null,
  } as const
  await insertDestination(world.base.sql, bank)
  await insertDestination(world.base.sql, { ...bank, type: 'CRYPTO', destination: stranger })
  await insertDestination(world.base.sql, { ...bank, type: 'CRYPTO', destination: payer })
  const limit = { eachMinor: null, dayMinor: null, approvalAboveMinor: 0n, listedOnly: false }
  await writeLimit(world.base.sql, { ...limit, merchantId: id, type: 'PIX', currency: 'BRL' })
  await writeLimit(world.base.sql, { ...limit, merchantId: id, type: 'CRYPTO', currency: 'USDT' })
  await world.base.fund({ id, mode: 'SANDBOX' }, 50_000n)
  return { parent, id, as: { 'sub-account': id } }
}

type Family = Awaited<ReturnType<typeof openFamily>>

async function keyFor({ id }: Family, by: Pick<Tenant, 'key'>): Promise<Key> {
  const mine = scopes.filter((scope) => !scope.startsWith('subaccounts:'))
  const made = await world.ask(by, 'POST', '/v1/sub-accounts/{id}/keys', {
    id,
    body: { name: 'AK', scopes: mine },
  })
  assert.equal(made.status, 201, made.text)
  return { key: String(made.body['key']), id: made.body['id'] as ApiKeyId }
}

const made = async (answer: ReturnType<RefundWorld['ask']>): Promise<Key> => {
  const { status, body, text } = await answer
  assert.equal(status, 201, text)
  return { key: String(body['key']), id: body['id'] as ApiKeyId }
}

/** All keys and seats of the person who holds K, at the sub-account. K is a key of the parent. */
async function personOfK(family: Family, how: 'dashboard' | 'command', email: string) {
  const { parent, id } = family
  const user = newId<'user'>()
  const k =
    how === 'dashboard'
      ? await madeByMember(parent, await seatAt(parent.id, user, email))
      : await world.base.issue(parent.id, scopes, undefined, { person: `  ${email.toUpperCase()} ` })
  const ak = await keyFor(family, k)
  const mine = scopes.filter((scope) => !scope.startsWith('subaccounts:'))
  const make = { body: { name: 'x', scopes: mine } }
  const ofAk = await made(world.ask(ak, 'POST', '/v1/keys', make))
  const rolledK = await made(world.ask(k, 'POST', '/v1/keys/{id}/roll', { id: k.id }))
  const keys: Readonly<Record<string, Key>> = {
    AK: ak,
    'a key that AK made': ofAk,
    'AK rolled': await made(world.ask(ak, 'POST', '/v1/keys/{id}/roll', { id: ak.id })),
    'a key that AK made, rolled by command': await world.base.rotate(id, ofAk.id),
    'a key that K rolled made for it': await keyFor(family, rolledK),
    'a key by command, of the same person': await world.base.issue(id, scopes, undefined, { person: email }),
    'a key by command, of the same person spelled otherwise': await world.base.issue(id, scopes, undefined, {
      person: `Ana Lima <${email.toUpperCase()}> `,
    }),
    'a key by command, of a tag of the same mailbox': await world.base.issue(id, scopes, undefined, {
      person: email.replace('@', '+ci@'),
    }),
  }
  return { k, ak, rolledK, keys, seat: await seatAt(id, user, email) }
}

const withdraw = async (by: Pick<Tenant, 'key'>, headers = {}): Promise<string> => {
  const answer = await world.ask(by, 'POST', '/v1/withdrawals', { body: withdrawalBody(), headers })
  assert.deepEqual([answer.status, answer.body['status']], [201, 'PENDING_APPROVAL'], answer.text)
  return String(answer.body['id'])
}

async function refuseEach(path: string, id: string, keys: Readonly<Record<string, Key>>): Promise<void> {
  for (const [who, key] of Object.entries(keys))
    for (const verb of ['approve', 'reject']) {
      const { status, body } = await world.ask(key, 'POST', `${path}/{id}/${verb}`, { id })
      assert.deepEqual(
        [status, body['code'], body['reason']],
        [403, 'forbidden', 'own_request'],
        `${who}: ${verb}`,
      )
    }
}

const decide = (merchantId: MerchantId, id: string, by: ApiKeyId) =>
  world.base.lane.submit(world.base.depsWith(partly({})).withdrawals.decisionKind, {
    id: asId<'withdrawal'>(id),
    merchantId,
    event: 'approved',
    by,
  })

for (const how of ['dashboard', 'command'] as const)
  test(`a withdrawal that a parent’s key, made by ${how}, requested is approved by nobody of the same person`, async () => {
    const family = await openFamily()
    const person = await personOfK(family, how, 'ana@example.com')
    const id = await withdraw(person.k, family.as)
    await refuseEach('/v1/withdrawals', id, person.keys)
    // The seat of the same person at the sub-account.
    const own = { kind: 'objected', objection: 'own_request' }
    assert.deepEqual(await decide(family.id, id, person.seat), own)
    // The other way around: what the made key requested, the rolled key, the seat and the others do not approve.
    const other = await withdraw(person.ak)
    await refuseEach('/v1/withdrawals', other, person.keys)
    assert.deepEqual(await decide(family.id, other, person.seat), own)
    const second = await world.base.issue(family.id, scopes, undefined, { person: 'bia@example.com' })
    for (const each of [id, other])
      assert.equal(
        (await world.ask(second, 'POST', '/v1/withdrawals/{id}/approve', { id: each })).status,
        200,
      )
    const faults = await world.faults()
    assert.deepEqual(
      faults.filter(({ what }) => /decided by/.test(String(what))),
      [],
    )
  })

test('a batch that a parent’s key requested by the header is approved by nobody of the same person', async () => {
  const family = await openFamily()
  const { k, keys } = await personOfK(family, 'dashboard', 'ana@example.com')
  const batch = await world.ask(k, 'POST', '/v1/withdrawal-batches', {
    body: { idempotencyKey: newId(), withdrawals: [withdrawalBody(), withdrawalBody({ amount: 7 })] },
    headers: family.as,
  })
  assert.equal(batch.status, 201, batch.text)
  await refuseEach('/v1/withdrawal-batches', String(batch.body['id']), keys)
})

test('what a schedule requested is approved by nobody of the person who changed its amounts for the sub-account', async () => {
  const family = await openFamily()
  const { k, keys } = await personOfK(family, 'dashboard', 'ana@example.com')
  const own = await world.base.issue(family.id, scopes)
  const { amount: _amount, ...order } = withdrawalBody()
  const { body: wallets } = await world.ask(own, 'GET', '/v1/wallets')
  const walletId = (wallets['data'] as readonly Row[]).find(({ currency }) => currency === 'BRL')?.['id']
  const schedule = await world.ask(own, 'POST', '/v1/payout-schedules', {
    body: { ...order, walletId, rhythm: 'ABOVE', above: 1, keep: 49_000 },
  })
  assert.equal(schedule.status, 201, schedule.text)
  const changed = await world.ask(k, 'PATCH', '/v1/payout-schedules/{id}', {
    id: String(schedule.body['id']),
    body: { keep: 48_000 },
    headers: family.as,
  })
  assert.equal(changed.status, 200, changed.text)
  const { sql, lane } = world.base
  await sql`update payout_schedule set next_run_at = now() - interval '1 second' where merchant_id = ${family.id}`
  await runDueSchedules({ sql, lane, log: silentLog, kind: scheduleKind(testPayoutRails()) })
  const { body } = await world.ask(own, 'GET', '/v1/withdrawals?limit=1')
  await refuseEach('/v1/withdrawals', String((body['data'] as readonly Row[])[0]?.['id']), keys)
})

test('a refund that a parent’s key requested by the header is approved by nobody of the same person', async () => {
  const family = await openFamily()
  const { k, keys } = await personOfK(family, 'dashboard', 'ana@example.com')
  const own = await world.base.issue(family.id, scopes)
  const tenant: Tenant = { id: family.id, mode: 'SANDBOX', key: own.key, keyId: own.id }
  const payment = await world.payment(tenant)
  await world.arrive(tenant, payment, { by: 'CRYPTO', minor: 1_234n })
  const refund = await world.refund(k, payment, { amount: 100, cryptoAddress: payer }, family.as)
  assert.deepEqual([refund.status, refund.body['approvalRequired']], [201, true], refund.text)
  await refuseEach('/v1/refunds', String(refund.body['id']), keys)
})

test('a key of the parent’s lineage decides nothing of the sub-account, whoever requested it', async () => {
  const family = await openFamily()
  const { parent } = family
  const { ak } = await personOfK(family, 'command', 'ana@example.com')
  const own = await world.base.issue(family.id, scopes, undefined, { person: 'bia@example.com' })
  const byOther = await keyFor(family, await world.base.issue(parent.id, scopes))
  const id = await withdraw(own)
  const batch = await world.ask(own, 'POST', '/v1/withdrawal-batches', {
    body: { idempotencyKey: newId(), withdrawals: [withdrawalBody()] },
  })
  const tenant: Tenant = { id: family.id, mode: 'SANDBOX', key: own.key, keyId: own.id }
  const payment = await world.payment(tenant)
  await world.arrive(tenant, payment, { by: 'CRYPTO', minor: 1_234n })
  const refund = await world.refund(own, payment, { amount: 100, cryptoAddress: payer })
  assert.equal(refund.body['approvalRequired'], true, refund.text)
  for (const key of [ak, byOther])
    for (const [path, each] of [
      ['/v1/withdrawals', id],
      ['/v1/withdrawal-batches', String(batch.body['id'])],
      ['/v1/refunds', String(refund.body['id'])],
    ])
      for (const verb of ['approve', 'reject']) {
        const { status, body } = await world.ask(key, 'POST', `${path}/{id}/${verb}`, { id: String(each) })
        assert.deepEqual([status, body['reason']], [403, 'parents_key'], `${path} ${verb}`)
      }
})

test('what a key requested that is not there any more is decided by nobody, and nobody decides by one', async () => {
  const family = await openFamily()
  const own = await world.base.issue(family.id, scopes)
  const id = await withdraw(own)
  const unknown = { kind: 'objected', objection: 'unknown_person' }
  assert.deepEqual(await decide(family.id, id, newId<'api-key'>()), unknown)
  await world.base.sql`update withdrawal set requested_by = ${newId()} where id = ${id}`
  const { status, body } = await world.ask(
    await world.base.issue(family.id, scopes),
    'POST',
    '/v1/withdrawals/{id}/approve',
    { id },
  )
  assert.deepEqual([status, body['reason']], [403, 'unknown_person'])
})
