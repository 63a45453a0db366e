// The words of rails: a method, an attempt at a payment, what is heard of it, and the connection by which.
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Money } from '#/kernel/money.ts'

export const methods = ['PIX', 'CREDIT_CARD', 'CRYPTO', 'PARTNER_PAY'] as const
export type Method = (typeof methods)[number]

/** One method tried for one payment. Its id is our reference at the provider, chosen before the first call. */
export type Attempt = {
  readonly id: AttemptId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly method: Method
  readonly connection: ConnectionId
  readonly amount: Money
}

/**
 * What a provider or chain says of an attempt.
 * - `seen`, `orphaned`: money on its way, not final, and its disappearance. `authorised`, `voided`: the same for cards.
 * - `paid`: final. - `declined`: the payer tried and it failed; nothing moves, and the attempt goes on.
 * - `refunded`, `refund_failed`: how a refund of ours ended. `refund_failed` may follow `refunded`: the money came back.
 * - `dispute_opened`, `dispute_taken`, `dispute_won`, `dispute_lost`: the payer wants the money back; the provider took
 *   it from us; the end, for us or against us.
 */
export const outcomes = [
  'seen',
  'orphaned',
  'authorised',
  'voided',
  'paid',
  'declined',
  'refunded',
  'refund_failed',
  'dispute_opened',
  'dispute_taken',
  'dispute_won',
  'dispute_lost',
] as const
export type Outcome = (typeof outcomes)[number]

/** Counts once: unique by (connection, providerRef, outcome, occurrence). */
export type Receipt = {
  readonly method: Method
  /** Whose it is. A provider knows our reference alone; absent when it names none of ours: that money is nobody's yet. */
  readonly attempt?: {
    readonly id: AttemptId
    readonly merchantId?: MerchantId
    readonly paymentId?: PaymentId
  }
  readonly connection: ConnectionId
  /** The provider's name for what happened: of the money, of the refund, or of the dispute. */
  readonly providerRef: string
  readonly outcome: Outcome
  /** 1 for the first time; the same thing can happen again, as when a block leaves the chain and comes back. */
  readonly occurrence: number
  /** Names the money on its way that this receipt announces (`seen`) or ends (`orphaned`, `paid`). */
  readonly pendingRef?: string
  /** Of a refund's outcome: our refund. */
  readonly refund?: RefundId
  /** Of a dispute's outcome: the `providerRef` of the money that it is about, and why the payer wants it back. */
  readonly dispute?: {
    readonly paidRef: string
    readonly kind: 'CHARGEBACK' | 'MED'
    readonly reason?: string
    /** What the provider charges us for it, beyond the amount, and until when it takes evidence. */
    readonly fee?: bigint
    readonly evidenceDueAt?: Date
  }
  readonly amount: Money
  /** Of what was captured of an authorisation: how much was authorised in all. */
  readonly authorised?: Money
  /** What the payer paid with, as the payment's record shows it, such as the brand of a card. */
  readonly means?: Readonly<Record<string, unknown>>
  /** The exact amount in the provider's own units, for a rail that keeps a ExactUnits. */
  readonly units?: bigint
  /** When it happened in the world, by the provider's clock. */
  readonly happenedAt: Date
  /** The exact bytes that say so. */
  readonly evidence: Buffer
  /** The on-chain transaction hash, where there is one. */
  readonly txHash?: string
  /** Why, in our words, when it is a failure. The provider's own are in the evidence. */
  readonly failure?: { readonly code: string; readonly message: string }
}

/** Raw bytes from outside (a callback, a block), kept before they are understood. */
export type Signal = {
  readonly connection: ConnectionId
  readonly receivedAt: Date
  readonly body: Buffer
}

export type PaymentRef = { readonly merchantId: MerchantId; readonly paymentId: PaymentId }

/** One arrival of money for a payment, by the provider's name of it. */
export type PieceRef = PaymentRef & { readonly connection: ConnectionId; readonly paidRef: string }

/** Credentials at one provider, opened. */
export type ProviderConnection = {
  readonly id: ConnectionId
  readonly mode: Mode
  /** What it is for: a payment method, or sending by one. */
  readonly method: string
  /** The provider's profile, such as `bacen` or `efi`. */
  readonly provider: string
  /** Absent: the operator's own, shared by all merchants of its mode. */
  readonly merchantId?: MerchantId
  /** What is no secret, as the rail reads it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What takes money in. */
  readonly secrets: Readonly<Record<string, unknown>>
  /** What sends money out: refunds. Only a worker can open it. */
  readonly refundSecrets?: Readonly<Record<string, unknown>>
}

/** The connections that are active now. */
export type ConnectionBook = {
  /** The merchant's own for the method, oldest first, and then the shared ones of its mode. */
  of(wish: {
    readonly method: string
    readonly mode: Mode
    readonly merchantId: MerchantId
  }): readonly ProviderConnection[]
  /** Also one that takes no new payments any more: its receipts still count. */
  find(id: ConnectionId): ProviderConnection | undefined
  /** All of a method: what is looked through for lost callbacks. */
  all(method: string): readonly ProviderConnection[]
}

/** Whether an authorised payment is captured by the provider at once, or when the merchant says so. */
export const captureModes = ['AUTOMATIC', 'MANUAL'] as const
export type CaptureMode = (typeof captureModes)[number]
