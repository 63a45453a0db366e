// What the replay of a payment reads: the payment, its receipts, refunds and disputes, and the transfers of all of them.
import type { ReplayedDispute } from '#/audit/disputes-queries.ts'
import type { ReplayedRefund } from '#/audit/refunds-queries.ts'
import type { ParentOf } from './parent-debt.ts'
import type { PaymentRow, ReceiptRow, ReleaseRow, ShareMove, TransferRow } from './queries.ts'

/** Where final money of a connection arrives: the name of the account. */
export type ArrivalOf = (connection: string, currency: string) => string

export type Family = {
  readonly payment: PaymentRow
  /** In the order of their ordinals. */
  readonly receipts: readonly ReceiptRow[]
  readonly refunds: readonly ReplayedRefund[]
  readonly disputes: readonly ReplayedDispute[]
  /** Money that waits, or waited, for the end of its provider's settlement delay. */
  readonly releases: readonly ReleaseRow[]
  /** The transfers of its shares that moved pending balances. */
  readonly shareMoves: readonly ShareMove[]
  /** All transfers whose subject is the payment, one of its refunds, or one of its disputes. */
  readonly transfersOf: (subject: string) => readonly TransferRow[]
  readonly arrivalOf: ArrivalOf
  readonly parentOf: ParentOf
  /** Whether this wallet belongs to the payment's merchant and has this currency. */
  readonly ownsWallet: (walletId: string, currency: string) => boolean
}

/** The name of a receipt in a fault. */
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
