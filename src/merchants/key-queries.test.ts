// Which API keys a statement finds and changes. Each key beside the wanted one differs in one column, and its name says in which.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subAccountStates } from '#/contract/sub-accounts.ts'
import type { Sql } from '#/db/client.ts'
import type { ApiKeyId, MerchantId, UserId } from '#/kernel/id.ts'
import { bareId, beside, onRows, type BareRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './key-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [one, two, three] = [bareId(11) as ApiKeyId, bareId(12) as ApiKeyId, bareId(13) as ApiKeyId]
const [ana, bia] = [bareId(21) as UserId, bareId(22) as UserId]
const [past, future] = ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'] as const

const key = {
  merchant_id: ours,
  id: one,
  lineage: one,
  digest: '\\x01',
  last_four: 'abcd',
  name: 'wanted',
  scopes: ['payments:read'],
  created_at: past,
}
const ofOther = { merchant_id: theirs, name: 'of another merchant' } as const
const otherKey = { id: two, name: 'another key' } as const
const seat = { member: ana, name: 'a seat' } as const
const revoked = { revoked_at: past, name: 'revoked' } as const
const expired = { expires_at: past, name: 'expired' } as const
const ending = { expires_at: future, name: 'ends later' } as const

const named = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)

/** What a statement finds among these keys. */
function find<Row extends { readonly name: string }>(
  api_key: BareRows[string],
  ask: (tx: RowsTx) => Promise<readonly Row[]>,
  more: BareRows = {},
): Promise<readonly string[]> {
  return onRows(sql, { api_key, ...more }, async (tx) => named(await ask(tx)))
}

/** The names of the keys in which a statement changed something, among these. */
async function changed(
  api_key: BareRows[string],
  change: (tx: RowsTx) => Promise<unknown>,
  more: BareRows = {},
): Promise<readonly string[]> {
  return onRows(sql, { api_key, ...more }, async (tx) => {
    await tx`create temp table earlier on commit drop as table api_key`
    await change(tx)
    return named(
      await tx<{ name: string }[]>`
        select earlier.name from earlier
         where not exists (select from api_key where api_key is not distinct from earlier) order by earlier.name`,
    )
  })
}

test('all keys of a merchant are its own without its seats, in their order', async () => {
  const keys = [{ ...key, ...otherKey }, key, ...beside(key, ofOther, seat)]
  assert.deepEqual(await find(keys, (tx) => queries.selectKeys(tx, ours)), ['wanted', 'another key'])
})

test('a page of keys has the newest of the merchant without its seats', async () => {
  const keys = [
    key,
    { ...key, ...otherKey },
    { ...key, id: three, name: 'the newest' },
    ...beside({ ...key, id: three }, ofOther, { ...seat, id: bareId(14) }),
  ]
  const page = (limit: number, more = {}) =>
    find(keys, (tx) => queries.listKeys(tx, ours, { limit, ...more }))
  assert.deepEqual(await page(2), ['the newest', 'another key'])
  assert.deepEqual(await page(9, { before: two }), ['wanted'])
})

test('a key is found by its merchant and its id, and a made key by its merchant and its request', async () => {
  const made = { ...key, idempotency_key: 'a', fingerprint: '\\x01' }
  const first = (rows: BareRows[string], ask: (tx: RowsTx) => Promise<queries.KeyRow | undefined>) =>
    find(rows, async (tx) => [(await ask(tx)) ?? { name: 'none' }])
  const ofId = (tx: RowsTx) => queries.selectKey(tx, ours, one)
  const ofRequest = (tx: RowsTx) => queries.selectKeyOfRequest(tx, ours, 'a')
  const keys = beside(key, ofOther, otherKey)
  const requests = beside(made, ofOther, { idempotency_key: 'b', name: 'of another request' })
  assert.deepEqual(await first(keys, ofId), ['none'])
  assert.deepEqual(await first([...keys, key], ofId), ['wanted'])
  assert.deepEqual(await first(requests, ofRequest), ['none'])
  assert.deepEqual(await first([...requests, made], ofRequest), ['wanted'])
})

