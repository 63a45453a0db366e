// What a payment has by currency and method: sums, and what of them is kept in the column.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WalletId } from '#/kernel/id.ts'
import { bareId } from '../../test/bare-rows.ts'
import { partly } from '../../test/partly.ts'
import {
  keptMoney,
  methodIn,
  moneyOr,
  readMoney,
  receivedOf,
  withArrived,
  withMoney,
  type KeptMoney,
} from './money.ts'
import type { Payment, PaymentMoney } from './payment.ts'

const [one, two] = [bareId(1), bareId(2)] as [WalletId, WalletId]
const card = { method: 'CREDIT_CARD', receivedMinor: 40n, feeMinor: 4n } as const
const pix = { method: 'PIX', receivedMinor: 60n, feeMinor: 6n } as const
const dollars: PaymentMoney = {
  currency: 'USD',
  walletId: one,
  unreleasedMinor: 10n,
  refundedMinor: 5n,
  methods: [card],
}
const coins: PaymentMoney = { ...dollars, currency: 'USDT', walletId: two, methods: [pix] }

test('money that has not come is nothing, in the wallet that it would go to', () => {
  const none = { currency: 'USD', walletId: one, unreleasedMinor: 0n, refundedMinor: 0n, methods: [] }
  assert.deepEqual(moneyOr({ money: [coins] }, 'USD', one), none)
  assert.equal(moneyOr({ money: [coins, dollars] }, 'USD', two), dollars)
  assert.deepEqual(methodIn(dollars, 'PIX'), { method: 'PIX', receivedMinor: 0n, feeMinor: 0n })
})

test('what arrives is added to its method, and the payment’s sums are those of all its money', () => {
  const more = withArrived(dollars, 'CREDIT_CARD', { arrived: 7n, fee: 1n })
  assert.deepEqual(more.methods, [{ method: 'CREDIT_CARD', receivedMinor: 47n, feeMinor: 5n }])
  const other = withArrived(dollars, 'PIX', { arrived: 7n, fee: 1n })
  assert.deepEqual(other.methods, [card, { method: 'PIX', receivedMinor: 7n, feeMinor: 1n }])
  assert.deepEqual(
    [receivedOf(more), receivedOf(other), receivedOf({ ...dollars, methods: [] })],
    [47n, 47n, 0n],
  )
  const payment = partly<Payment>({ money: [dollars, coins] })
  const { money, unreleasedMinor, refundedMinor } = withMoney(payment, { ...dollars, unreleasedMinor: 3n })
  assert.deepEqual([money.length, unreleasedMinor, refundedMinor], [2, 13n, 10n])
})

test('the column keeps only what the payment’s sums do not say, and reads back the same', () => {
  const sums = { unreleasedMinor: 10n, refundedMinor: 5n, receivedMinor: 40n, feeMinor: 4n }
  const both = { ...dollars, methods: [card, pix] }
  const named = (method: string) => ({ method })
  const kept = (...money: readonly PaymentMoney[]): unknown => JSON.parse(keptMoney(money) ?? '[]')
  const [ofCard, ofPix] = [
    { method: 'CREDIT_CARD', received: '40', fee: '4' },
    { method: 'PIX', received: '60', fee: '6' },
  ]
  const rest = { unreleased: '10', refunded: '5' }
  assert.equal(keptMoney([]), undefined)
  assert.deepEqual(kept(dollars), [{ currency: 'USD', walletId: one, methods: [named('CREDIT_CARD')] }])
  assert.deepEqual(kept(both), [{ currency: 'USD', walletId: one, methods: [ofCard, ofPix] }])
  assert.deepEqual(kept(dollars, coins), [
    { currency: 'USD', walletId: one, ...rest, methods: [ofCard] },
    { currency: 'USDT', walletId: two, ...rest, methods: [ofPix] },
  ])
  for (const money of [[dollars], [both], [dollars, coins]])
    assert.deepEqual(readMoney(JSON.parse(keptMoney(money) ?? '[]') as KeptMoney, sums), money)
})
