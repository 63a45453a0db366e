// What we keep of a merchant's payments.
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

/** A rule as it is now, and since when. A payment pays by the rule that was in force when it was made. */
export type FeeRuleNow = FeeRule & { readonly validFrom: Date }

/** What came before of the same payment by the same method in the same currency, what we kept of it, and what comes now. */
export type FeeBasis = {
  readonly received: bigint
  readonly charged: bigint
  readonly arrived: bigint
}

/**
 * The fee on what arrives now, in minor units: what the rule asks of all that came, less what was kept of it before. So the
 * fixed part is paid once, whole, however many pieces come: a piece that is too small for it leaves the rest to the next.
 * At most what arrives, never less than nothing. Fractions of a minor unit are dropped.
 */
export function feeOn(
  rule: Pick<FeeRule, 'fixedMinor' | 'ratePpm'> | undefined,
  { received, charged, arrived }: FeeBasis,
): bigint {
  if (rule === undefined || arrived === 0n) return 0n
  const { fixedMinor, ratePpm } = rule
  const due = fixedMinor + ((received + arrived) * ratePpm) / 1_000_000n - charged
  return maxOf(minOf(due, arrived), 0n)
}
