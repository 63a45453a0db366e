// The wallet's events. The journal holds these and the events that an event store records itself; the state follows from them.
import type { EventsOf } from '../kit/event-store.ts'
import type * as kit from '../kit/outbox.ts'

export const permissions = ['orders', 'refunds'] as const
export type Permission = (typeof permissions)[number]

export type WebhookMode = kit.WebhookMode | 'before_response' | 'no_close'

export type RefundMode = 'done' | 'pending' | 'fail'

/** How webhooks and refunds go from now on. */
export type Modes = {
  readonly webhooks: WebhookMode
  readonly delaySeconds: number
  readonly refunds: RefundMode
  /** The payer's balance in the wallet before each payment, in units. */
  readonly payerBalance: string
}

/** An order's terms as its merchant wrote them; amounts are in units. */
export type Terms = {
  readonly merchantTradeNo: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly terminalType: string
  readonly goodsName: string
  readonly goodsType: string
  readonly expireTime: number
  readonly returnUrl?: string
  readonly cancelUrl?: string
  readonly webhookUrl?: string
  readonly passThroughInfo?: string
}

export type RefundStatus = 'REFUND_SUCCESS' | 'REFUND_FAIL' | 'REFUND_PENDING'

/** One notice to a merchant: a letter of the outbox. Its body is made once and stays the same over all attempts. */
export type Notice = {
  readonly prepayId: string
  readonly bizStatus: string
  readonly url: string
  readonly body: string
}

/** A task for later. It survives a restart. */
export type Task = kit.Delivery<Notice> | WalletTask

export type WalletTask =
  | { readonly do: 'expire'; readonly prepayId: string }
  | { readonly do: 'end-refund'; readonly refund: string; readonly status: RefundStatus }

/** What can happen, by type of event. */
export type Facts = {
  'merchant.created': { merchantId: number; name: string }
  'key.created': {
    merchantId: number
    apiKey: string
    apiSecret: string
    permissions: readonly Permission[]
  }
  'merchant.webhook': { merchantId: number; url: string }
  'merchant.suspended': { merchantId: number; suspended: boolean }
  'merchant.balance': { merchantId: number; balance: string }
  /** `dueAt`: by the wallet's clock. */
  'order.created': { merchantId: number; prepayId: string; terms: Terms; dueAt: number }
  /** The expiry of the merchant's open orders came closer. */
  'orders.moved': { merchantId: number; byMs: number }
  'order.begun': { prepayId: string }
  'order.short': { prepayId: string }
  'order.paid': { prepayId: string; transactionId: string; openUserId: string }
  'order.ended': {
    prepayId: string
    status: 'CANCELED' | 'EXPIRED'
    by: 'merchant' | 'payer' | 'clock'
  }
  'refund.requested': {
    merchantId: number
    prepayId: string
    refundId: string
    refundRequestId: string
    amount: string
    webhookUrl?: string
  }
  'refund.ended': { refund: string; status: RefundStatus }
  'modes.set': { modes: Modes }
  // Events that change nothing, for the log.
  'webhook.delivered': { prepayId: string; bizStatus: string }
  'webhook.failed': {
    prepayId: string
    bizStatus: string
    tried: number
    error: string
    givenUp: boolean
  }
  'webhook.lost': { prepayId: string; bizStatus: string }
  'certificate.rotated': { certSerial: string }
  'call.spoiled': { path: string; how: string }
}

export type Happening = EventsOf<Facts>
export type EventOf<Type extends keyof Facts> = Extract<Happening, { readonly type: Type }>
