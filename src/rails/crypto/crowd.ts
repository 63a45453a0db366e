// Which of many signals wait behind others. One block can hold thousands of transfers to one address, for a few cents; what
// tells of other payments is not to wait until all of them are settled.
import type { TransferSignal } from './signal.ts'
import { secondMs } from '#/kernel/time.ts'

/** So many signals of one payment at once, and of one merchant, are taken in their turn. */
const ofPaymentMax = 10
const ofMerchantMax = 200

/** Those of these signals, which come together, that are beyond what one payment or one merchant has at a time. */
export function crowdedOf(signals: readonly TransferSignal[]): ReadonlySet<TransferSignal> {
  const counts = new Map<string, number>()
  const next = (id: string) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count
  }
  return new Set(
    signals.filter(({ merchantId, paymentId }) => {
      // What waits behind others takes no place of its merchant's.
      if (next(paymentId) > ofPaymentMax) return true
      return next(merchantId) > ofMerchantMax
    }),
  )
}

/** By then a block is final, as a rule. */
const finalMs = 10 * secondMs

/** How long a signal waits before it is taken: of what comes in a crowd the final word is enough, if it comes soon. */
export function waitOf({ outcome }: TransferSignal, isCrowded: boolean): number {
  return isCrowded && outcome === 'seen' ? finalMs : 0
}

/** What the bodies of signals say that these make needless: a transfer that is final was on its way before. */
export function supersededBy(
  signals: readonly TransferSignal[],
): readonly Readonly<Record<string, string>>[] {
  const blocks = new Set(
    signals.filter(({ outcome }) => outcome === 'paid').map(({ blockHash }) => blockHash),
  )
  return [...blocks].map((blockHash) => ({ outcome: 'seen', blockHash }))
}
