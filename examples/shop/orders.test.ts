// However events come, an order ends in its last state and is fulfilled once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebhookEvent } from '@vintem/sdk'
import fc from 'fast-check'
import '../../test/sdk-source.ts'
import type { Orders } from './orders.ts'

const { openOrders } = await import('./orders.ts')

const cart = 'c-1'

function placed(): { readonly orders: Orders; readonly orderId: string } {
  const orders = openOrders(':memory:')
  orders.putInCart(cart, 'beans', 2)
  const order = orders.place(cart)
  assert.ok(order !== undefined)
  return { orders, orderId: order.id }
}

const news = (orderId: string, version: number, type: string, status: string) =>
  ({ type, data: { id: 'p-1', version, status, metadata: { orderId } } }) as unknown as WebhookEvent
const refund = (version: number, status: string) =>
  ({
    type: 'refund.completed',
    data: { id: 'r-1', paymentId: 'p-1', amount: 1000, status, version },
  }) as unknown as WebhookEvent

test('events that come twice, late and in any order leave one fulfilment, and the state of the newest', () => {
  const all = (id: string) => [
    news(id, 2, 'payment.underpaid', 'WAITING_PAYMENT'),
    news(id, 3, 'payment.expired', 'EXPIRED'),
    news(id, 4, 'payment.completed', 'PAID'),
    news(id, 5, 'payment.received_after_close', 'PAID'),
    refund(1, 'PENDING'),
    refund(2, 'COMPLETED'),
  ]
  fc.assert(
    fc.property(
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
      fc.array(fc.nat({ max: 5 })),
      (order, again) => {
        const { orders, orderId } = placed()
        const events = all(orderId)
        const sent = [...order, ...again].flatMap((nth) => events[nth] ?? [])
        orders.applyAll(sent.slice(0, 3), 3)
        for (const event of sent.slice(3)) orders.apply(event)
        const found = orders.find(orderId)
        assert.deepEqual([found?.status, found?.refunded, found?.fulfilledAt !== null], ['PAID', 1000, true])
        assert.equal(orders.position(), 3)
      },
    ),
    { numRuns: 200, seed: 20261128 },
  )
})

test('an order that is not PAID is not fulfilled, and a payment of somebody else changes nothing', () => {
  const { orders, orderId } = placed()
  orders.apply(news(orderId, 2, 'payment.underpaid', 'WAITING_PAYMENT'))
  orders.apply(news('another', 9, 'payment.completed', 'PAID'))
  assert.equal(orders.find(orderId)?.fulfilledAt, null)
})

test('what fails in the middle leaves neither the effect nor the position', () => {
  const { orders, orderId } = placed()
  const broken = { type: 'refund.completed', data: {} } as unknown as WebhookEvent
  assert.throws(() => orders.applyAll([news(orderId, 4, 'payment.completed', 'PAID'), broken], 9))
  assert.deepEqual([orders.find(orderId)?.status, orders.position()], ['NEW', 0])
})

test('an empty cart is no order, and a cart is empty after its order', () => {
  const { orders } = placed()
  assert.deepEqual(orders.linesOf(cart), [])
  assert.equal(orders.place(cart), undefined)
})

test('a refund that has ended makes room for another one, whichever way it ended', () => {
  const { orders, orderId } = placed()
  orders.apply(news(orderId, 4, 'payment.completed', 'PAID'))
  const ended = () => orders.find(orderId)?.refundsEnded
  assert.equal(ended(), 0)
  orders.apply(refund(1, 'PENDING'))
  assert.equal(ended(), 0)
  orders.apply(refund(2, 'FAILED'))
  assert.deepEqual([ended(), orders.find(orderId)?.refunded], [1, 0])
})
