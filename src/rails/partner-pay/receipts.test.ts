// What an order or a refund becomes in our books, by its status.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId, RefundId } from '#/kernel/id.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { isOpen, receiptsOfOrder, receiptsOfRefund, toReference } from './receipts.ts'
import type { Order, OrderStatus, Refund } from './wire.ts'

const connection = 'a1-x' as ConnectionId
const attempt = bareId(1) as AttemptId
const [createdAt, paidAt] = [new Date('2026-11-29T12:00:00Z'), new Date('2026-11-29T12:01:00Z')]
const evidence = Buffer.from('sent')
const money = { minor: 12_34n, currency: 'USDT' } as const
const order: Order = { prepayId: '7', tradeNo: toReference(attempt), amount: money, createdAt, paidAt }
const outcomesOf = (change: Partial<Order>) =>
  receiptsOfOrder(connection, { ...order, ...change }, evidence).map(({ outcome }) => outcome)

/** By status: whether it can still be paid, what it is to us, and to an order of another program. */
const byStatus: readonly (readonly [
  OrderStatus | undefined,
  isOpen: boolean,
  ours: string[],
  other: string[],
])[] = [
  [undefined, true, [], []],
  ['INITIAL', true, [], []],
  ['PENDING', true, [], []],
  ['PAID', false, ['paid'], ['paid']],
  ['CANCELED', false, ['declined'], []],
  ['ERROR', false, ['declined'], []],
  ['REFUNDING', false, ['paid'], ['paid']],
  ['REFUNDED', false, ['paid'], ['paid']],
  ['FULL_REFUNDED', false, ['paid'], ['paid']],
  ['EXPIRED', false, [], []],
]

test('an order has the receipts of its status, and those of another program only when money came', () => {
  for (const [status, open, ours, other] of byStatus) {
    const given = status === undefined ? {} : { status }
    assert.equal(isOpen({ ...order, ...given }), open, String(status))
    assert.deepEqual(outcomesOf(given), ours, String(status))
    assert.deepEqual(outcomesOf({ ...given, tradeNo: 'theirs' }), other, String(status))
  }
})

test('the money of an order is named by the order and counted once, at the instant of the payment', () => {
  const [paid] = receiptsOfOrder(connection, { ...order, status: 'PAID' }, evidence)
  assert.deepEqual(paid, {
    method: 'PARTNER_PAY',
    attempt: { id: attempt },
    connection,
    providerRef: '7',
    occurrence: 1,
    amount: money,
    happenedAt: paidAt,
    evidence,
    outcome: 'paid',
  })
  const { paidAt: _at, ...made } = order
  assert.deepEqual(
    receiptsOfOrder(connection, { ...made, status: 'CANCELED' }, evidence)[0]?.happenedAt,
    createdAt,
  )
})

test('a paid order without an amount or an instant is an error, neither money nor nothing', () => {
  const { amount: _amount, ...poor } = order
  const { createdAt: _createdAt, paidAt: _paidAt, ...timeless } = order
  const zero = { ...order, amount: { ...money, minor: 0n } }
  for (const each of [poor, timeless, zero])
    assert.throws(() => receiptsOfOrder(connection, { ...each, status: 'PAID' }, evidence), ProviderError)
  assert.equal(
    receiptsOfOrder(connection, { ...order, amount: { ...money, minor: 1n }, status: 'PAID' }, evidence)
      .length,
    1,
  )
})

test('a refund of ours has a receipt when it has ended', () => {
  const id = bareId(2) as RefundId
  const refund: Refund = {
    requestId: toReference(id),
    prepayId: '7',
    amount: 5n,
    refunded: 5n,
    orderAmount: 12_34n,
    attemptsLeft: 9,
  }
  const receiptsOf = (change: Partial<Refund>) =>
    receiptsOfRefund(
      { connection, providerRef: '7', attempt: { id: attempt } },
      { ...refund, ...change },
      { at: paidAt, evidence },
    )
  assert.deepEqual(receiptsOf({}), [])
  assert.deepEqual(receiptsOf({ status: 'REFUND_PENDING' }), [])
  assert.deepEqual(receiptsOf({ status: 'REFUND_SUCCESS', requestId: 'theirs' }), [])
  assert.equal(receiptsOf({ status: 'REFUND_FAIL' })[0]?.outcome, 'refund_failed')
  assert.deepEqual(receiptsOf({ status: 'REFUND_SUCCESS' }), [
    {
      method: 'PARTNER_PAY',
      attempt: { id: attempt },
      connection,
      providerRef: `7:${toReference(id)}`,
      occurrence: 1,
      refund: id,
      amount: { minor: 5n, currency: 'USDT' },
      happenedAt: paidAt,
      evidence,
      outcome: 'refunded',
    },
  ])
})
