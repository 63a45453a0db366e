// The parts of recipes: one posting, money that is debited without the merchant's request, and money that becomes available.
// No debt stays open while money is available: only `freed`, `freedAfterDebt` and shares of split payments (share-recipes.ts)
// make money available, and all of them repay the debt. `posting` credits an available account only from another available one.
// Whoever posts `freed` or `freedAfterDebt` posts what repays the parent of a sub-account after it (wallets/parent-debt.ts).
import { invariant } from '#/kernel/check.ts'
import { minOf } from '#/kernel/money.ts'
import type { Posting } from './apply.ts'
import { isWalletAvailable, type AccountSpec } from './chart.ts'

/** The common fields of all postings of one event. `ordinal` numbers the event within its subject. */
export type Occasion = { readonly subject: string; readonly ordinal: number; readonly cause: Buffer }

export type HeldAccounts = { readonly available: AccountSpec; readonly held: AccountSpec }

/** The accounts of held money that becomes available again, after it repaid a debt. */
export type FreedAccounts = HeldAccounts & { readonly receivable: AccountSpec }

/** The unreleased money of a payment. */
export type Unreleased = { readonly pending: AccountSpec; readonly minor: bigint }

/** The sources of a debit that the merchant did not request, in this order; what is missing becomes a debt. */
export type DebitSources = {
  readonly unreleased?: Unreleased
  readonly sources: readonly AccountSpec[]
  readonly receivable: AccountSpec
}

/** Money that becomes available by one event, as a row of its own in the statement. */
type Freed = {
  readonly occasion: Occasion
  readonly step: string
  readonly kind: string
  readonly from: AccountSpec
  readonly minor: bigint
}

/** The whole amount becomes available, pays our fee, and then repays the debt. The statement shows each. */
export function freed(
  { available, receivable }: Pick<FreedAccounts, 'available' | 'receivable'>,
  credits: readonly Freed[],
  { fee, repay }: { readonly fee?: Posting; readonly repay: Pick<Freed, 'occasion' | 'step' | 'kind'> },
): readonly Posting[] {
  const minor = credits.reduce((sum, each) => sum + each.minor, 0n) - (fee?.minor ?? 0n)
  return [
    ...credits.map((each) => crediting(each, available)),
    ...(fee === undefined ? [] : [fee]),
    { ...posting(repay.occasion, repay.step, repay.kind, available, receivable, minor), upTo: true },
  ]
}

/** The same without a statement row for the repayment: the debt is repaid first, and the rest becomes available. */
export function freedAfterDebt(
  { available, receivable }: Pick<FreedAccounts, 'available' | 'receivable'>,
  credit: Freed,
): readonly Posting[] {
  const { occasion, from, minor } = credit
  const pot = `${occasion.subject}/${occasion.ordinal}`
  return [
    { ...posting(occasion, 'repay', 'REPAID', from, receivable, minor), upTo: true, pot },
    { ...crediting(credit, available), pot },
  ]
}

function crediting({ occasion, step, kind, from, minor }: Freed, available: AccountSpec): Posting {
  return postingOf(occasion, step, kind, from, available, minor)
}

/** A posting between any accounts. It may credit an available account only from another available account. */
export function posting(
  occasion: Occasion,
  step: string,
  kind: string,
  debit: AccountSpec,
  credit: AccountSpec,
  minor: bigint,
): Posting {
  invariant(
    !isWalletAvailable(credit) || isWalletAvailable(debit),
    `${kind} makes money available without repaying what is owed`,
  )
  return postingOf(occasion, step, kind, debit, credit, minor)
}

function postingOf(
  { subject, ordinal, cause }: Occasion,
  step: string,
  kind: string,
  debit: AccountSpec,
  credit: AccountSpec,
  minor: bigint,
): Posting {
  return { subject, step: `${ordinal}.${step}`, kind, debit, credit, minor, cause }
}

/** Debits an amount from the sources, in the order of `DebitSources`; what is missing becomes a debt. */
export function debited(
  occasion: Occasion,
  { unreleased, sources, receivable, to }: DebitSources & { readonly to: AccountSpec },
  minor: bigint,
  { kind, step, owe }: { readonly kind: string; readonly step: string; readonly owe: string },
): readonly Posting[] {
  const first = unreleasedPart(unreleased, minor)
  const rest = minor - first
  const pot = `${occasion.subject}/${occasion.ordinal}/${step}`
  return [
    ...(unreleased === undefined
      ? []
      : [posting(occasion, `${step}-unreleased`, kind, unreleased.pending, to, first)]),
    ...sources.map((source, index) => ({
      ...posting(occasion, index === 0 ? step : `${step}-${index + 1}`, kind, source, to, rest),
      upTo: true as const,
      pot,
    })),
    { ...posting(occasion, owe, 'OWED', receivable, to, rest), pot },
  ]
}

/** The part of an amount that unreleased money covers. */
export function unreleasedPart(unreleased: Unreleased | undefined, minor: bigint): bigint {
  return unreleased === undefined ? 0n : minOf(unreleased.minor, minor)
}
