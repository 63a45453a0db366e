// What each recipient of a split gets of a payment: a pure function of the base, which is the part of the payment's amount that the
// payment holds. The audit recomputes it with a function of its own (audit/settlement/split.ts).
import { recordOf, type Of } from '#/contract/record.ts'
import type { share } from '#/contract/shares.ts'
import type { ConnectionId, Id, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { maxOf, minOf, type Currency, amountToJson } from '#/kernel/money.ts'
import type { PieceRef } from '#/rails/attempt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Payment } from './payment.ts'

export type SplitId = Id<'payment-split'>
export type ShareId = Id<'payment-share'>

/** Percent in millionths, or a fixed amount of minor units when all is paid. */
export type ShareTerms = { readonly amountMinor: bigint | null; readonly ratePpm: bigint | null }

export type Share = ShareTerms & {
  readonly id: ShareId
  readonly ordinal: number
  readonly subAccountId: MerchantId
  readonly walletId: WalletId
  readonly label: string | null
  /** What the books have given, less what went back. */
  readonly bookedMinor: bigint
  /** What of it waits for a settlement delay, in the recipient's pending balance. */
  readonly unreleasedMinor: bigint
  /** What the platform kept of the share, because it came when the sub-account was closed; less what went back. */
  readonly keptMinor: bigint
  /** Whether the sub-account is CLOSED now, which is for good. */
  readonly isClosed: boolean
  /** What it has paid of our fee. */
  readonly feeMinor: bigint
}

export type Split = {
  readonly id: SplitId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly currency: Currency
  /** Absent: the platform. */
  readonly feePayer: MerchantId | null
  /** Money that came when the payment was PAID already, and did not go back. */
  readonly duplicateMinor: bigint
  /**
   * Money that waits for a settlement delay and is not shared yet, before our fee: what came before migration 71. Its shares are given
   * at its release.
   */
  readonly waitingMinor: bigint
  readonly version: number
  readonly createdAt: Date
  readonly shares: readonly Share[]
}

/** One million millionths. */
const whole = 1_000_000n

/**
 * The base: received − refunded − disputed, at most the amount of the payment, without duplicates and without money that is not shared
 * yet. Never negative.
 */
export function baseOf(
  {
    amountMinor,
    receivedMinor,
    refundedMinor,
    disputedMinor,
  }: Pick<Payment, 'amountMinor' | 'receivedMinor' | 'refundedMinor' | 'disputedMinor'>,
  { duplicateMinor, waitingMinor }: Pick<Split, 'duplicateMinor' | 'waitingMinor'>,
): bigint {
  const kept = receivedMinor - refundedMinor - disputedMinor
  return maxOf(minOf(amountMinor, minOf(kept - duplicateMinor, kept - waitingMinor)), 0n)
}

/** The share of a base, rounded down to minor units. Grows with the base, and is whole when the base is the amount. */
export function shareOf(
  { amountMinor, ratePpm }: ShareTerms,
  payment: Pick<Payment, 'amountMinor'>,
  baseMinor: bigint,
): bigint {
  if (ratePpm !== null) return (baseMinor * ratePpm) / whole
  return ((amountMinor ?? 0n) * baseMinor) / payment.amountMinor
}

/**
 * Our fees that the fee payer's share bears after a piece of money came, with those that it has paid. `feeMinor`: on this piece.
 *
 * The share bears the fees of the pieces that it comes from, so a duplicate adds nothing. What a piece's share could not pay is paid by the
 * next piece as long as less than the amount had come. From then on a fee before this piece may be that of money that is not shared.
 */
export function feesOfShare(
  payment: Pick<Payment, 'amountMinor' | 'receivedMinor' | 'feeMinor'>,
  { shares, feePayer }: Pick<Split, 'shares' | 'feePayer'>,
  { isDuplicate, feeMinor }: { readonly isDuplicate: boolean; readonly feeMinor: bigint },
): bigint {
  const paid = shares.find(({ subAccountId }) => subAccountId === feePayer)?.feeMinor ?? 0n
  if (isDuplicate) return paid
  return feeMinor + (payment.receivedMinor < payment.amountMinor ? maxOf(payment.feeMinor, paid) : paid)
}

/** Whether the shares of every base are at most the base: percentages and fixed amounts together are at most the amount. */
export function fits(terms: readonly ShareTerms[], { amountMinor }: Pick<Payment, 'amountMinor'>): boolean {
  const sum = terms.reduce(
    (total, each) => total + (each.amountMinor ?? 0n) * whole + (each.ratePpm ?? 0n) * amountMinor,
    0n,
  )
  return sum <= amountMinor * whole
}

/** The names of money that came when the payment was PAID already, by `pieceName`. */
export type Duplicates = ReadonlySet<string>

/** A piece of money by its name at its provider. */
export type NamedPiece = Pick<PieceRef, 'connection' | 'paidRef'>

export function pieceName(connection: ConnectionId, paidRef: string): string {
  return `${connection}|${paidRef}`
}

// The record of a share, as the API and events show it to its sub-account. Nothing of the payment or its payer is in it.

/** Millionths as a percentage without zeros at its end: 333300 is `33.33`. */
function toPercent(ratePpm: bigint): string {
  const decimals = String(ratePpm % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return `${ratePpm / 10_000n}${decimals === '' ? '' : `.${decimals}`}`
}

type Shown = Pick<Split, 'currency' | 'createdAt' | 'version'>

/** The share as its sub-account sees it. */
export function shareRecord(each: Omit<Share, 'isClosed'>, of: Shown): Of<typeof share> {
  return recordOf<typeof share>({
    id: each.id,
    walletId: each.walletId,
    currency: of.currency,
    amount: each.amountMinor === null ? undefined : amountToJson(each.amountMinor),
    percent: each.ratePpm === null ? undefined : toPercent(each.ratePpm),
    label: each.label,
    amountCredited: amountToJson(each.bookedMinor),
    amountPending: amountToJson(each.unreleasedMinor),
    fee: amountToJson(each.feeMinor),
    version: of.version,
    createdAt: of.createdAt.toISOString(),
  })
}

/** The event for the sub-account after more or less of its share was booked, or a part of it was released. */
export function shareEvent(
  type: 'share.credited' | 'share.returned',
  mode: Mode,
  each: Share,
  of: Shown,
): EventDraft {
  const { subAccountId: merchantId, id: resourceId } = each
  return { merchantId, mode, type, resourceId, data: shareRecord(each, of) }
}
