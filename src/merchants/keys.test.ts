// Keys that the operator or other keys make, roll, change and end, by a clock that stands still: each rule at its bound, and what is left in the
// audit log.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ApiKeyId, type MerchantId } from '#/kernel/id.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import { stoppedClock } from '../../test/clock.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { upsertSeat, selectKey } from './key-queries.ts'
import { issueApiKey, revokeApiKey, rotateApiKey } from './keys.ts'
import {
  changeKey,
  keysMax,
  makeKey,
  revokeKey,
  rollKey,
  type KeyChange,
  type KeyRequest,
} from './managed-keys.ts'
import { createMerchant } from './merchant.ts'

const now = new Date('2026-11-29T12:00:00Z')
const at = (ms: number) => addMs(now, ms)

const database = openForTests(testDatabase)
const clock = makeForTests(() => stoppedClock(database, now))
const sql = openForTests(() => connect(database.appUrl, { max: 3 }))

const mint = { pepper: Buffer.alloc(32), cell: 'a1' }
const all = ['keys:write', 'payments:read', 'wallets:read'] as const

/** A merchant, and its calls by one of its keys. */
async function shop() {
  const deps = { sql, clock, sealKey: Buffer.alloc(32), openWallets: async () => {} }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Padaria' })
  const merchantId = merchant.id
  const issue = (more: Partial<Parameters<typeof issueApiKey>[1]> = {}) =>
    issueApiKey({ ...mint, sql, clock }, { merchantId, name: 'api', scopes: all, ...more })
  const { id: first } = await issue()
  const caller = (keyId: ApiKeyId) => ({ merchant, keyId })
  return {
    merchantId,
    first,
    issue,
    make: (request: Partial<KeyRequest> = {}, by = first) =>
      makeKey({ sql, mint }, caller(by), { name: 'made', scopes: all, ...request }),
    roll: (
      id: ApiKeyId,
      more: { readonly overlapHours?: number; readonly expiresAt?: Date } = {},
      by = first,
    ) => rollKey({ sql, mint }, caller(by), { id, overlapHours: 1, ...more }),
    change: (id: ApiKeyId, change: KeyChange, by = first) => changeKey({ sql }, caller(by), id, change),
    revoke: (id: ApiKeyId, by = first) => revokeKey({ sql }, caller(by), id),
  }
}

/** The code of the refusal; undefined when it was done. */
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

const auditOf = async (id: ApiKeyId) => [
  ...(await sql`
    select action, merchant_id as "merchantId", actor_id as by, before, after
      from audit_log where subject = ${`key:${id}`} order by id`),
]
const keyOf = async (merchantId: MerchantId, id: ApiKeyId) =>
  (await selectKey(sql, merchantId, id)) ?? assert.fail('it is there')
const set = (id: ApiKeyId, change: { readonly expires_at?: Date; readonly revoked_at?: Date }) =>
  sql`update api_key set ${sql(change)} where id = ${id}`

test('a key that a key makes is stored with the rights of the calling key, and is in the audit log', async () => {
  const { merchantId, first, make } = await shop()
  const { row } = await make({ name: 'made', scopes: ['payments:read', 'payments:read'] })
  const stored = await keyOf(merchantId, row.id)
  assert.deepEqual(
    [stored.name, stored.scopes, stored.expiresAt, stored.lineage, stored.madeByKey, stored.createdAt],
    ['made', ['payments:read'], null, first, first, now],
  )
  assert.deepEqual(await auditOf(row.id), [
    {
      action: 'key.create',
      merchantId,
      by: first,
      before: null,
      after: { name: 'made', scopes: ['payments:read'] },
    },
  ])
})

test('a key that ends now, or can do more than the calling key, is neither made nor rolled', async () => {
  const { issue, make, roll } = await shop()
  for (const [expiresAt, code] of [
    [now, 'invalid_request'],
    [at(1), undefined],
  ] as const) {
    assert.equal(await codeOf(make({ expiresAt })), code)
    assert.equal(await codeOf(roll((await make()).row.id, { expiresAt })), code)
  }
  const few = await issue({ scopes: ['keys:write'], person: 'ana@example.com' })
  const more = await issue({ person: 'ana@example.com' })
  assert.equal(await codeOf(make({}, few.id)), 'forbidden')
  assert.equal(await codeOf(roll(more.id, {}, few.id)), 'forbidden')
})

