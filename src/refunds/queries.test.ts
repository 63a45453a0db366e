// Which refunds each statement finds and changes: beside the one that it is about, rows that differ in one column.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { refundOf } from '../../test/settlement-view.ts'
import * as opens from './due-queries.ts'
import { searchRefunds } from './find-queries.ts'
import * as queries from './queries.ts'

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
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
const disputed = { merchant_id: ours, payment_id: payment, connection: bank, paid_ref: 'e1', status: 'OPEN' }

test('a merchant lists its own refunds by id, payment, currency and state', async () => {
  const rows = [
    { ...row, id: bareId(31) },
    { ...row, id: bareId(32), payment_id: otherPayment },
    { ...row, id: bareId(33), currency: 'EUR' },
    { ...row, id: bareId(34), status: 'FAILED' },
    { ...row, id: bareId(35), merchant_id: theirs },
    { ...row, id: bareId(31), merchant_id: theirs },
  ]
  await onRows(sql, { merchant, refund: rows }, async (tx) => {
    const find = async (filter: object) =>
      idsOf(await queries.listRefunds(tx, ours, { limit: 9, ...filter })).map((id) => Number(id.slice(-2)))
    const cases = [
      [{}, [34, 33, 32, 31]],
      [{ id: bareId(32) }, [32]],
      [{ id: bareId(35) }, []],
      [{ id: bareId(31), paymentId: otherPayment }, []],
      [{ paymentId: payment }, [34, 33, 31]],
      [{ paymentId: payment, currency: 'BRL' }, [34, 31]],
      [{ paymentId: payment, status: 'PENDING' }, [33, 31]],
      [{ currency: 'BRL', status: 'PENDING' }, [32, 31]],
    ] as const
    for (const [filter, found] of cases) assert.deepEqual(await find(filter), found, JSON.stringify(filter))
  })
})

