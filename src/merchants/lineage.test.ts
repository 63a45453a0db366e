// Which keys count as one person: all keys made from one key by rotation, and no others.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId, type ApiKeyId, type MerchantId } from '#/kernel/id.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import { worldClock } from '../../test/clock.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { issueApiKey, rotateApiKey } from './keys.ts'
import { objectionToKey } from './lineage.ts'
import { createMerchant } from './merchant.ts'
import { selectHolders } from './queries.ts'

const database = openForTests(testDatabase)
const clock = makeForTests(() => worldClock(database))
const sql = openForTests(() => connect(database.appUrl, { max: 2 }))

const deps = () => ({ sql, clock, pepper: Buffer.alloc(32), cell: 'a1' })

async function newMerchant(): Promise<MerchantId> {
  const made = { sql, clock, sealKey: Buffer.alloc(32), openWallets: async () => {} }
  return (await createMerchant(made, { mode: 'SANDBOX', name: 'Ana' })).merchant.id
}

async function issue(
  merchantId: MerchantId,
  more: { readonly expiresAt?: Date; readonly name?: string } = {},
) {
  return (await issueApiKey(deps(), { merchantId, name: 'api', ...more })).id
}

async function rotate(merchantId: MerchantId, id: ApiKeyId): Promise<ApiKeyId> {
  return (await rotateApiKey(deps(), { merchantId, id })).id
}

async function groups(merchantId: MerchantId, ids: readonly ApiKeyId[]): Promise<readonly number[]> {
  const holders = await selectHolders(sql, ids)
  const isOne = (a: ApiKeyId, b: ApiKeyId) =>
    objectionToKey(holders, { merchantId, requestedBy: [a] }, b) === 'own_request'
  return ids.map((id) => ids.findIndex((other) => isOne(id, other)))
}

test('rotations of rotations, and two rotations of one key, are one lineage; a key issued with the same name is another', async () => {
  const merchantId = await newMerchant()
  const first = await issue(merchantId)
  const second = await rotate(merchantId, first)
  const third = await rotate(merchantId, second)
  const twin = await rotate(merchantId, first)
  const other = await issue(merchantId)
  const ids = [first, second, third, twin, other, await rotate(merchantId, other)]
  assert.deepEqual(await groups(merchantId, ids), [0, 0, 0, 0, 4, 4])
})

test('a key that is not there decides nothing, and what it requested nobody decides', async () => {
  const merchantId = await newMerchant()
  const there = await issue(merchantId)
  const gone = newId<'api-key'>()
  const holders = await selectHolders(sql, [there, gone])
  assert.equal(objectionToKey(holders, { merchantId, requestedBy: [there] }, gone), 'unknown_person')
  assert.equal(objectionToKey(holders, { merchantId, requestedBy: [gone] }, there), 'unknown_person')
  assert.equal(objectionToKey(holders, { merchantId, requestedBy: [gone] }, gone), 'unknown_person')
  assert.equal(objectionToKey(holders, { merchantId, requestedBy: [] }, there), 'unknown_person')
})

test('rotations from before lineages were stored are found by the expiry that they set', async () => {
  const merchantId = await newMerchant()
  const first = await issue(merchantId)
  const apart = await issue(merchantId, { name: 'other' })
  const beside = await issue(merchantId)
  await clock.advance(48 * hourMs)
  const second = await rotate(merchantId, first)
  await clock.advance(12 * hourMs)
  const third = await rotate(merchantId, second)
  await clock.advance(48 * hourMs)
  const ending = await issue(merchantId, { name: 'ending', expiresAt: addMs(clock.now(), hourMs) })
  const renewed = await rotate(merchantId, ending)
  const ids = [first, second, third, apart, beside, ending, renewed]
  assert.deepEqual(await groups(merchantId, ids), [0, 0, 0, 3, 4, 5, 5])
  await sql`update api_key set lineage = null where merchant_id = ${merchantId}`
  assert.deepEqual(await groups(merchantId, ids), [0, 1, 2, 3, 4, 5, 6])
  const migration = readFileSync(new URL('../../migrations/0022_freeze.sql', import.meta.url), 'utf8')
  await sql.unsafe(migration.slice(migration.indexOf('with recursive rotation')))
  assert.deepEqual(await groups(merchantId, ids), [0, 0, 0, 3, 4, 5, 5])
})
