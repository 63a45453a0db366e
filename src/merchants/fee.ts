// The fees that the operator keeps of a merchant's payments.
import type { MerchantId } from '#/kernel/id.ts'
import { maxOf, minOf, type Currency } from '#/kernel/money.ts'

export type FeeRule = {
  readonly merchantId: MerchantId
  readonly method: string
  readonly currency: Currency
  readonly fixedMinor: bigint
  /** Millionths of the amount: 15000 is 1.5 %. */
  readonly ratePpm: bigint
}

/** A rule in force, and since when. A payment pays by the rule that was in force when it was created. */
export type FeeRuleNow = FeeRule & { readonly validFrom: Date }

/** For one payment, method and currency: what arrived before, the fees on it, and what arrives now. */
export type FeeBasis = {
  readonly received: bigint
  readonly charged: bigint
  readonly arrived: bigint
}

/**
 * The fee on what arrives now, in minor units: the fee that the rule sets on all that arrived, less what was charged before. So the
 * fixed part is paid once and whole: a piece that is too small for it leaves the rest to the next piece. The fee is at most what
 * arrives and never negative. Fractions of a minor unit are dropped.
 */
export function feeOn(
  rule: Pick<FeeRule, 'fixedMinor' | 'ratePpm'> | undefined,
  { received, charged, arrived }: FeeBasis,
): bigint {
  if (rule === undefined) return 0n
  const { fixedMinor, ratePpm } = rule
  const due = fixedMinor + ((received + arrived) * ratePpm) / 1_000_000n - charged
  return maxOf(minOf(due, arrived), 0n)
}
