// What changes while a batch of receipts is decided. It begins as it was loaded. Decisions only read it, and `applyChange` alone puts into it
// what they return (decision.ts).
import type { Dispute } from '#/disputes/dispute.ts'
import type { Id, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Closed } from '#/ledger/kind.ts'
import type { SplitView } from '#/payments/book-shares.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { WalletForMoney } from '#/wallets/create.ts'
import type { RecordAddition } from './placed.ts'
import type { RefundReport } from './queries.ts'

/** As decisions see it. */
export type Draft = Closed<OpenDraft>

/** As `applyChange` writes it. */
export type OpenDraft = {
  readonly payments: Map<PaymentId, Payment>
  /** The splits of those payments that have one. */
  readonly splits: Map<PaymentId, SplitView>
  /** The refunds that receipts name, and the refunds of disputed money. */
  readonly refunds: Map<RefundId, Refund>
  /** By connection and the provider's name. */
  readonly disputes: Map<string, Dispute>
  /** The amount of each piece that is disputed, and of those that came in this batch. */
  readonly pieces: Map<string, bigint>
  /**
   * The money of payments in a currency that is still to be released, including the part that was debited since: needed for
   * refunds that fail.
   */
  readonly withheld: Map<string, bigint>
  /** Money in suspense that receipts are about and nobody has decided, by its name. */
  readonly undecided: Map<string, UndecidedMoney>
  /** Receipts that were recorded: a second copy changes nothing. */
  readonly recorded: Set<string>
  /** Announced money, by its name: the minor units booked to pending. */
  readonly announced: Map<string, bigint>
  /** The names of money that is no longer on its way, or was final before its announcement came. */
  readonly ended: Set<string>
  /** The latest reports of each outcome of a refund, by the provider's name of the refund. */
  readonly reports: Map<string, readonly RefundReport[]>
  /** The wallets that the batch creates if it needs them, by merchant and currency. */
  readonly missing: Map<string, WalletForMoney>
  /** What the receipts of this batch add to the records of payments. */
  readonly additions: RecordAddition[]
}

/** Money in suspense. */
export type UndecidedMoney = { readonly unmatchedId: Id<'unmatched'>; readonly minor: bigint }
