// Kinds of work whose decisions change nothing themselves: what a decision returns is posted and kept here.
import { must } from '#/kernel/check.ts'
import type { Posting, Refusal } from '#/ledger/apply.ts'
import { runnable, type Batch, type Kind, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type * as recipes from '#/ledger/recipes.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { repayParent, type Parents } from './parent-debt.ts'
import { passingOn, type PassedOn } from './passed-on.ts'

/** The books as decisions see them, and the instant of the batch. */
export type Reading = { readonly books: Pick<Batch['books'], 'balance' | 'accepts'>; readonly at: Date }

/** What is decided on one item. */
export type Decided<Change, Verdict> = Ruling<Change, Verdict, EventDraft> & {
  readonly postings?: readonly Posting[]
  /** Whose debt to its parent is repaid by the money that the postings make available. */
  readonly repays?: Parameters<typeof repayParent>[3] & {
    readonly parents: Parents
    readonly occasion: recipes.Occasion
    readonly prefix?: 'release-'
  }
}

/** `orElse`: what is decided instead when the books refuse the postings. Absent: the accounts always cover them. */
export type DecidedOrElse<Change, Verdict> = Decided<Change, Verdict> & {
  readonly orElse?: (refusal: Refusal) => Ruling<Change, Verdict, EventDraft>
}

/** Puts a change into the view, for the items after it. */
type Keep<Change, Verdict> = (ruling: { readonly change: Change; readonly verdict: Verdict }) => void

/** A kind of work whose decisions only read the view and the books; `keep` alone changes the view. */
export function pureKind<Item, View, Change, Verdict>({
  decide,
  keep,
  ...kind
}: Omit<Kind<Item, View, Change, Verdict, EventDraft>, 'decide'> & {
  decide(view: View, item: Item, batch: Reading & Pick<Batch, 'now'>): DecidedOrElse<Change, Verdict>
  keep(view: View, ...ruling: Parameters<Keep<Change, Verdict>>): void
}): RunnableKind<Item, Verdict, EventDraft> {
  return runnable(
    passingOn({
      ...kind,
      decide: (view: View, item: Item, batch) =>
        carryOut(batch, decide(view, item, batch), (ruling) => keep(view, ruling)),
    }),
  )
}

/** Posts what was decided, and keeps its change. */
export function carryOut<Change, Verdict>(
  { books }: Pick<Batch, 'books'>,
  { postings = [], orElse, repays, ...ruling }: DecidedOrElse<Change, Verdict>,
  keep: Keep<Change, Verdict>,
): Ruling<Change, Verdict, EventDraft> & { readonly passed?: PassedOn } {
  if (orElse === undefined) postAll({ books }, postings)
  else {
    const posted = books.post(postings)
    if (!posted.ok) return carryOut({ books }, orElse(posted.refusal), keep)
  }
  const { change, verdict } = ruling
  if (change !== undefined) keep({ change, verdict })
  if (repays === undefined) return ruling
  const { parents, occasion, prefix, ...debtor } = repays
  const repaid = repayParent(parents, { books }, occasion, debtor, prefix)
  postAll({ books }, repaid.postings)
  return { ...ruling, passed: repaid.passed }
}

/** Posts what the accounts always cover: if the books refuse it, the error is ours, and the item is isolated. */
export function postAll({ books }: Pick<Batch, 'books'>, postings: readonly Posting[]): void {
  const result = books.post(postings)
  must(
    result.ok || undefined,
    result.ok ? '' : `the books refused what they always cover: ${result.refusal.reason}`,
  )
}
