// The operator's limits for a merchant's withdrawals. Checked in the transaction that holds the money, so that two withdrawals
// at the same time cannot exceed them together.
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { suggestedApprovalAbove } from '#/kernel/suggested-approval.ts'
import { dayOf } from '#/kernel/time.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'

export type Limit = {
  readonly merchantId: MerchantId
  readonly type: PayoutType
  readonly currency: Currency
  readonly eachMinor: bigint | null
  /** For one day in UTC. */
  readonly dayMinor: bigint | null
  /** Above this amount a withdrawal waits for a second person. */
  readonly approvalAboveMinor: bigint | null
  /** Somebody has chosen that nobody else has to approve, whatever the amount. */
  readonly onePerson?: boolean
  /** Nobody has chosen: the amount of approval is the suggested one. */
  readonly isSuggested?: true
  readonly listedOnly: boolean
}

/** The currency that each type pays out. */
export const payoutCurrencies: Readonly<Record<PayoutType, Currency>> = {
  PIX: 'BRL',
  CRYPTO: 'USDT',
  SEPA: 'EUR',
}

/** What is chosen for some types: an amount of approval, or null for one person who pays out. */
export type Approvals = readonly Pick<Limit, 'type' | 'approvalAboveMinor'>[]

/** Whose limit it is. Of a sub-account the choice of its parent counts beside its own limits. */
export type LimitOwner = { readonly mode: Mode; readonly isSubAccount: boolean }

/** What applies where the operator has set nothing. */
export const noLimit = {
  eachMinor: null,
  dayMinor: null,
  approvalAboveMinor: null,
  onePerson: false,
  listedOnly: false,
} as const

/**
 * The limit that is in force: the operator's, and above the suggested amount a second person where nobody has chosen who pays out. In a sandbox
 * no money leaves, so nothing is suggested. Every way out asks it (`countedLimits`), and every page and command shows it.
 */
export function limitInForce(
  limit: Limit | undefined,
  of: Pick<Limit, 'merchantId' | 'type' | 'currency'> & LimitOwner,
): Limit | undefined {
  if (of.mode !== 'LIVE' || of.isSubAccount || hasChosen(limit)) return limit
  const { merchantId, type, currency } = of
  return {
    ...(limit ?? { ...noLimit, merchantId, type, currency }),
    approvalAboveMinor: suggestedApprovalAbove[type],
    isSuggested: true,
  }
}

/** Whether somebody has chosen who pays out: an amount of approval, or one person. */
function hasChosen(limit: Limit | undefined): boolean {
  return limit !== undefined && (limit.approvalAboveMinor !== null || limit.onePerson === true)
}

export type LimitVerdict =
  | { readonly ok: true; readonly needsApproval: boolean }
  | {
      readonly ok: false
      /** `rail`: its messages cannot carry a larger amount (`railMost`). */
      readonly reason: 'each' | 'day' | 'rail'
      readonly limitMinor: bigint
      readonly leftMinor: bigint
    }
  | { readonly ok: false; readonly reason: 'destination' }
  /** Money that is sent there comes back to us (own-destinations.ts). */
  | { readonly ok: false; readonly reason: 'own' }

export type LimitRefusal = LimitVerdict & { readonly ok: false }

/**
 * The largest amount that each rail can write, in minor units. One that is larger would be refused late, and in a file of payments it would
 * stop the others.
 * - PIX: API Pix writes at most ten digits before the point (`\d{1,10}\.\d{2}`).
 * - SEPA: a credit transfer is at most 999,999,999.99 (EPC132-08, AT-T002).
 * - CRYPTO: a token counts in 256 bits, and a cent of USDT is 10^16 of its units.
 */
export const railMost: Readonly<Record<PayoutType, bigint>> = {
  PIX: 999_999_999_999n,
  SEPA: 99_999_999_999n,
  CRYPTO: (2n ** 256n - 1n) / 10n ** 16n,
}

/** The refusal of an amount that the rail cannot write; undefined for any other. */
export function beyondRail(type: PayoutType, amountMinor: bigint): LimitRefusal | undefined {
  const most = railMost[type]
  return amountMinor > most ? { ok: false, reason: 'rail', limitMinor: most, leftMinor: most } : undefined
}

/** Whether this amount may leave, given what left today. The fee does not count. */
export function withinLimits(
  limit: Limit | undefined,
  amountMinor: bigint,
  { spentMinor, isListed }: { readonly spentMinor: bigint; readonly isListed: boolean },
): LimitVerdict {
  if (limit === undefined) return { ok: true, needsApproval: false }
  const { eachMinor, dayMinor, approvalAboveMinor, listedOnly } = limit
  if (listedOnly && !isListed) return { ok: false, reason: 'destination' }
  if (eachMinor !== null && amountMinor > eachMinor)
    return { ok: false, reason: 'each', limitMinor: eachMinor, leftMinor: eachMinor }
  if (dayMinor !== null && spentMinor + amountMinor > dayMinor) {
    const leftMinor = dayMinor > spentMinor ? dayMinor - spentMinor : 0n
    return { ok: false, reason: 'day', limitMinor: dayMinor, leftMinor }
  }
  return { ok: true, needsApproval: approvalAboveMinor !== null && amountMinor > approvalAboveMinor }
}

/**
 * The same for a withdrawal that was accepted before: the limits may have changed. `spentMinor`: of its own day,
 * itself included.
 */
export function stillWithinLimits(
  limit: Limit | undefined,
  { amountMinor }: { readonly amountMinor: bigint },
  { spentMinor, isListed }: { readonly spentMinor: bigint; readonly isListed: boolean },
): LimitVerdict {
  const others = spentMinor > amountMinor ? spentMinor - amountMinor : 0n
  return withinLimits(limit, amountMinor, { spentMinor: others, isListed })
}

/** Of the verdicts by a merchant's own limit and its parent's: a refusal first, then the need for a second person, then permission. */
export function stricter(verdicts: readonly LimitVerdict[]): LimitVerdict {
  return (
    verdicts.find((verdict) => !verdict.ok) ?? {
      ok: true,
      needsApproval: verdicts.some((verdict) => verdict.ok && verdict.needsApproval),
    }
  )
}

/** What a withdrawal adds to the sum of its day. */
export function spentOf({
  merchantId,
  type,
  currency,
  createdAt,
  amountMinor,
}: Omit<Spent, 'day' | 'minor'> & { readonly createdAt: Date; readonly amountMinor: bigint }): Spent {
  return { merchantId, type, currency, day: dayOf(createdAt), minor: amountMinor }
}

export type Spent = {
  readonly merchantId: MerchantId
  readonly type: PayoutType
  readonly currency: Currency
  /** In UTC: `2026-11-21`. */
  readonly day: string
  readonly minor: bigint
}