test('refunds are searched within the payments that a Pix paid, and within the span', async () => {
  const rows = [
    ...[31, 32, 33, 34].map((number) => ({ ...row, id: bareId(number), amount_minor: 5 })),
    { ...row, id: bareId(35), payment_id: otherPayment, amount_minor: 5 },
    { ...row, id: bareId(36), merchant_id: theirs, amount_minor: 5 },
  ]
  await onRows(sql, { merchant, refund: rows }, async (tx) => {
    const find = (filter: object) => searchRefunds(tx, ours, { limit: 9, ...filter }, [payment])
    const found = await find({ endToEndId: 'e1' })
    assert.deepEqual(
      JSON.stringify(found)
        .match(/\d{12}(?=")/g)
        ?.map(Number),
      [34, 33, 32, 31],
    )
    const before = await find({ endToEndId: 'e1', before: bareId(33) })
    assert.deepEqual(
      JSON.stringify(before)
        .match(/\d{12}(?=")/g)
        ?.map(Number),
      [32, 31],
    )
    const ofPayment = await find({ amountMinor: 5n, paymentId: otherPayment })
    assert.deepEqual(
      JSON.stringify(ofPayment)
        .match(/\d{12}(?=")/g)
        ?.map(Number),
      [35],
    )
    assert.equal(await find({ paymentId: payment }), undefined)
  })
})

test('a page of a search is full of the merchant’s own refunds, and says where it continues only before more of the span', async () => {
  const foreign = { ...row, merchant_id: theirs }
  const rows = [
    { ...row, id: '01990000-0000-7000-8000-000000000001', created_at: '2025-08-31T00:00:00Z' },
    ...[31, 32].map((number) => ({ ...row, id: bareId(number) })),
    ...[33, 34].map((number) => ({ ...foreign, id: bareId(number) })),
  ]
  await onRows(sql, { merchant, refund: rows }, async (tx) => {
    const find = (filter: object) =>
      searchRefunds(tx, ours, { limit: 2, endToEndId: 'e1', ...filter }, [payment])
    const [older, newer] = [bareId(31), bareId(32)]
    assert.deepEqual(await find({ limit: 1 }), { ids: [newer], next: newer })
    assert.deepEqual(await find({}), { ids: [newer, older], next: older })
    assert.deepEqual(await find({ from: new Date('2025-10-01T00:00:00Z') }), { ids: [newer, older] })
  })
})

test('a key names one refund of one merchant; a restore took back what it marked', async () => {
  const rows = [
    { ...row, idempotency_key: 'k', left_before_restore: true },
    { ...row, id: second, idempotency_key: 'l', left_before_restore: true },
    { ...row, id: third, idempotency_key: 'k', merchant_id: theirs },
  ]
  await onRows(sql, { merchant, refund: rows }, async (tx) => {
    const found = await queries.selectByKeys(tx, [{ merchantId: ours, key: 'k' }])
    assert.deepEqual(
      found.map((each) => each.refund.id),
      [first],
    )
    assert.deepEqual([...(await queries.selectDeparted(tx, [first, third]))], [first])
  })
})

test('what is left of a piece is without refunds and disputes of the same payment and piece', async () => {
  const receipt = {
    merchant_id: ours,
    payment_id: payment,
    attempt_id: bareId(41),
    connection: bank,
    provider_ref: 'e1',
    currency: 'BRL',
    outcome: 'paid',
    booked_minor: 100,
    happened_at: past,
    recorded_at: past,
    is_duplicate: false,
  }
  const attempt = { merchant_id: ours, payment_id: payment, id: bareId(41), method: 'PIX' }
  const money = { ...row, amount_minor: 7 }
  const others = [{ payment_id: otherPayment }, { connection: 'other' }, { paid_ref: 'e2' }] as const
  const tables = {
    payment: [
      { merchant_id: ours, id: otherPayment },
      { merchant_id: ours, id: payment },
    ],
    attempt: [{ ...attempt, id: bareId(42), method: 'CARD' }, attempt],
    receipt: [
      { ...receipt, ordinal: 1 },
      { ...receipt, ordinal: 2, outcome: 'seen' },
      { ...receipt, ordinal: 3, payment_id: otherPayment, provider_ref: 'e3' },
    ],
    refund: [
      money,
      ...beside(
        { ...money, id: second, amount_minor: 50 },
        { status: 'FAILED' },
        { merchant_id: theirs },
        ...others,
      ),
    ],
    dispute: [
      { ...disputed, amount_minor: 3 },
      ...beside({ ...disputed, amount_minor: 50 }, { status: 'WON' }, ...others),
    ],
  }
  const wanted = [
    { merchantId: ours, paymentId: payment },
    { merchantId: ours, paymentId: otherPayment },
  ]
  const found = await onRows(sql, tables, (tx) => queries.selectPieces(tx, wanted))
  assert.deepEqual(
    found
      .toSorted((a, b) => a.ordinal - b.ordinal)
      .map(({ paymentId, attemptId, method, ordinal, leftMinor }) => [
        [paymentId, attemptId, method],
        [ordinal, leftMinor],
      ]),
    [
      [
        [payment, bareId(41) as AttemptId, 'PIX'],
        [1, 90n],
      ],
      [
        [otherPayment, bareId(41) as AttemptId, 'PIX'],
        [3, 100n],
      ],
    ],
  )
})

test('of a payment with very many receipts only the first thousand and the last thousand are read', async () => {
  const receipt = {
    merchant_id: ours,
    payment_id: payment,
    attempt_id: bareId(41),
    connection: bank,
    outcome: 'paid',
    booked_minor: 1,
  }
  const tables = {
    payment: [{ merchant_id: ours, id: payment }],
    attempt: [{ merchant_id: ours, payment_id: payment, id: bareId(41), method: 'PIX' }],
    receipt: Array.from({ length: 2_002 }, (_, index) => ({
      ...receipt,
      ordinal: index + 1,
      provider_ref: `e${index}`,
    })),
    refund: [],
    dispute: [],
  }
  const wanted = [{ merchantId: ours, paymentId: payment }]
  const found = await onRows(sql, tables, (tx) => queries.selectPieces(tx, wanted))
  const unread = new Set([1_001, 1_002])
  assert.equal(found.length, 2_000)
  assert.equal(
    found.find(({ ordinal }) => unread.has(ordinal)),
    undefined,
  )
})

test('only refunds of the piece that nobody claimed are locked as unsent', async () => {
  const tables = {
    refund: [row, { ...row, id: second }, { ...row, id: third, paid_ref: 'e2' }],
    refund_due: [due, { ...due, refund_id: second, sends: 1 }, { ...due, refund_id: third }],
  }
  const piece = { merchantId: ours, paymentId: payment, connection: bank, paidRef: 'e1' }
  const found = await onRows(sql, tables, (tx) => queries.lockUnsent(tx, [piece]))
  assert.deepEqual([...found], [first])
})

test('a refund is written alone; it is due now, waits for the end of a dispute, or is due no more', async () => {
  const others = [
    { ...due, refund_id: second, due_at: future },
    { ...due, merchant_id: theirs, due_at: future },
  ]
  const cases = [
    [{}, 'now'],
    [{ isHeldBack: true }, 'held back'],
    [{ approvalRequired: true }, 'gone'],
    [{ status: 'COMPLETED' }, 'gone'],
    [{ status: 'FAILED', approvalRequired: true }, 'gone'],
  ] as const
  for (const [change, expected] of cases) {
    const tables = {
      refund: [row, ...beside(row, { id: second }, { merchant_id: theirs })],
      refund_due: [{ ...due, due_at: future }, ...others],
    }
    await onRows(sql, tables, async (tx) => {
      await queries.writeRefunds(tx, [{ ...refund, ...change, version: 2 }])
      const written = await tx`select merchant_id, id from refund where version = 2`
      assert.deepEqual([...written], [{ merchant_id: ours, id: first }])
      const left = await tx<{ refund_id: string; at: string }[]>`
        select refund_id, case when due_at = 'infinity' then 'held back' when due_at < ${future} then 'now' else 'later' end as at
          from refund_due order by merchant_id, refund_id`
      const rest = ['later', 'later']
      assert.deepEqual(
        left.map(({ at }) => at),
        expected === 'gone' ? rest : [expected, ...rest],
        JSON.stringify(change),
      )
    })
  }
})

test('earlier refunds are of the same money, and were requested before', async () => {
  const before = '2026-11-21T00:00:00Z'
  const earlier = { ...row, id: second, created_at: before }
  const others = [
    { merchant_id: theirs },
    { payment_id: otherPayment },
    { connection: 'other' },
    { paid_ref: 'e2' },
  ]
  const rows = [
    row,
    earlier,
    ...beside({ ...earlier, id: third }, ...others, { created_at: future }),
    { ...row, id: bareId(10) },
  ]
  const asked = { ...refund, createdAt: new Date(past) }
  const found = await onRows(sql, { refund: rows }, (tx) => queries.selectEarlier(tx, asked))
  assert.deepEqual(idsOf(found), [second, bareId(10)])
})

test('open refunds are shown with their own sends; those that wait for a person come first', async () => {
  const tables = {
    merchant,
    refund: [row, { ...row, id: second, approval_required: true }, { ...row, id: third }],
    refund_due: [
      { ...due, sends: 3, unsent: 1 },
      { ...due, refund_id: third, due_at: '2026-11-21T00:00:00Z', sends: 1 },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    const find = async (limit: number) =>
      (await opens.selectOpen(tx, limit)).map(({ id, sends, unsent }) => [id, sends, unsent])
    const all = [
      [second, 0, 0],
      [third, 1, 0],
      [first, 3, 1],
    ]
    assert.deepEqual(await find(9), all)
    assert.deepEqual(await find(2), all.slice(0, 2))
    assert.deepEqual([...(await opens.lockSends(tx, [first, second]))], [[first, 2]])
  })
})