test('a key tells whose seat made it', async () => {
  const makers = [
    { ...key, id: two, member: ana },
    { ...key, id: three, member: bia },
  ]
  const row = await onRows(sql, { api_key: [...makers, { ...key, made_by_key: three }] }, (tx) =>
    queries.selectKey(tx, ours, one),
  )
  assert.equal(row?.madeByMember, bia)
})

test('keys are locked in the order of their ids, of one merchant', async () => {
  const keys = [{ ...key, ...otherKey }, key, ...beside(key, ofOther, { id: three, name: 'not asked for' })]
  assert.deepEqual(await find(keys, (tx) => queries.lockKeys(tx, ours, [two, one])), [
    'wanted',
    'another key',
  ])
})

test('held keys are those in force, and know whose seat their lineage began with', async () => {
  const first = { ...key, id: three, lineage: three, member: bia, name: 'the first of the lineage' }
  const keys = [
    { ...key, ...ending, id: two },
    { ...key, lineage: three },
    first,
    ...beside({ ...key, id: bareId(14) }, ofOther, seat, revoked, expired),
  ]
  const held = await onRows(sql, { api_key: keys }, (tx) => queries.selectHeldKeys(tx, ours))
  assert.deepEqual(
    held.map(({ name, user }) => [name, user]),
    [
      ['wanted', bia],
      ['ends later', null],
    ],
  )
})

test('keys elsewhere are those in force of other merchants that came of one of the lineages', async () => {
  const there = { ...key, merchant_id: theirs, id: two, lineage: one }
  const keys = [
    there,
    ...beside(
      there,
      { merchant_id: ours, name: 'of the merchant itself' },
      { lineage: three, name: 'of another lineage' },
      seat,
      revoked,
      expired,
    ),
  ]
  assert.deepEqual(await find(keys, (tx) => queries.selectKeysElsewhere(tx, ours, [one])), ['wanted'])
})

test('the named keys alone are revoked or handed on, and one that was revoked keeps its time', async () => {
  const keys = [key, { ...key, ...otherKey }, { ...key, ...revoked, id: three }]
  const held = [one, three].map((id) => ({ merchantId: ours, id }))
  assert.deepEqual(await changed(keys, (tx) => queries.revokeHeld(tx, held)), ['wanted'])
  assert.deepEqual(await changed(keys, (tx) => queries.handKeys(tx, held, 'bia@example.com')), [
    'revoked',
    'wanted',
  ])
})

test('a seat is that of one user at one merchant', async () => {
  const own = { ...key, member: ana }
  const others = beside(
    own,
    { ...ofOther, id: two },
    { member: bia, id: three, name: 'the seat of another user' },
    { member: null, id: bareId(14), name: 'a key' },
  )
  const seats = [...others, own]
  assert.deepEqual(await changed(seats, (tx) => queries.writeSeatScopes(tx, ours, ana, ['keys:read'])), [
    'wanted',
  ])
  await onRows(sql, { api_key: seats }, async (tx) => {
    assert.equal((await queries.selectSeat(tx, ours, ana))?.id, one)
    assert.deepEqual([...(await queries.selectSeats(tx, ours, [ana]))], [{ id: one, member: ana }])
  })
  await onRows(sql, { api_key: others }, async (tx) => {
    assert.equal(await queries.selectSeat(tx, ours, ana), undefined)
  })
})

test('keys in force are counted without seats, and no further than asked', async () => {
  const keys = [key, { ...key, ...ending }, ...beside(key, ofOther, seat, revoked, expired)]
  const count = (max: number) => onRows(sql, { api_key: keys }, (tx) => queries.countInForce(tx, ours, max))
  assert.equal(await count(9), 2)
  assert.equal(await count(1), 1)
})

