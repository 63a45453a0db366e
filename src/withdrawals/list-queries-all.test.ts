// What lists of withdrawals, batches and payout schedules show of one merchant, and which schedules a statement changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { newIdAt, type ApiKeyId, type MerchantId, type PayoutScheduleId } from '#/kernel/id.ts'
import type { WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as lists from './list-queries.ts'
import * as batches from './queries.ts'
import * as schedules from './schedule-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const merchant = [ours, theirs].map((id) => ({ id, mode: 'LIVE' }))
const at = new Date('2026-11-22T00:00:00Z')
/** Ids in their order. */
const ids = [1, 2, 3, 4, 5, 6].map((second) => newIdAt(new Date(at.getTime() + second * 1_000)))
const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids as readonly string[]
const row = {
  merchant_id: ours,
  type: 'PIX',
  status: 'PENDING',
  currency: 'BRL',
  amount_minor: 5,
  fee_minor: 1,
  review_required: false,
  created_at: at,
}
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

test('the operator lists withdrawals of all merchants by state, newest or oldest first, after one', async () => {
  const withdrawal = [
    { ...row, id: a },
    { ...row, id: b, status: 'PENDING_APPROVAL', merchant_id: theirs },
    { ...row, id: c, status: 'PROCESSING', review_required: true },
    { ...row, id: d, status: 'COMPLETED' },
  ]
  await onRows(sql, { merchant, withdrawal }, async (tx) => {
    const db = tx
    const page = async (selection: lists.OperatorPage['selection'], more: object = {}) =>
      idsOf(await lists.selectOperatorPage(db, { selection, limit: 9, ...more }))
    const expected = {
      open: [c, b, a],
      review: [c],
      approval: [b],
      pending: [a],
      processing: [c],
      all: [d, c, b, a],
    }
    for (const [selection, found] of Object.entries(expected))
      assert.deepEqual(await page(selection as keyof typeof expected), found, selection)
    for (const selection of ['open', 'review', 'approval', 'all'] as const)
      assert.deepEqual(idsOf(await lists.selectForOperator(db, selection, 9)), expected[selection], selection)
    assert.deepEqual(idsOf(await lists.selectForOperator(db, 'open', 2)), [c, b])
    assert.deepEqual(await page('all', { isOldestFirst: true, after: b }), [c, d])
    assert.deepEqual(await page('all', { after: c, limit: 1 }), [b])
  })
})

test('a merchant lists its own withdrawals by id, batch, type, currency and state', async () => {
  const batch = bareId(31) as WithdrawalBatchId
  const withdrawal = [
    { ...row, id: a, batch_id: batch },
    { ...row, id: b, batch_id: batch, type: 'CRYPTO' },
    { ...row, id: c, batch_id: batch, currency: 'EUR' },
    { ...row, id: d, batch_id: batch, status: 'COMPLETED' },
    { ...row, id: e },
    { ...row, id: f, merchant_id: theirs, batch_id: batch },
    { ...row, id: e, merchant_id: theirs },
  ].map((each) => ({ ...each, batch_place: 0 }))
  await onRows(sql, { merchant, withdrawal }, async (tx) => {
    const find = async (filter: object) =>
      idsOf(await lists.listWithdrawals(tx, ours, { limit: 9, ...filter }))
    const cases = [
      [{}, [e, d, c, b, a]],
      [{ id: b }, [b]],
      [{ id: f }, []],
      [{ batchId: batch }, [d, c, b, a]],
      [{ batchId: batch, type: 'PIX' }, [d, c, a]],
      [{ batchId: batch, currency: 'BRL' }, [d, b, a]],
      [{ batchId: batch, status: 'PENDING' }, [c, b, a]],
      [{ type: 'PIX', currency: 'BRL' }, [e, d, a]],
      [{ limit: 2, before: e }, [d, c]],
    ] as const
    for (const [filter, found] of cases) assert.deepEqual(await find(filter), found, JSON.stringify(filter))
    const some = [a, c, f] as readonly string[] as readonly WithdrawalId[]
    assert.deepEqual(idsOf(await lists.selectListed(tx, ours, some)), [c, a])
  })
})

test('a batch is shown with its own withdrawals alone, to its merchant', async () => {
  const [batch, other] = [a as WithdrawalBatchId, b as WithdrawalBatchId]
  const part = { ...row, batch_id: batch, batch_place: 0 }
  const tables = {
    withdrawal_batch: [
      { merchant_id: ours, id: batch, count: 2 },
      { merchant_id: ours, id: other, count: 1 },
      { merchant_id: theirs, id: batch, count: 9 },
    ],
    withdrawal: [
      { ...part, id: bareId(1), batch_place: 1, status: 'COMPLETED' },
      { ...part, id: bareId(2) },
      { ...part, id: bareId(3), batch_id: other, status: 'FAILED' },
      { ...part, id: bareId(4), merchant_id: theirs, status: 'CANCELED' },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    const db = tx
    const parts = await batches.selectBatchWithdrawals(tx, [{ merchantId: ours, id: batch }])
    assert.deepEqual(idsOf(parts), [bareId(2), bareId(1)])
    assert.equal((await batches.selectBatch(db, ours, batch))?.count, 2)
    assert.equal((await batches.selectBatch(db, ours, other))?.count, 1)
    assert.equal((await batches.selectBatch(db, theirs, batch))?.count, 9)
    assert.equal(await batches.selectBatch(db, theirs, other), undefined)
    const progress = await batches.selectProgress(db, ours, batch)
    assert.deepEqual(
      progress.map(({ status, count, amountMinor }) => [status, count, amountMinor]),
      [
        ['COMPLETED', 1, 5n],
        ['PENDING', 1, 5n],
      ],
    )
    const listed = await batches.listBatches(db, ours, { limit: 9 })
    assert.deepEqual(
      listed.map(({ id, statuses }) => [id, statuses]),
      [
        [other, ['FAILED']],
        [batch, ['COMPLETED', 'PENDING']],
      ],
    )
  })
})

const plan = { merchant_id: ours, id: a, status: 'ACTIVE', version: 1, idempotency_key: 'k', changed_by: [] }
const key = { merchantId: ours, id: a as PayoutScheduleId }
const plans = [
  plan,
  ...beside(plan, { merchant_id: theirs }, { id: b, idempotency_key: 'l' }),
  { ...plan, id: c, idempotency_key: 'm', status: 'ENDED' },
]

/** Which schedules fulfil the condition now: their merchants and ids. */
async function plansWhere(tx: Tx, condition: string): Promise<readonly (readonly unknown[])[]> {
  const rows = await tx.unsafe(
    `select merchant_id, id from payout_schedule where ${condition} order by merchant_id, id`,
  )
  return rows.map(({ merchant_id, id }) => [merchant_id, id] as const)
}

test('a schedule is found by its merchant with its id or its key, and is open until it ends', async () => {
  await onRows(sql, { merchant, payout_schedule: plans }, async (tx) => {
    const seen = (found: { readonly merchantId: string; readonly id: string } | undefined) =>
      found && [found.merchantId, found.id]
    assert.deepEqual(seen(await schedules.selectSchedule(tx, key)), [ours, a])
    assert.deepEqual(seen(await schedules.selectSchedule(tx, { ...key, merchantId: theirs })), [theirs, a])
    assert.deepEqual(seen(await schedules.selectSchedule(tx, { ...key, id: b as PayoutScheduleId })), [
      ours,
      b,
    ])
    assert.deepEqual(seen(await schedules.selectScheduleByKey(tx, ours, 'l')), [ours, b])
    assert.deepEqual(seen(await schedules.selectScheduleByKey(tx, theirs, 'k')), [theirs, a])
    assert.equal(await schedules.selectScheduleByKey(tx, theirs, 'l'), undefined)
    assert.equal(await schedules.countOpen(tx, ours), 2)
    assert.equal(await schedules.countOpen(tx, theirs), 1)
    assert.deepEqual(idsOf(await schedules.listSchedules(tx, ours, { limit: 9 })), [c, b, a])
    const one = { before: c as PayoutScheduleId, limit: 1 }
    assert.deepEqual(idsOf(await schedules.listSchedules(tx, ours, one)), [b])
  })
})

test('a schedule alone is written; the keys that changed it are noted once', async () => {
  const keyId = bareId(41) as ApiKeyId
  await onRows(sql, { merchant, payout_schedule: plans }, async (tx) => {
    const found = await schedules.selectSchedule(tx, key)
    assert.ok(found !== undefined)
    await schedules.writeSchedules(tx, [{ ...found, version: 2 }])
    assert.deepEqual(await plansWhere(tx, 'version = 2'), [[ours, a]])
    for (let time = 0; time < 2; time++) await schedules.addChanger(tx, key, keyId)
    assert.deepEqual(await plansWhere(tx, `changed_by = array['${keyId}'::uuid]`), [[ours, a]])
    assert.deepEqual(await plansWhere(tx, `changed_by = '{}'`), [
      [ours, b],
      [ours, c],
      [theirs, a],
    ])
    assert.deepEqual([...(await schedules.selectChangers(tx, [key]))], [{ id: a, changedBy: [keyId] }])
  })
})

test('all schedules of a merchant end that have not ended', async () => {
  await onRows(sql, { payout_schedule: plans }, async (tx) => {
    await schedules.endSchedules(tx, ours)
    assert.deepEqual(await plansWhere(tx, 'version = 2'), [
      [ours, a],
      [ours, b],
    ])
    assert.deepEqual(await plansWhere(tx, `status <> 'ENDED'`), [[theirs, a]])
  })
})

test('a schedule that is due waits again; the longest due ones come first', async () => {
  const [past, older, future] = ['2026-11-22T00:00:00Z', '2026-11-21T00:00:00Z', '2999-01-01T00:00:00Z']
  const payout_schedule = [
    { ...plan, next_run_at: past },
    { ...plan, merchant_id: theirs, next_run_at: older },
    { ...plan, id: b, next_run_at: past },
    { ...plan, id: c, next_run_at: future },
  ]
  await onRows(sql, { payout_schedule }, async (tx) => {
    const due = await schedules.selectDueSchedules(tx, 9)
    assert.deepEqual([due[0]?.merchantId, idsOf(due).toSorted()], [theirs, [a, a, b]])
    assert.equal((await schedules.selectDueSchedules(tx, 1)).length, 1)
    for (const id of [a, c])
      await schedules.postponeSchedule(tx, { ...key, id: id as PayoutScheduleId }, 1_000)
    const moved = `next_run_at not in ('${past}', '${older}', '${future}')`
    assert.deepEqual(await plansWhere(tx, moved), [[ours, a]])
  })
})