test('a hundred keys are in force at most, also when two are made at once', async () => {
  const { merchantId, make } = await shop()
  await sql`
    insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at)
    select ${merchantId}, id, id, decode(md5(id::text), 'hex'), 'xxxx', 'x', '{}', now()
      from (select gen_random_uuid() as id from generate_series(1, ${keysMax - 2})) as made`
  const codes = await Promise.all([1, 2].map(() => codeOf(make())))
  assert.equal(keysMax, 100)
  assert.deepEqual(
    codes.filter((code) => code !== undefined),
    ['limit_exceeded'],
  )
})

test('a closed sub-account gets no key, by a key, by the operator, or in place of one', async () => {
  const [parent, { merchantId, first, make, issue }] = [await shop(), await shop()]
  await sql`insert into sub_account (merchant_id, parent_id, state, created_at)
            values (${merchantId}, ${parent.merchantId}, 'CLOSED', ${now})`
  assert.equal(await codeOf(make()), 'invalid_state')
  assert.equal(await codeOf(issue()), 'invalid_state')
  assert.equal(
    await codeOf(rotateApiKey({ ...mint, sql, clock }, { merchantId, id: first })),
    'invalid_state',
  )
})

test('a key that is rolled works for the overlap, or until its own end, and its successor takes its place', async () => {
  const { merchantId, first, make, roll } = await shop()
  for (const [expiresAt, ends] of [
    [undefined, at(2 * hourMs)],
    [at(hourMs), at(hourMs)],
    [at(3 * hourMs), at(2 * hourMs)],
  ] as const) {
    const { row: old } = await make(expiresAt === undefined ? {} : { expiresAt })
    const { row } = await roll(old.id, { overlapHours: 2 })
    assert.deepEqual((await keyOf(merchantId, old.id)).expiresAt, ends)
    const stored = await keyOf(merchantId, row.id)
    assert.deepEqual(
      [stored.name, stored.scopes, stored.rolledFrom, stored.expiresAt],
      ['made', [...all], old.id, expiresAt ?? null],
    )
    const [, { action, by, after } = assert.fail('it was noted')] = await auditOf(old.id)
    assert.deepEqual([action, by], ['key.rotate', first])
    assert.equal((after as { readonly issued: string }).issued, row.id)
  }
})

test('a key rolls no key of another person; a member rolls any, and holds the new one', async () => {
  const { merchantId, issue, roll } = await shop()
  const [ofAna, ofBia] = [
    await issue({ person: 'ana@example.com' }),
    await issue({ person: 'bia@example.com' }),
  ]
  const seat = await upsertSeat(sql, {
    merchantId,
    id: newId<'api-key'>(),
    digest: randomBytes(32),
    name: 'ana@example.com',
    scopes: all,
    person: 'ana@example.com',
    member: newId<'user'>(),
  })
  assert.equal(await codeOf(roll(ofBia.id, {}, ofAna.id)), 'forbidden')
  assert.equal(await codeOf(roll(ofAna.id, {}, ofAna.id)), undefined)
  const { row } = await roll(ofBia.id, {}, seat)
  assert.equal((await keyOf(merchantId, row.id)).person, 'ana@example.com')
  // A seat itself is no key that another could change, roll or end.
  assert.equal(await codeOf(roll(seat, {}, ofAna.id)), 'not_found')
})

