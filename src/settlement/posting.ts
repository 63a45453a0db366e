// How decisions of settlement take effect: they change nothing themselves, and what they return is posted and kept here.
import { must } from '#/kernel/check.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Posting } from '#/ledger/apply.ts'
import { runnable, type Batch, type Kind, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { repayParent, type Parents } from '#/wallets/parent-debt.ts'
import { passingOn } from '#/wallets/passed-on.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Placed } from './placed.ts'

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

/**
 * A kind of work whose decisions change nothing themselves. What was decided is posted, and `keep` puts it into the view for the items
 * after it.
 */
export function pureKind<Item, View, Change, Verdict>({
  decide,
  keep,
  ...kind
}: Omit<Kind<Item, View, Change, Verdict, EventDraft>, 'decide'> & {
  decide(view: View, item: Item, batch: Reading): Decided<Change, Verdict>
  keep(view: View, ruling: { readonly change: Change; readonly verdict: Verdict }): void
}): RunnableKind<Item, Verdict, EventDraft> {
  return runnable(
    passingOn({
      ...kind,
      decide(view: View, item: Item, { books, at }) {
        const { postings = [], repays, ...ruling } = decide(view, item, { books, at })
        postAll({ books }, postings)
        const { change, verdict } = ruling
        if (change !== undefined) keep(view, { change, verdict })
        if (repays === undefined) return ruling
        const { parents, occasion, prefix, ...debtor } = repays
        const repaid = repayParent(parents, { books }, occasion, debtor, prefix)
        postAll({ books }, repaid.postings)
        return { ...ruling, passed: repaid.passed }
      },
    }),
  )
}

/** The occasion of a payment's receipt: its steps in the books carry the receipt's number. */
export function occasionOf(receipt: Placed, payment: Payment): recipes.Occasion {
  return { subject: payment.id, ordinal: payment.receipts, cause: sha256(receipt.evidence) }
}

/** The occasion of a report of a refund or a dispute: its steps carry the version that the report makes. */
export function occasionOfVersion(
  { evidence }: Receipt,
  { id, version }: { readonly id: string; readonly version: number },
): recipes.Occasion {
  return { subject: id, ordinal: version, cause: sha256(evidence) }
}

/** Posts what the accounts always cover: if the books refuse it, the error is ours, and the item is isolated. */
export function postAll({ books }: Pick<Batch, 'books'>, postings: readonly Posting[]): void {
  const result = books.post(postings)
  must(
    result.ok || undefined,
    result.ok ? '' : `the books refused what a provider reported: ${result.refusal.reason}`,
  )
}
