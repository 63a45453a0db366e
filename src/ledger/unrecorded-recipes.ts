// Recipes of money that left and that no withdrawal or refund of the books is. Their subject is the record of it.
//
//   event                      debit → credit
//   found at its provider      unrecorded → arrival
//   charged to a merchant      available, the currency's other wallets, then receivable → unrecorded
//   written off · came back    loss → unrecorded · arrival → unrecorded
import type { Posting } from './apply.ts'
import type { AccountSpec } from './chart.ts'
import { debited, posting, type DebitSources, type Occasion } from './recipe-parts.ts'

/** Money left, and no record explains it: somebody owes it, and nobody knows who. */
export function leftUnrecorded(
  occasion: Occasion,
  { arrival, unrecorded }: { readonly arrival: AccountSpec; readonly unrecorded: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'find', 'SUSPENSE', unrecorded, arrival, minor)]
}

/** Two people charge it to a merchant: from these wallets in their order; what is missing becomes the merchant's debt. */
export function unrecordedCharged(
  occasion: Occasion,
  { unrecorded, ...from }: Omit<DebitSources, 'unreleased'> & { readonly unrecorded: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  const names = { kind: 'ADJUSTMENT', step: 'take', owe: 'owe' }
  return debited(occasion, { ...from, to: unrecorded }, minor, names)
}

/** Two people write it off: the operator bears it. */
export function unrecordedLost(
  occasion: Occasion,
  { loss, unrecorded }: { readonly loss: AccountSpec; readonly unrecorded: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'lose', 'LOSS', loss, unrecorded, minor)]
}

/** The provider has it again. */
export function unrecordedReturned(
  occasion: Occasion,
  { arrival, unrecorded }: { readonly arrival: AccountSpec; readonly unrecorded: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'return', 'SUSPENSE', arrival, unrecorded, minor)]
}
