// The wallet's memory, and the one function that changes it.
import { present } from '../kit/event-store.ts'
import { given } from '../kit/given.ts'
import type { EventOf, Facts, Happening, Modes, RefundStatus, Terms } from './events.ts'

export type Merchant = {
  readonly merchantId: number
  readonly name: string
  /** Where notices go that name no address of their own. */
  webhookUrl?: string
  suspended: boolean
  /** In units. */
  balance: bigint
}

export type Key = Readonly<Omit<Facts['key.created'], 'merchantId'>> & { readonly merchant: Merchant }

export type OrderStatus =
  | 'INITIAL'
  | 'PENDING'
  | 'PAID'
  | 'CANCELED'
  | 'REFUNDING'
  | 'REFUNDED'
  | 'FULL_REFUNDED'
  | 'EXPIRED'

export type Order = {
  readonly merchant: Merchant
  readonly prepayId: string
  readonly terms: Terms
  readonly amount: bigint
  readonly createdAt: number
  /** When it expires, by the wallet's clock. */
  dueAt: number
  /** The order's stage without its refunds: see `statusOf`. */
  stage: 'INITIAL' | 'PENDING' | 'PAID' | 'CANCELED' | 'EXPIRED'
  /** The payer's last attempt failed for lack of money. */
  short: boolean
  payment?: { readonly transactionId: string; readonly openUserId: string; readonly at: number }
  endedBy?: 'merchant' | 'payer' | 'clock'
  readonly refunds: Refund[]
}

export type Refund = Pick<EventOf<'refund.requested'>, 'refundId' | 'refundRequestId' | 'webhookUrl'> & {
  readonly order: Order
  readonly amount: bigint
  status: RefundStatus
}

export type State = {
  readonly merchants: Map<number, Merchant>
  readonly keys: Map<string, Key>
  readonly orders: Map<string, Order>
  /** By merchant and merchantTradeNo. */
  readonly byTradeNo: Map<string, Order>
  /** By merchant and refundRequestId. */
  readonly refunds: Map<string, Refund>
  modes: Modes
  /** How many of each kind there ever were: the next name is made from it. */
  readonly counts: { merchants: number; orders: number; payments: number; refunds: number }
}

const usualModes: Modes = {
  webhooks: 'normal',
  delaySeconds: 30,
  refunds: 'done',
  payerBalance: (10_000n * 10n ** 8n).toString(),
}

export function emptyState(): State {
  return {
    merchants: new Map(),
    keys: new Map(),
    orders: new Map(),
    byTradeNo: new Map(),
    refunds: new Map(),
    modes: usualModes,
    counts: { merchants: 0, orders: 0, payments: 0, refunds: 0 },
  }
}

export function keyOf(merchantId: number, id: string): string {
  return `${merchantId}\n${id}`
}

/** The status that merchants see: for a paid order it depends on how much was refunded. */
export function statusOf(order: Order): OrderStatus {
  if (order.stage !== 'PAID') return order.stage
  if (order.refunds.some(({ status }) => status === 'REFUND_PENDING')) return 'REFUNDING'
  const back = refundedOf(order)
  if (back === 0n) return 'PAID'
  return back === order.amount ? 'FULL_REFUNDED' : 'REFUNDED'
}

/** The sum of refunds, done or under way, in units. */
export function refundedOf({ refunds }: Order): bigint {
  return refunds.reduce((sum, { status, amount }) => (status === 'REFUND_FAIL' ? sum : sum + amount), 0n)
}

/** The merchant's orders that no payer has paid and that are not over. */
export function openOrdersOf(state: State, merchantId: number): readonly Order[] {
  return [...state.orders.values()].filter(
    ({ merchant, stage }) =>
      merchant.merchantId === merchantId && (stage === 'INITIAL' || stage === 'PENDING'),
  )
}

