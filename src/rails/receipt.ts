// What rails report: receipts, and the signals from which they are read.
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Money } from '#/kernel/money.ts'
import type { Method } from './method.ts'

/**
 * What a provider or chain reports of an attempt.
 * - `seen`, `orphaned`: money on its way, not final, and its disappearance. `authorised`, `voided`: the same for cards.
 * - `paid`: final.
 * - `declined`: the payer tried and it failed; nothing moves, and the attempt goes on.
 * - `refunded`, `refund_failed`: how a refund of ours ended. `refund_failed` may follow `refunded`: the money came back.
 * - `dispute_opened`: the payer wants the money back.
 * - `dispute_taken`: the provider took it from us.
 * - `dispute_won`, `dispute_lost`: the end, for us or against us.
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
  /**
   * The attempt that the receipt belongs to. A provider knows only our reference. Absent: the provider names no reference of ours,
   * so the money is not attributed.
   */
  readonly attempt?: {
    readonly id: AttemptId
    readonly merchantId?: MerchantId
    readonly paymentId?: PaymentId
    /** A restore lost it: the books do not have it, and its money goes to suspense. */
    readonly isLost?: true
  }
  readonly connection: ConnectionId
  /** The provider's name for the money, the refund or the dispute. */
  readonly providerRef: string
  readonly outcome: Outcome
  /** 1 for the first time. The same thing can happen again, as when a block leaves the chain and comes back. */
  readonly occurrence: number
  /** Names the money on its way that this receipt announces (`seen`) or ends (`orphaned`, `paid`). */
  readonly pendingRef?: string
  /** For a refund's outcome: our refund. */
  readonly refund?: RefundId
  /** For a dispute's outcome: the `providerRef` of the disputed money, and why the payer wants it back. */
  readonly dispute?: {
    readonly paidRef: string
    readonly kind: 'CHARGEBACK' | 'MED' | 'RECALL'
    readonly reason?: string
    /** The fee that the provider charges us for it, beyond the amount, and until when it accepts evidence. */
    readonly fee?: bigint
    readonly evidenceDueAt?: Date
  }
  readonly amount: Money
  /** For a capture: the total amount that was authorised. */
  readonly authorised?: Money
  /** What the payer paid with, as the payment's record shows it, such as the brand of a card. */
  readonly means?: Readonly<Record<string, unknown>>
  /** The exact amount in the provider's own units, for a rail that keeps ExactUnits. */
  readonly units?: bigint
  /** When it happened, by the provider's clock. */
  readonly happenedAt: Date
  /** The exact bytes of the report. */
  readonly evidence: Buffer
  /** The hash of the tx on the chain, where there is one. */
  readonly txHash?: string
  /** Why it failed, in our words. The provider's own are in the evidence. */
  readonly failure?: { readonly code: string; readonly message: string }
}

/** Raw bytes from outside (a callback, a block), kept before they are understood. */
export type Signal = {
  readonly connection: ConnectionId
  readonly receivedAt: Date
  readonly body: Buffer
}
