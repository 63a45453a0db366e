// What is read of a payment before it is settled again: its receipts, its refunds and disputes, and what all of them moved.
import type { ReplayedDispute } from '#/audit/disputes-queries.ts'
import type { ReplayedRefund } from '#/audit/refunds-queries.ts'
import type { PaymentRow, ReceiptRow, ReleaseRow, TransferRow } from './queries.ts'

/** Where final money of a connection arrives: the name of the account. */
export type ArrivalOf = (connection: string, currency: string) => string

export type Family = {
  readonly payment: PaymentRow
  /** In the order of their ordinals. */
  readonly receipts: readonly ReceiptRow[]
  readonly refunds: readonly ReplayedRefund[]
  readonly disputes: readonly ReplayedDispute[]
  /** What waits, or waited, until its provider's settlement delay was over. */
  readonly releases: readonly ReleaseRow[]
  /** All transfers whose subject is the payment, one of its refunds, or one of its disputes. */
  readonly transfersOf: (subject: string) => readonly TransferRow[]
  readonly arrivalOf: ArrivalOf
  /** Whether this wallet is the payment's merchant's, in this currency. */
  readonly ownsWallet: (walletId: string, currency: string) => boolean
}

/** What a fault calls a receipt. */
export function receiptName({
  connection,
  providerRef,
  outcome,
  occurrence,
}: {
  readonly connection: string
  readonly providerRef: string
  readonly outcome: string
  readonly occurrence: number
}): string {
  return `receipt ${outcome} ${providerRef} (${occurrence}) of ${connection}`
}

/** A change of a sum of the payment, and the transfer that it came with. */
export type Change = { readonly number: bigint; readonly minor: bigint }
