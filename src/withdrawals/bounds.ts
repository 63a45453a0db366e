// The largest amount that each rail can write. One that is larger would be refused late, and in a file of payments it would stop the others.
import type { PayoutType } from '#/rails/payout-rail.ts'
import type { LimitVerdict } from './limits.ts'

/**
 * In minor units.
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
export function beyondRail(
  type: PayoutType,
  amountMinor: bigint,
): (LimitVerdict & { readonly ok: false }) | undefined {
  const most = railMost[type]
  return amountMinor > most ? { ok: false, reason: 'rail', limitMinor: most, leftMinor: most } : undefined
}
