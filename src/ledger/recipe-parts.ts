// What recipes are made of: one posting, money that is taken, and money that becomes available. A debt never waits beside
// free money: `freed` and `freedAfterDebt` alone credit an available account, and both repay first; `posting` refuses to.
import { invariant } from '#/kernel/check.ts'
import { minOf } from '#/kernel/money.ts'
import type { Posting } from './apply.ts'
import { isWalletAvailable, type AccountSpec } from './chart.ts'

/** What all postings of one event share. `ordinal` numbers the event within its subject. */
export type Occasion = { readonly subject: string; readonly ordinal: number; readonly cause: Buffer }

export type HeldAccounts = { readonly available: AccountSpec; readonly held: AccountSpec }

/** The accounts of held money that becomes available again, and may have a debt to repay. */
export type FreedAccounts = HeldAccounts & { readonly receivable: AccountSpec }

/** What of an amount is the payment's own that was not released yet. */
export type Unreleased = { readonly pending: AccountSpec; readonly minor: bigint }

/** Where money is taken from that a merchant does not give: in this order, and what is missing is owed. */
export type TakenFrom = {
  readonly unreleased?: Unreleased
  readonly sources: readonly AccountSpec[]
  readonly receivable: AccountSpec
}

/** What becomes available by one event, as a row of its own in the statement. */
type Freed = {
  readonly occasion: Occasion
  readonly step: string
  readonly kind: string
  readonly from: AccountSpec
  readonly minor: bigint
}

/** Money becomes available whole, pays our fee, and then repays what is owed: the statement shows each. */
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

/** The same where a repayment has no row of its own: what is owed comes first, and the rest becomes available. */
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

/** Between any accounts but to an available one, unless the money was available before. */
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

/** Takes so much from where a merchant has it, in the order of `TakenFrom`; what is missing is owed. */
export function taken(
  occasion: Occasion,
  { unreleased, sources, receivable, to }: TakenFrom & { readonly to: AccountSpec },
  minor: bigint,
  { kind, step, owe }: { readonly kind: string; readonly step: string; readonly owe: string },
): readonly Posting[] {
  const own = ownUnreleased(unreleased, minor)
  const rest = minor - own
  const pot = `${occasion.subject}/${occasion.ordinal}/${step}`
  return [
    ...(unreleased === undefined
      ? []
      : [posting(occasion, `${step}-unreleased`, kind, unreleased.pending, to, own)]),
    ...sources.map((source, index) => ({
      ...posting(occasion, index === 0 ? step : `${step}-${index + 1}`, kind, source, to, rest),
      upTo: true as const,
      pot,
    })),
    { ...posting(occasion, owe, 'OWED', receivable, to, rest), pot },
  ]
}

/** How much of an amount can be of what was not released yet. */
export function ownUnreleased(unreleased: Unreleased | undefined, minor: bigint): bigint {
  return unreleased === undefined ? 0n : minOf(unreleased.minor, minor)
}
