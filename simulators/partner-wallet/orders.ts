// Orders: made, queried, paid and closed.
import { now } from '../kit/clock.ts'
import type { Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import { fail } from './errors.ts'
import { longNumber, openUserId, transactionId } from './ids.ts'
import { fixed, short } from './money.ts'
import { keyOf, statusOf, type Merchant, type Order } from './state.ts'
import { readOrderName, readTerms } from './terms.ts'
import type { Wallet } from './wallet.ts'

/** `POST /v3/order`. */
export function createOrder(wallet: Wallet, merchant: Merchant, body: Fields) {
  const { eventStore } = wallet
  const terms = readTerms(body)
  // A merchantTradeNo serves once, whatever the status of its order.
  if (eventStore.state.byTradeNo.has(keyOf(merchant.merchantId, terms.merchantTradeNo))) throw fail('400201')
  const at = now()
  const prepayId = longNumber(eventStore.seed, 'order', eventStore.state.counts.orders + 1)
  const livesMs = terms.expireTime - at
  eventStore.together(() => {
    const { merchantId } = merchant
    const dueAt = eventStore.clock() + livesMs
    eventStore.record({ type: 'order.created', at, merchantId, prepayId, terms, dueAt })
    eventStore.schedule(livesMs, { do: 'expire', prepayId })
  })
  const { currency, expireTime, terminalType } = terms
  const page = pageUrl(wallet, prepayId)
  return {
    prepayId,
    terminalType,
    expireTime,
    qrcodeLink: `${page}/qr.svg`,
    qrContent: page,
    checkoutUrl: page,
    deeplink: `bnc://app.binance.com/payment/secpay?tempToken=${prepayId}`,
    universalUrl: page,
    currency,
    totalFee: short(BigInt(terms.amount)),
  }
}

export function pageUrl({ publicUrl }: Wallet, prepayId: string): string {
  return `${publicUrl}/pay/${prepayId}`
}

/** `POST /v2/order/query`. Amounts are text with eight decimals. */
export function queryOrder(wallet: Wallet, merchant: Merchant, body: Fields) {
  const order = orderOf(wallet, merchant, body)
  const { merchantTradeNo, currency, passThroughInfo } = order.terms
  return {
    merchantId: merchant.merchantId,
    prepayId: order.prepayId,
    ...(order.payment === undefined ? {} : { transactionId: order.payment.transactionId }),
    merchantTradeNo,
    status: statusOf(order),
    currency,
    ...(order.payment === undefined ? {} : { openUserId: order.payment.openUserId }),
    ...given({ passThroughInfo }),
    ...(order.payment === undefined
      ? {}
      : { transactTime: order.payment.at, commission: '0', paymentInfo: paymentInfo(order) }),
    createTime: order.createdAt,
    orderAmount: fixed(order.amount),
  }
}

export function paymentInfo({ amount, terms }: Order) {
  const instruction = { currency: terms.currency, amount: fixed(amount), price: '1' }
  return { payMethod: 'funding', paymentInstructions: [instruction] }
}

/** `POST /order/close`: only before a payer has started or paid. PAY_CLOSED reports it. */
export function closeOrder(wallet: Wallet, merchant: Merchant, body: Fields): true {
  const order = orderOf(wallet, merchant, body)
  if (order.stage !== 'INITIAL') throw fail('400204')
  endOrder(wallet, order, 'CANCELED', 'merchant')
  return true
}

/** The merchant's order that the body names. */
function orderOf(wallet: Wallet, merchant: Merchant, body: Fields): Order {
  const name = readOrderName(body)
  const { orders, byTradeNo } = wallet.eventStore.state
  const order =
    'prepayId' in name ? orders.get(name.prepayId) : byTradeNo.get(keyOf(merchant.merchantId, name.tradeNo))
  if (order === undefined || order.merchant !== merchant) throw fail('400202')
  expireIfDue(wallet, order)
  return order
}

/** The order as it is now: it may be queried after it fell due and before its task runs. */
export function expireIfDue(wallet: Wallet, order: Order): void {
  if (order.stage === 'INITIAL' && wallet.eventStore.clock() >= order.dueAt)
    endOrder(wallet, order, 'EXPIRED', 'clock')
}

export function endOrder(
  wallet: Wallet,
  order: Order,
  status: 'CANCELED' | 'EXPIRED',
  by: 'merchant' | 'payer' | 'clock',
): void {
  wallet.eventStore.together(() => {
    wallet.eventStore.record({ type: 'order.ended', at: now(), prepayId: order.prepayId, status, by })
    wallet.webhooks.notifyOrder(order, 'PAY_CLOSED')
  })
}

export function payOrder({ eventStore, webhooks }: Wallet, order: Order): void {
  const n = eventStore.state.counts.payments + 1
  const { prepayId } = order
  eventStore.together(() => {
    const names = {
      transactionId: transactionId(eventStore.seed, n),
      openUserId: openUserId(eventStore.seed, n),
    }
    eventStore.record({ type: 'order.paid', at: now(), prepayId, ...names })
    webhooks.notifyOrder(order, 'PAY_SUCCESS')
  })
}