test('a key is changed within what it has, and a change that changes nothing is not noted', async () => {
  const { merchantId, first, issue, make, change } = await shop()
  const { row } = await make({ scopes: ['payments:read', 'wallets:read'] })
  await change(row.id, { name: 'renamed', scopes: ['payments:read'], allowedCidrs: ['10.0.0.0/8'] })
  await change(row.id, { name: 'renamed' })
  const stored = await keyOf(merchantId, row.id)
  assert.deepEqual(
    [stored.name, stored.scopes, stored.allowedCidrs],
    ['renamed', ['payments:read'], ['10.0.0.0/8']],
  )
  assert.deepEqual((await auditOf(row.id)).slice(1), [
    {
      action: 'key.change',
      merchantId,
      by: first,
      before: { name: 'made', scopes: ['payments:read', 'wallets:read'] },
      after: { name: 'renamed', scopes: ['payments:read'], allowedCidrs: ['10.0.0.0/8'] },
    },
  ])
  assert.equal(await codeOf(change(row.id, { scopes: ['wallets:read'] })), 'forbidden')
  const few = await issue({ scopes: ['keys:write', 'payments:read'], allowedCidrs: ['10.0.0.0/16'] })
  assert.equal(await codeOf(change(first, { name: 'x' }, few.id)), 'forbidden')
  assert.equal(
    await codeOf(change(row.id, { allowedCidrs: ['10.0.0.0/8', '10.1.0.0/16'] }, few.id)),
    'forbidden',
  )
  assert.equal(await codeOf(change(row.id, { allowedCidrs: ['10.0.1.0/24'] }, few.id)), undefined)
})

test('a key is revoked once, and noted once', async () => {
  const { merchantId, make, revoke } = await shop()
  const { row } = await make()
  assert.deepEqual((await revoke(row.id)).revokedAt, now)
  assert.deepEqual((await keyOf(merchantId, row.id)).revokedAt, now)
  await revoke(row.id)
  const entries = await auditOf(row.id)
  assert.deepEqual(
    entries.map(({ action }) => action as string),
    ['key.create', 'key.revoke'],
  )
  assert.equal(await codeOf(revoke(newId<'api-key'>())), 'not_found')
})

test('a key that is over does nothing and is not rolled or changed', async () => {
  const { issue, make, roll, change, revoke } = await shop()
  for (const over of [{ expires_at: now }, { revoked_at: now }]) {
    const { id } = await issue()
    await set(id, over)
    for (const work of [make({}, id), roll(id, {}, id), change(id, { name: 'x' }, id), revoke(id, id)])
      assert.equal(await codeOf(work), 'unauthenticated')
    for (const work of [roll(id), change(id, { name: 'x' })])
      assert.equal(await codeOf(work), 'invalid_state')
  }
  const { id } = await issue({ scopes: ['payments:read'] })
  assert.equal(await codeOf(make({}, id)), 'forbidden')
  assert.equal(await codeOf(make({}, newId<'api-key'>())), 'unauthenticated')
})

test('the operator rolls a key that is not over: the old one works for a day more, or until its own end', async () => {
  const { merchantId, issue } = await shop()
  const rotate = (id: ApiKeyId) => rotateApiKey({ ...mint, sql, clock }, { merchantId, id })
  const day = at(24 * hourMs)
  for (const [expiresAt, ends] of [
    [undefined, day],
    [addMs(day, 1), day],
    [day, day],
    [addMs(day, -1), addMs(day, -1)],
    [at(1), at(1)],
  ] as const) {
    const { id, key } = await issue(expiresAt === undefined ? {} : { expiresAt })
    const made = await rotate(id)
    const stored = await keyOf(merchantId, made.id)
    assert.deepEqual((await keyOf(merchantId, id)).expiresAt, ends)
    assert.deepEqual([stored.rolledFrom, stored.lineage, stored.expiresAt], [id, id, null])
    assert.equal(stored.lastFour, made.key.slice(-4))
    assert.notEqual(made.key, key)
  }
  for (const over of [{ expires_at: now }, { revoked_at: now }]) {
    const { id } = await issue()
    await set(id, over)
    assert.equal(await codeOf(rotate(id)), 'invalid_state')
  }
  assert.equal(await codeOf(rotate(newId<'api-key'>())), 'not_found')
})

test('the operator ends a key of its own merchant alone', async () => {
  const [{ merchantId, first }, other] = [await shop(), await shop()]
  const revoke = (of: MerchantId) => codeOf(revokeApiKey({ sql, clock }, { merchantId: of, id: first }))
  assert.equal(await revoke(other.merchantId), 'not_found')
  assert.equal((await keyOf(merchantId, first)).revokedAt, null)
  assert.equal(await revoke(merchantId), undefined)
  assert.deepEqual((await keyOf(merchantId, first)).revokedAt, now)
})
