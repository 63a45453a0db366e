// The refund: a record of its own, so that a PAID payment stays PAID. The states are a table.
import { recordOf, type Of, type Sent } from '#/contract/record.ts'
import type { refund as shown, refundRequest, refundStatuses } from '#/contract/refunds.ts'
import { given } from '#/kernel/given.ts'
import type {
  ApiKeyId,
  AttemptId,
  ConnectionId,
  MerchantId,
  PaymentId,
  RefundId,
  WalletId,
} from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountToJson, type Currency } from '#/kernel/money.ts'
import type { StateTable } from '#/kernel/state.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'

export type RefundStatus = (typeof refundStatuses)[number]

export type RefundEvent = 'done' | 'failed'

/**
 * - PENDING: the money is held in the wallet, and the end is not known. With `approvalRequired` the refund is not sent, and
 *   while a dispute over its money is OPEN it is held back.
 * - COMPLETED: the provider refunded the money.
 * - FAILED: the provider did not, and the money is in the wallet again.
 *
 * A provider may revoke either end: its answer to the last query counts.
 */
export const refundStates: StateTable<RefundStatus, RefundEvent> = {
  PENDING: { done: 'COMPLETED', failed: 'FAILED' },
  COMPLETED: { failed: 'FAILED' },
  FAILED: { done: 'COMPLETED' },
}

/** What a merchant requests. Default of the amount: all that can be refunded. */
export type RefundRequest = Omit<Sent<typeof refundRequest>, 'idempotencyKey'>

/** The fields of the record that say where the money goes. */
export type RefundDestination = Pick<
  Of<typeof shown>,
  'cryptoAddress' | 'cryptoNetwork' | 'cryptoCurrency' | 'iban' | 'beneficiary'
>

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
  /** The wallet in which the money is held, and to which it returns after a failure. */
  readonly walletId: WalletId
  readonly amountMinor: bigint
  /** A dispute over its money was opened before it was sent: nothing is held for it until the dispute has ended. */
  readonly isHeldBack: boolean
  /** How much of it was held from unreleased money. */
  readonly unreleasedMinor: bigint
  readonly currency: Currency
  readonly status: RefundStatus
  readonly reason?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly failure?: { readonly code: string; readonly message: string }
  /** The destination, when the rail sends it. */
  readonly destination?: RefundDestination
  readonly txHash?: string
  /** The kind of payout, when we send it: it counts to the merchant's limits of such withdrawals. */
  readonly payoutType?: PayoutType
  /** Absent for refunds from before this column. */
  readonly requestedBy?: ApiKeyId
  /** The key that decided last. */
  readonly decidedBy?: ApiKeyId
  /** It is not sent until a second person approves it. */
  readonly approvalRequired: boolean
  readonly version: number
  readonly createdAt: Date
  readonly completedAt?: Date
}

/** The refund as the API shows it in GET, lists and webhooks. */
export function refundRecord(refund: Refund): Of<typeof shown> {
  const { failure, destination } = refund
  return {
    ...recordOf<typeof shown, keyof RefundDestination | 'payment'>({
      id: refund.id,
      mode: refund.mode,
      paymentId: refund.paymentId,
      status: refund.status,
      amount: amountToJson(refund.amountMinor),
      currency: refund.currency,
      txHash: refund.txHash,
      reason: refund.reason,
      metadata: refund.metadata,
      approvalRequired: refund.approvalRequired || undefined,
      failureCode: failure?.code,
      failureMessage: failure?.message,
      createdAt: refund.createdAt.toISOString(),
      completedAt: refund.completedAt?.toISOString(),
      version: refund.version,
    }),
    ...destination,
  }
}

/** An event of a refund. It goes to the payment's webhook URL. */
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
    ...given({ webhookUrl }),
  }
}
