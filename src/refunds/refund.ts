// The refund: a record of its own, so that a paid payment never goes back. The states are a table.
import type { Method } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type {
  ApiKeyId,
  AttemptId,
  ConnectionId,
  MerchantId,
  PaymentId,
  RefundId,
  WalletId,
} from '#/kernel/id.ts'
import { amountToJson, type Currency } from '#/kernel/money.ts'
import type { StateTable } from '#/kernel/state.ts'
import type { Payment } from '#/payments/payment.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'

export const refundStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const
export type RefundStatus = (typeof refundStatuses)[number]

export type RefundEvent = 'done' | 'failed'

/**
 * - PENDING: held in the wallet, and its end is not known; with `approvalRequired` nobody sends it, and while a dispute over
 * its money is open it is held back. - COMPLETED: the provider gave the money back.
 * - FAILED: it did not, and the money is in the wallet again. A provider may take back either word: the money did what it
 *   says last.
 */
export const refundStates: StateTable<RefundStatus, RefundEvent> = {
  PENDING: { done: 'COMPLETED', failed: 'FAILED' },
  COMPLETED: { failed: 'FAILED' },
  FAILED: { done: 'COMPLETED' },
}

/** What a merchant asks for. Without an amount: all that can be given back. */
export type RefundRequest = {
  readonly amount?: number
  readonly reason?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** CRYPTO: where the money is to go. */
  readonly cryptoAddress?: string
}

export type Refund = {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly mode: Mode
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly method: Method
  readonly connection: ConnectionId
  /** The provider's name of the money that goes back. */
  readonly paidRef: string
  /** Where the money is held, and comes back to. */
  readonly walletId: WalletId
  readonly amountMinor: bigint
  /** A dispute over its money was opened before it was sent: nothing is set aside for it until that has ended. */
  readonly isHeldBack: boolean
  /** How much of it was held out of money that was not released yet. */
  readonly unreleasedMinor: bigint
  readonly currency: Currency
  readonly status: RefundStatus
  readonly reason?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly failure?: { readonly code: string; readonly message: string }
  /** Where it goes, when the rail sends it: fields of the record. */
  readonly destination?: Readonly<Record<string, string>>
  readonly txHash?: string
  /** By what it leaves, when we send it: it counts to the merchant's limits of such withdrawals. */
  readonly payoutType?: PayoutType
  /** Absent of a refund from before keys were kept. */
  readonly requestedBy?: ApiKeyId
  /** Who decided last. */
  readonly decidedBy?: ApiKeyId
  /** It is sent by nobody until a second person approves. */
  readonly approvalRequired: boolean
  readonly version: number
  readonly createdAt: Date
  readonly completedAt?: Date
}

/** The refund as the API shows it: of its GET, of lists, and of webhooks. */
export function refundRecord(refund: Refund): Readonly<Record<string, unknown>> {
  const { reason, metadata, failure, destination, txHash, completedAt } = refund
  return {
    id: refund.id,
    mode: refund.mode,
    paymentId: refund.paymentId,
    status: refund.status,
    amount: amountToJson(refund.amountMinor),
    currency: refund.currency,
    ...destination,
    ...(txHash === undefined ? {} : { txHash }),
    ...(reason === undefined ? {} : { reason }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(refund.approvalRequired ? { approvalRequired: true } : {}),
    ...(failure === undefined ? {} : { failureCode: failure.code, failureMessage: failure.message }),
    createdAt: refund.createdAt.toISOString(),
    ...(completedAt === undefined ? {} : { completedAt: completedAt.toISOString() }),
    version: refund.version,
  }
}

/** What the merchant is told of a refund, where the payment's own news go. */
export function refundEvent(
  type: 'refund.created' | 'refund.completed' | 'refund.failed',
  refund: Refund,
  { request: { webhookUrl } }: Pick<Payment, 'request'>,
): EventDraft {
  return {
    merchantId: refund.merchantId,
    mode: refund.mode,
    type,
    resourceId: refund.id,
    data: refundRecord(refund),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  }
}
