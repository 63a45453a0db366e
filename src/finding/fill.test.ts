// Older records are filled in once, whatever dies or hangs in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { createMetadataFiller } from './fill.ts'
import { declareMetadataKeys, listMetadataKeys } from './metadata-key.ts'
import { claimKeys, fillNext, insertValues, type DueKey } from './queries.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 4 }))
const owner = openForTests(() => connect(database.ownerUrl, { max: 4 }))

async function newMerchant(): Promise<MerchantId> {
  const id = newId<'merchant'>()
  await owner`insert into merchant (id, mode, name, webhook_secret, created_at) values (${id}, 'SANDBOX', 'Ana', '', now())`
  return id
}

/** Payments with a number as their metadata's `n`, without the index rows of a creation. Returns their ids. */
async function insertPayments(merchantId: MerchantId, count: number): Promise<readonly string[]> {
  const rows = Array.from({ length: count }, (_, n) => ({ id: newId(), n }))
  for (const { id, n } of rows)
    await owner`
      insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods, created_at)
      values (${merchantId}, ${id}, ${id}, '', ${JSON.stringify({ metadata: { n } })}::text::json, 'PENDING', 1, 'BRL', '{PIX}', now())`
  return rows.map(({ id }) => id)
}

const valuesOf = async (merchantId: MerchantId): Promise<readonly string[]> => {
  const rows = await owner<{ id: string }[]>`
    select record_id as id from metadata_value where merchant_id = ${merchantId} order by record_id`
  return rows.map(({ id }) => id)
}

const fillerOf = (more: Partial<Parameters<typeof createMetadataFiller>[0]> = {}) =>
  createMetadataFiller({ sql, log: silentLog, batch: 2, settledMs: 0, ...more })

const stateOf = async (merchantId: MerchantId) =>
  (await listMetadataKeys(sql, merchantId)).map(({ status }) => status)

/** Claims every due key once, as a worker that then dies. */
const claimAll = () => claimKeys(sql, { total: 100, each: 10, byConnection: [] }, 60_000)

function ofPayments(keys: readonly DueKey[], merchantId: MerchantId): DueKey {
  return (
    keys.find((each) => each.merchantId === merchantId && each.resource === 'PAYMENT') ??
    assert.fail('it is due')
  )
}

test('a worker that dies half way leaves whole batches, and the next one goes on after its lease', async () => {
  const merchantId = await newMerchant()
  const ids = await insertPayments(merchantId, 7)
  await declareMetadataKeys(sql, merchantId, ['n'])
  const key = ofPayments(await claimAll(), merchantId)
  const batch = { limit: 3, settledMs: 0, early: newId() }
  assert.deepEqual(await sql.begin((tx) => fillNext(tx, key, batch)), { records: 3, isLate: true })
  // The batch in which it dies is not committed.
  await assert.rejects(
    sql.begin(async (tx) => {
      await fillNext(tx, key, batch)
      throw new Error('killed')
    }),
  )
  assert.deepEqual(await valuesOf(merchantId), ids.slice(0, 3))
  const [shown] = await listMetadataKeys(sql, merchantId)
  assert.equal(shown?.status, 'FILLING')
  assert.equal(
    shown?.filledUntil?.getTime(),
    Number.parseInt((ids[2] ?? '').replace('-', '').slice(0, 12), 16),
  )
  assert.equal(await fillerOf().once(), 0, 'the lease still runs')
  await owner`update metadata_key set due_at = now() - interval '1 second' where merchant_id = ${merchantId}`
  while ((await fillerOf().once()) > 0);
  assert.deepEqual(await valuesOf(merchantId), ids)
  assert.deepEqual(await stateOf(merchantId), ['READY'])
  // The first worker wakes up: its claim is over, and it changes nothing.
  assert.equal(await sql.begin((tx) => fillNext(tx, key, batch)), undefined)
  assert.deepEqual(await stateOf(merchantId), ['READY'])
})

