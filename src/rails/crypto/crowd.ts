// Decides which of many signals wait behind others. One block can contain thousands of transfers to one address, sent for a few
// cents. The signals of other payments must not wait until all of those are settled.
import { secondMs } from '#/kernel/time.ts'
import type { TransferSignal } from './signal.ts'

/** The number of signals, of one payment and of one merchant, that are processed without waiting. */
const ofPaymentMax = 10
const ofMerchantMax = 200

/** Returns the signals of this batch that exceed the limit of one payment or one merchant. */
export function crowdedOf(signals: readonly TransferSignal[]): ReadonlySet<TransferSignal> {
  const counts = new Map<string, number>()
  const next = (id: string) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count
  }
  return new Set(
    signals.filter(({ merchantId, paymentId }) => {
      // A signal beyond its payment's limit does not count towards its merchant's limit.
      if (next(paymentId) > ofPaymentMax) return true
      return next(merchantId) > ofMerchantMax
    }),
  )
}

/** After this time a block is usually final. */
const finalMs = 10 * secondMs

/** How long a signal waits before it is processed. For a crowded deposit the final signal is enough, if it comes soon. */
export function waitOf({ outcome }: TransferSignal, isCrowded: boolean): number {
  return isCrowded && outcome === 'seen' ? finalMs : 0
}

/**
 * Returns the fields that identify the signals which these make unnecessary: the `seen` signals of a block whose transfers are
 * final now.
 */
export function supersededBy(
  signals: readonly TransferSignal[],
): readonly Readonly<Record<string, string>>[] {
  const blocks = new Set(
    signals.filter(({ outcome }) => outcome === 'paid').map(({ blockHash }) => blockHash),
  )
  return [...blocks].map((blockHash) => ({ outcome: 'seen', blockHash }))
}
