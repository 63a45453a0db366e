// The wallet's events. The journal holds these and the events that an event store records itself; the state follows from them.
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

type At = { readonly at: number }

export type Happening =
  | (At & { readonly type: 'merchant.created'; readonly merchantId: number; readonly name: string })
  | (At & {
      readonly type: 'key.created'
      readonly merchantId: number
      readonly apiKey: string
      readonly apiSecret: string
      readonly permissions: readonly Permission[]
    })
  | (At & { readonly type: 'merchant.webhook'; readonly merchantId: number; readonly url: string })
  | (At & { readonly type: 'merchant.suspended'; readonly merchantId: number; readonly suspended: boolean })
  | (At & { readonly type: 'merchant.balance'; readonly merchantId: number; readonly balance: string })
  | (At & {
      readonly type: 'order.created'
      readonly merchantId: number
      readonly prepayId: string
      readonly terms: Terms
      /** By the wallet's clock. */
      readonly dueAt: number
    })
  // The expiry of the merchant's open orders came closer.
  | (At & { readonly type: 'orders.moved'; readonly merchantId: number; readonly byMs: number })
  | (At & { readonly type: 'order.begun'; readonly prepayId: string })
  | (At & { readonly type: 'order.short'; readonly prepayId: string })
  | (At & {
      readonly type: 'order.paid'
      readonly prepayId: string
      readonly transactionId: string
      readonly openUserId: string
    })
  | (At & {
      readonly type: 'order.ended'
      readonly prepayId: string
      readonly status: 'CANCELED' | 'EXPIRED'
      readonly by: 'merchant' | 'payer' | 'clock'
    })
  | (At & {
      readonly type: 'refund.requested'
      readonly merchantId: number
      readonly prepayId: string
      readonly refundId: string
      readonly refundRequestId: string
      readonly amount: string
      readonly webhookUrl?: string
    })
  | (At & { readonly type: 'refund.ended'; readonly refund: string; readonly status: RefundStatus })
  | (At & { readonly type: 'modes.set'; readonly modes: Modes })
  // Events that change nothing, for the log.
  | (At & { readonly type: 'webhook.delivered'; readonly prepayId: string; readonly bizStatus: string })
  | (At & {
      readonly type: 'webhook.failed'
      readonly prepayId: string
      readonly bizStatus: string
      readonly tried: number
      readonly error: string
      readonly givenUp: boolean
    })
  | (At & { readonly type: 'webhook.lost'; readonly prepayId: string; readonly bizStatus: string })
  | (At & { readonly type: 'certificate.rotated'; readonly certSerial: string })
  | (At & { readonly type: 'call.spoiled'; readonly path: string; readonly how: string })