test('a change, an expiry and a revocation are of one key of one merchant', async () => {
  const keys = [key, ...beside(key, ofOther, otherKey)]
  const at = new Date(future)
  const rights = { name: 'wanted', scopes: ['keys:read'], allowedCidrs: null } as const
  const changes: readonly ((tx: RowsTx) => Promise<unknown>)[] = [
    (tx) => queries.writeKey(tx, ours, one, rights),
    (tx) => queries.writeExpiry(tx, ours, one, at),
    (tx) => queries.writeRevocation(tx, ours, one, at),
  ]
  for (const change of changes) assert.deepEqual(await changed(keys, change), ['wanted'])
  await onRows(sql, { api_key: keys }, async (tx) => {
    assert.equal(await queries.writeRevocation(tx, ours, one, at), true)
    assert.equal(await queries.writeRevocation(tx, ours, three, at), false)
    await queries.writeRevocation(tx, ours, one, new Date(past))
    assert.deepEqual((await queries.selectKey(tx, ours, one))?.revokedAt, at)
  })
})

test('all keys of one merchant are revoked, those revoked before keep their time', async () => {
  const others = beside(key, { ...ofOther, id: three }, { ...revoked, id: three }, ofOther)
  const keys = [...others, key]
  assert.deepEqual(await changed(keys, (tx) => queries.revokeKeys(tx, ours, new Date(future))), ['wanted'])
})

test('a use is written for its key alone, unless a use was written a short time before', async () => {
  const ago = { ...key, id: three, name: 'used before' }
  const keys = [key, { ...key, ...otherKey }, ago]
  const use = (id: ApiKeyId) => ({ merchantId: ours, id, agoMs: 0 })
  const written = (leastMs: number) =>
    onRows(sql, { api_key: keys }, async (tx) => {
      const before = { merchantId: ours, id: three, agoMs: 59_000 }
      await queries.writeUses(tx, [before], 0)
      await queries.writeUses(tx, [use(one), use(three)], leastMs)
      return named(
        await tx<{ name: string }[]>`
          select name from api_key where last_used_at > statement_timestamp() - interval '30 seconds' order by name`,
      )
    })
  assert.deepEqual(await written(600_000), ['wanted'])
  assert.deepEqual(await written(1_000), ['used before', 'wanted'])
})

test('a digest is renewed while it is as it was read, by the key of digests in force', async () => {
  const [inForce, earlier] = [Buffer.from([7]), Buffer.from([8])]
  const keys = [
    key,
    { ...key, ...otherKey },
    { ...key, id: three, digest: '\\x05', name: 'renewed by another process' },
  ]
  const renewal = (id: ApiKeyId, before: number) => ({
    merchantId: ours,
    id,
    before: Buffer.from([before]),
    digest: Buffer.from([9]),
  })
  const key_in_force = [
    { purpose: 'API_KEYS', fingerprint: '\\x07' },
    { purpose: 'WEBHOOKS', fingerprint: '\\x08' },
  ]
  const renew = (digestKey: Buffer) =>
    changed(keys, (tx) => queries.renewDigests(tx, [renewal(one, 1), renewal(three, 3)], digestKey), {
      key_in_force,
    })
  assert.deepEqual(await renew(inForce), ['wanted'])
  assert.deepEqual(await renew(earlier), [])
})

test('a digest identifies a key that is not revoked and no seat, and whose merchant may have keys', async () => {
  const digests = [Buffer.from([1])]
  const archived = bareId(3)
  const accounts = subAccountStates.map((state, index) => ({ merchant_id: bareId(5 + index), state }))
  const merchants = [ours, theirs, archived, ...accounts.map(({ merchant_id }) => merchant_id)]
  const known = {
    merchant: merchants.map((id) => ({ id, mode: 'SANDBOX' })),
    sandbox: [{ merchant_id: ours }, { merchant_id: archived, archived_at: past }],
    sub_account: accounts,
  }
  const keys = [
    key,
    ...beside(key, { digest: '\\x02' }, seat, revoked, { merchant_id: archived }),
    ...accounts.map(({ merchant_id }) => ({ ...key, merchant_id })),
  ]
  const found = await onRows(sql, { api_key: keys, ...known }, (tx) => queries.selectByDigests(tx, digests))
  const stateOf = (id: MerchantId) => accounts.find(({ merchant_id }) => merchant_id === id)?.state ?? id
  assert.deepEqual(
    found.map(({ merchantId }) => stateOf(merchantId)).toSorted(),
    [ours, 'ACTIVE', 'PENDING', 'SUSPENDED'].toSorted(),
  )
})
