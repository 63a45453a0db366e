// Refunds: at most ten of an order, and the tenth refunds all that is left.
import { now } from '../kit/clock.ts'
import type { Fields } from '../kit/fields.ts'
import { fail } from './errors.ts'
import type { RefundStatus } from './events.ts'
import { longNumber } from './ids.ts'
import { fixed } from './money.ts'
import { keyOf, refundedOf, type Merchant, type Order, type Refund } from './state.ts'
import { amountField, optional, required, text, url } from './terms.ts'
import { span, type Wallet } from './wallet.ts'

const attemptsMax = 10
/** How long a refund is under way. */
const workSeconds = 1

/** `POST /order/refund`. A repeated refundRequestId is answered with its refund, and does nothing. */
export function requestRefund(wallet: Wallet, merchant: Merchant, body: Fields) {
  const refundRequestId = required(body, 'refundRequestId', 64)
  const prepayId = required(body, 'prepayId', 19)
  const requested = amountField(body, 'refundAmount')
  const webhookUrl = url(body, 'webhookUrl')
  text(body, 'refundReason', 256)
  const { eventStore } = wallet
  const key = keyOf(merchant.merchantId, refundRequestId)
  const existing = eventStore.state.refunds.get(key)
  if (existing !== undefined) return sheet(existing, 'Y')
  const order = eventStore.state.orders.get(prepayId)
  if (order === undefined || order.merchant !== merchant) throw fail('400301')
  const amount = amountFor(order, requested)
  if (merchant.balance < amount) throw fail('400304')
  const refundId = longNumber(eventStore.seed, 'refund', eventStore.state.counts.refunds + 1)
  const { merchantId } = merchant
  eventStore.together(() => {
    eventStore.record({
      type: 'refund.requested',
      at: now(),
      merchantId,
      prepayId,
      refundId,
      refundRequestId,
      amount: amount.toString(),
      ...optional('webhookUrl', webhookUrl),
    })
    const { refunds } = eventStore.state.modes
    if (refunds === 'pending') return
    const status = refunds === 'done' ? 'REFUND_SUCCESS' : 'REFUND_FAIL'
    eventStore.schedule(span(wallet.options, workSeconds), { do: 'end-refund', refund: key, status })
  })
  const made = eventStore.state.refunds.get(key)
  if (made === undefined) throw fail('400000')
  return sheet(made, 'N')
}

/** `POST /order/refund/query`. */
export function queryRefund(wallet: Wallet, merchant: Merchant, body: Fields) {
  const refundRequestId = required(body, 'refundRequestId', 64)
  const found = wallet.eventStore.state.refunds.get(keyOf(merchant.merchantId, refundRequestId))
  if (found === undefined) throw fail('400202')
  const { duplicateRequest: _, ...shown } = sheet(found, 'N')
  return { ...shown, refundedCommission: '0', refundCommission: '0', refundStatus: found.status }
}

/** Ends a refund that is under way, and no other. Only its end is announced. */
export function endRefund({ eventStore, webhooks }: Wallet, refund: Refund, status: RefundStatus): void {
  if (refund.status !== 'REFUND_PENDING' || status === 'REFUND_PENDING') return
  eventStore.together(() => {
    const key = keyOf(refund.order.merchant.merchantId, refund.refundRequestId)
    eventStore.record({ type: 'refund.ended', at: now(), refund: key, status })
    webhooks.notifyRefund(refund)
  })
}

/** The refund as its answer shows it: `refundedAmount` is the sum that includes this one. */
export function sheet(refund: Refund, duplicateRequest: 'Y' | 'N') {
  const { order, refundId, refundRequestId, amount } = refund
  return {
    refundId,
    refundRequestId,
    prepayId: order.prepayId,
    orderAmount: fixed(order.amount),
    refundedAmount: fixed(refundedOf(order)),
    refundAmount: fixed(amount),
    remainingAttempts: attemptsMax - order.refunds.length,
    payerOpenId: order.payment?.openUserId ?? '',
    duplicateRequest,
  }
}

function amountFor(order: Order, requested: bigint): bigint {
  if (order.stage !== 'PAID') throw fail('400204')
  const left = order.amount - refundedOf(order)
  const attempts = attemptsMax - order.refunds.length
  if (attempts === 0) throw fail('400302')
  if (left === 0n) throw fail('400303')
  // The last attempt ignores the requested amount.
  if (attempts === 1) return left
  if (requested > left) throw fail('400303')
  return requested
}