export function apply(state: State, event: Happening): void {
  switch (event.type) {
    case 'merchant.created':
    case 'key.created':
    case 'merchant.webhook':
    case 'merchant.suspended':
    case 'merchant.balance':
      return applyToMerchant(state, event)
    case 'order.created':
      return addOrder(state, event)
    case 'orders.moved':
      for (const order of openOrdersOf(state, event.merchantId)) order.dueAt -= event.byMs
      return
    case 'order.begun':
    case 'order.short':
    case 'order.paid':
    case 'order.ended':
      return applyToOrder(state, event)
    case 'refund.requested':
    case 'refund.ended':
      return applyToRefund(state, event)
    case 'webhook.delivered':
    case 'webhook.failed':
    case 'webhook.lost':
    case 'certificate.rotated':
    case 'call.spoiled':
      // Kept for the log: the state does not change.
      return
    case 'modes.set':
      state.modes = event.modes
  }
}

function applyToMerchant(
  state: State,
  event: EventOf<
    'merchant.created' | 'key.created' | 'merchant.webhook' | 'merchant.suspended' | 'merchant.balance'
  >,
): void {
  const { merchantId } = event
  if (event.type === 'merchant.created') {
    state.counts.merchants += 1
    state.merchants.set(merchantId, { merchantId, name: event.name, suspended: false, balance: 0n })
    return
  }
  const merchant = present(state.merchants.get(merchantId))
  switch (event.type) {
    case 'key.created': {
      const { type: _, at: __, merchantId: ___, ...key } = event
      state.keys.set(key.apiKey, { ...key, merchant })
      return
    }
    case 'merchant.webhook':
      merchant.webhookUrl = event.url
      return
    case 'merchant.suspended':
      merchant.suspended = event.suspended
      return
    case 'merchant.balance':
      merchant.balance = BigInt(event.balance)
  }
}

function addOrder(state: State, event: EventOf<'order.created'>): void {
  const { merchantId, prepayId, terms, dueAt, at: createdAt } = event
  state.counts.orders += 1
  const merchant = present(state.merchants.get(merchantId))
  const amount = BigInt(terms.amount)
  const order: Order = {
    merchant,
    prepayId,
    terms,
    amount,
    createdAt,
    dueAt,
    stage: 'INITIAL',
    short: false,
    refunds: [],
  }
  state.orders.set(prepayId, order)
  state.byTradeNo.set(keyOf(merchantId, terms.merchantTradeNo), order)
}

function applyToOrder(
  state: State,
  event: EventOf<'order.begun' | 'order.short' | 'order.paid' | 'order.ended'>,
): void {
  const order = present(state.orders.get(event.prepayId))
  switch (event.type) {
    case 'order.begun':
      order.stage = 'PENDING'
      order.short = false
      return
    case 'order.short':
      order.stage = 'INITIAL'
      order.short = true
      return
    case 'order.paid': {
      const { transactionId, openUserId, at } = event
      state.counts.payments += 1
      order.stage = 'PAID'
      order.short = false
      order.payment = { transactionId, openUserId, at }
      order.merchant.balance += order.amount
      return
    }
    case 'order.ended':
      order.stage = event.status
      order.short = false
      order.endedBy = event.by
  }
}

function applyToRefund(state: State, event: EventOf<'refund.requested' | 'refund.ended'>): void {
  if (event.type === 'refund.requested') {
    const { merchantId, prepayId, refundId, refundRequestId, webhookUrl } = event
    const order = present(state.orders.get(prepayId))
    state.counts.refunds += 1
    const names = { refundId, refundRequestId, ...given({ webhookUrl }) }
    const refund: Refund = { ...names, order, amount: BigInt(event.amount), status: 'REFUND_PENDING' }
    order.merchant.balance -= refund.amount
    order.refunds.push(refund)
    state.refunds.set(keyOf(merchantId, refundRequestId), refund)
    return
  }
  const refund = present(state.refunds.get(event.refund))
  refund.status = event.status
  if (event.status === 'REFUND_FAIL') refund.order.merchant.balance += refund.amount
}
