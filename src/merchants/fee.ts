// What we keep of a merchant's payments.
import type { MerchantId } from '#/kernel/id.ts'
import { minOf, type Currency } from '#/kernel/money.ts'

export type FeeRule = {
  readonly merchantId: MerchantId
  readonly method: string
  readonly currency: Currency
  readonly fixedMinor: bigint
  /** Millionths of the amount: 15000 is 1.5 %. */
  readonly ratePpm: bigint
}

/**
 * The fee on what arrives now, in minor units: the fee on the new total less the fee on the old one, so that parts pay
 * together what the whole would have paid. At most what arrived. Fractions of a minor unit are dropped.
 */
export function feeOn(
  rule: FeeRule | undefined,
  amounts: { readonly before: bigint; readonly arrived: bigint },
): bigint {
  if (rule === undefined || amounts.arrived === 0n) return 0n
  const fee = feeOnTotal(rule, amounts.before + amounts.arrived) - feeOnTotal(rule, amounts.before)
  return minOf(fee, amounts.arrived)
}

function feeOnTotal({ fixedMinor, ratePpm }: FeeRule, total: bigint): bigint {
  return total === 0n ? 0n : fixedMinor + (total * ratePpm) / 1_000_000n
}