test('until transactions that do not know the key have ended, young records are left, and the key is not READY', async () => {
  const merchantId = await newMerchant()
  const [old = ''] = await insertPayments(merchantId, 1)
  await owner`
    update payment set id = ('00000000' || substr(id::text, 9))::uuid where id = ${old}`
  const oldest = old.replace(/^.{8}/, '00000000')
  const young = await insertPayments(merchantId, 3)
  await declareMetadataKeys(sql, merchantId, ['n'])
  const patient = () => fillerOf({ settledMs: 60_000 }).once()
  assert.ok((await patient()) > 0)
  assert.deepEqual(await valuesOf(merchantId), [oldest])
  assert.equal(await patient(), 0)
  assert.deepEqual(await stateOf(merchantId), ['FILLING'])
  // One that a slow transaction wrote without knowing the key.
  const late = await insertPayments(merchantId, 1)
  await owner`
    update metadata_key set changed_at = now() - interval '61 seconds', due_at = now() - interval '1 second' where merchant_id = ${merchantId}`
  while ((await patient()) > 0);
  assert.deepEqual(await valuesOf(merchantId), [oldest, ...young, ...late])
  assert.deepEqual(await stateOf(merchantId), ['READY'])
})

test('a merchant whose records are locked out delays nobody else’s', async () => {
  const [stuck, other] = [await newMerchant(), await newMerchant()]
  const [locked] = await insertPayments(stuck, 1)
  const ids = await insertPayments(other, 3)
  await declareMetadataKeys(sql, stuck, ['n'])
  await declareMetadataKeys(sql, other, ['n'])
  const [key] = await owner<{ id: number }[]>`
    select id from metadata_key where merchant_id = ${stuck} and resource = 'PAYMENT'`
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let isHeld = () => {}
  const holding = new Promise<void>((resolve) => (isHeld = resolve))
  // Another transaction that has not ended has the same row: the worker's insertion waits for it.
  const blocker = owner.begin(async (tx) => {
    await tx`insert into metadata_value values (${stuck}, ${key?.id ?? 0}, hashtext('0'), ${locked ?? ''})`
    isHeld()
    await held
  })
  await holding
  const controller = new AbortController()
  const running = fillerOf().run(controller.signal)
  const isReady = async () => (await stateOf(other))[0] === 'READY'
  for (let tries = 0; !(await isReady()); tries += 1) {
    assert.ok(tries < 100, 'the other merchant is served')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual(await valuesOf(other), ids)
  assert.deepEqual(await stateOf(stuck), ['FILLING'])
  release()
  await blocker
  controller.abort()
  await running
})

test('a key that is taken from the list while it is filled in ends the filling, and leaves nothing', async () => {
  const merchantId = await newMerchant()
  await insertPayments(merchantId, 5)
  await declareMetadataKeys(sql, merchantId, ['n'])
  const key = ofPayments(await claimAll(), merchantId)
  const batch = { limit: 2, settledMs: 0, early: newId() }
  await sql.begin((tx) => fillNext(tx, key, batch))
  await declareMetadataKeys(sql, merchantId, [])
  assert.equal(await sql.begin((tx) => fillNext(tx, key, batch)), undefined)
  assert.equal((await valuesOf(merchantId)).length, 2)
  await owner`update metadata_key set due_at = now() - interval '1 second' where merchant_id = ${merchantId}`
  while ((await fillerOf({ batch: 1 }).once()) > 0);
  assert.deepEqual(await valuesOf(merchantId), [])
  assert.deepEqual([...(await owner`select from metadata_key where merchant_id = ${merchantId}`)], [])
})

test('new records are indexed under their own merchant’s keys alone, and filling them in again changes nothing', async () => {
  const [one, other] = [await newMerchant(), await newMerchant()]
  await declareMetadataKeys(sql, one, ['n'])
  const [a = '', b = ''] = [...(await insertPayments(one, 1)), ...(await insertPayments(other, 1))]
  const records = [
    { merchantId: one, id: a },
    { merchantId: other, id: b },
  ]
  await sql.begin((tx) => insertValues(tx, 'PAYMENT', records))
  while ((await fillerOf().once()) > 0);
  assert.deepEqual([await valuesOf(one), await valuesOf(other)], [[a], []])
})
