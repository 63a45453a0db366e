// Which refunds are due, who holds their claims, and when they are due again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { refundOf } from '../../test/settlement-view.ts'
import * as dues from './due-queries.ts'
import { insertDue } from './queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const merchant = [ours, theirs].map((id) => ({ id, mode: 'LIVE' }))
const [first, second, third] = [bareId(11), bareId(12), bareId(13)] as RefundId[] as [
  RefundId,
  RefundId,
  RefundId,
]
const [payment, otherPayment] = [bareId(21) as PaymentId, bareId(22) as PaymentId]
const bank = 'bank' as ConnectionId
const [past, future] = ['2026-11-22T00:00:00Z', '2999-01-01T00:00:00Z']
const row = {
  merchant_id: ours,
  id: first,
  payment_id: payment,
  connection: bank,
  paid_ref: 'e1',
  method: 'PIX',
  status: 'PENDING',
  currency: 'BRL',
  created_at: past,
  is_held_back: false,
  approval_required: false,
  left_before_restore: false,
  version: 1,
}
const refund = refundOf({ merchantId: ours, id: first, paymentId: payment, connection: bank, paidRef: 'e1' })
const due = { merchant_id: ours, refund_id: first, connection: bank, due_at: past, sends: 0, unsent: 0 }
/** An open dispute about the money of the refund, and disputes that are not. */
const disputed = { merchant_id: ours, payment_id: payment, connection: bank, paid_ref: 'e1', status: 'OPEN' }
const otherDisputes = beside(
  disputed,
  { merchant_id: theirs },
  { payment_id: otherPayment },
  { connection: 'other' },
  { paid_ref: 'e2' },
  { status: 'WON' },
)

test('a new refund is due now; while its money is disputed it waits', async () => {
  for (const [dispute, waits] of [
    [otherDisputes, false],
    [[...otherDisputes, disputed], true],
  ] as const)
    await onRows(sql, { dispute, refund_due: [] }, async (tx) => {
      await insertDue(tx, [refund])
      assert.deepEqual([...(await tx`select due_at = 'infinity' as waits from refund_due`)], [{ waits }])
    })
})

const slots = { total: 9, each: 9, byConnection: [] }

test('a refund is claimed with its own row, unless its money is disputed and it was never claimed', async () => {
  const refunds = [row, { ...row, id: second, paid_ref: 'e9' }]
  const later = { ...due, refund_id: second, due_at: future }
  const cases = [
    [otherDisputes, due, [[first, 1]]],
    [[disputed], due, []],
    [[disputed], { ...due, sends: 1 }, [[first, 2]]],
    [[{ ...disputed, paid_ref: 'e9' }], due, [[first, 1]]],
  ] as const
  for (const [dispute, mine, expected] of cases)
    await onRows(sql, { merchant, refund: refunds, dispute, refund_due: [mine, later] }, async (tx) => {
      const found = await dues.claimDue(tx, slots, 60_000)
      assert.deepEqual(
        found.map(({ refund: { id }, claim }) => [id, claim.number]),
        expected,
      )
    })
})

/** A refund under the claim of this number, and rows that it does not hold. */
const claim = (number: number): dues.DueRefund => ({
  refund,
  claim: { id: first, connection: bank, number, trace: null },
  claimedAt: new Date(past),
})
const others = beside({ ...due, sends: 1, due_at: future }, { merchant_id: theirs }, { refund_id: second })

test('a claim holds its own row until another worker takes it', async () => {
  const held = { ...due, sends: 1, due_at: future }
  await onRows(sql, { refund_due: [held, ...others] }, async (tx) => {
    assert.equal(await dues.isClaimed(tx, claim(1)), true)
    assert.equal(await dues.isClaimed(tx, claim(2)), false)
    await dues.releaseDue(tx, claim(1))
    const released =
      await tx`select merchant_id, refund_id from refund_due where sends = 0 and due_at < ${future}`
    assert.deepEqual([...released], [{ merchant_id: ours, refund_id: first }])
  })
  await onRows(sql, { refund_due: [{ ...held, sends: 2 }] }, async (tx) => {
    await dues.releaseDue(tx, claim(2))
    assert.equal(
      (await tx`select 1 from refund_due where sends = 2`).length,
      1,
      'it may have been sent before',
    )
  })
})

test('a claim postpones its own row, and counts what it did not send also when a later one took the row', async () => {
  const cases = [
    // Of the row: its sends and whether it was hastened. Of the claim: its number, and whether nothing was sent.
    { sends: 2, number: 2, wasNotSent: false, isOurs: true, unsent: 0, isMoved: true },
    { sends: 2, number: 2, wasNotSent: true, isOurs: true, unsent: 1, isMoved: true },
    { sends: 3, number: 2, wasNotSent: true, isOurs: false, unsent: 1, isMoved: false },
    { sends: 3, number: 2, wasNotSent: false, isOurs: false, unsent: 0, isMoved: false },
    { sends: 1, number: 2, wasNotSent: true, isOurs: false, unsent: 0, isMoved: false },
  ]
  for (const { sends, number, wasNotSent, isOurs, unsent, isMoved } of cases)
    await onRows(
      sql,
      {
        refund_due: [
          { ...due, sends, due_at: future },
          ...others.map((each) => ({ ...each, sends: number })),
        ],
      },
      async (tx) => {
        const wait = { waitMs: 1_000, wasNotSent }
        assert.equal(await dues.postponeDue(tx, claim(number), wait), isOurs)
        const [mine] = await tx`
        select unsent, due_at < ${future} as "isMoved" from refund_due where merchant_id = ${ours} and refund_id = ${first}`
        assert.deepEqual(mine, { unsent, isMoved })
        assert.equal(
          (await tx`select 1 from refund_due where unsent = 0 and due_at = ${future}`).length,
          isMoved || unsent > 0 ? 2 : 3,
        )
      },
    )
  await onRows(sql, { refund_due: [{ ...due, sends: 2, due_at: past }] }, async (tx) => {
    await dues.postponeDue(tx, claim(2), { waitMs: 1_000, wasNotSent: false })
    assert.equal((await tx`select 1 from refund_due where due_at = ${past}`).length, 1, 'it was hastened')
  })
})

test('claims are locked that no later one superseded, each with its own row', async () => {
  const tables = {
    refund: [row, { ...row, id: second }],
    refund_due: [
      { ...due, sends: 2 },
      { ...due, refund_id: second, sends: 3 },
    ],
  }
  const lock = async (number: number) =>
    (await onRows(sql, tables, (tx) => dues.lockClaims(tx, [{ id: first, number }]))).size
  assert.deepEqual([await lock(2), await lock(3)], [1, 0])
})

test('refunds are hastened that wait, but not for the end of a dispute', async () => {
  const waiting = { ...due, due_at: future }
  const tables = {
    refund: [11, 12, 13, 14].map((number) => ({ ...row, id: bareId(number) })),
    refund_due: [
      waiting,
      { ...waiting, refund_id: second },
      { ...waiting, refund_id: third, due_at: 'infinity' },
      { ...waiting, refund_id: bareId(14), due_at: past },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await dues.hastenDue(tx, [first, third, bareId(14)]), 1)
    const found = await tx`select refund_id from refund_due where due_at > ${past} and due_at < ${future}`
    assert.deepEqual([...found], [{ refund_id: first }])
  })
})
