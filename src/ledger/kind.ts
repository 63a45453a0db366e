// The ledger lane runs work of several kinds. A kind loads what its items need, decides each item in memory, and writes the
// changes. The lane knows nothing more about the work.
import type { Tx } from '#/db/client.ts'
import type { Posting, Refusal } from './apply.ts'
import type { AccountSpec } from './chart.ts'

/** The books of the batch at hand. */
export type Books = {
  /** Loads what `post` needs: balances of the accounts, and the earlier transfers of these subjects. */
  load(accounts: readonly AccountSpec[], subjects?: readonly string[]): Promise<void>
  /** All of the postings move, or none. Throws when an account was not loaded. */
  post(
    postings: readonly Posting[],
  ): { readonly ok: true } | { readonly ok: false; readonly refusal: Refusal }
  /** Whether a loaded account accepts this currency: it was opened in it, or is not open yet. */
  accepts(account: AccountSpec): boolean
  /** Whether any loaded account was requested in another currency than it has. If not, `accepts` is true for all. */
  isMixed(): boolean
  /**
   * The present balance of a loaded account, with the transfers of the batch so far. Zero when the account was opened in
   * another currency.
   */
  balance(account: AccountSpec): bigint
}

export type Batch = {
  readonly tx: Tx
  readonly books: Books
  /** The instant of the whole batch, in milliseconds, never before an earlier batch's. */
  readonly at: Date
  /** The database's clock at the start of the batch. It decides what is due: `at` may be ahead of it. */
  readonly now: Date
  readonly number: bigint
}

/** The decision on one item. */
export type Ruling<Change, Verdict, Draft> = {
  readonly verdict: Verdict
  /** The change that `write` writes. Absent: nothing changes. */
  readonly change?: Change
  readonly events?: readonly Draft[]
}

export type Kind<Item, View, Change, Verdict, Draft> = {
  readonly name: string
  /** The approximate size of the item in bytes. It limits the queue and the batch. */
  bytesOf?(item: Item): number
  /** The approximate size in bytes of its rows and events. It limits the batch too. */
  weightOf?(item: Item): number
  /** Reads, set-based, under the lane's lock: the rows cannot change before the commit. */
  load(batch: Batch, items: readonly Item[]): Promise<View>
  /** Changes only `view` and `books`, for the items after it. An exception here is a bug, not a verdict. */
  decide(view: View, item: Item, batch: Pick<Batch, 'books' | 'at' | 'now'>): Ruling<Change, Verdict, Draft>
  /** Writes, set-based, the changes of all items. */
  write(batch: Batch, changes: readonly Change[]): Promise<void>
  /** The digests of rows outside of the books that the batch's hash covers, in this order. At most one kind has such rows. */
  sealedBy?(changes: readonly Change[]): readonly Buffer[]
}

/** A kind as the lane runs it, without the types of its view and changes. */
export type RunnableKind<Item, Verdict, Draft> = {
  readonly name: string
  bytesOf(item: Item): number
  weightOf(item: Item): number
  /** Loads and decides. The result still has to be written. */
  run(batch: Batch, items: readonly Item[]): Promise<KindRun<Verdict, Draft>>
}

export type KindRun<Verdict, Draft> = {
  readonly verdicts: readonly Verdict[]
  readonly events: readonly Draft[]
  /** Which items changed something, in their order. */
  readonly changed: readonly boolean[]
  /** Writes the changes. Absent: there are none. */
  readonly write?: () => Promise<void>
  /** The digests of rows outside of the books that the batch's hash covers. */
  readonly sealed: readonly Buffer[]
}

/** Hides the types of view and changes, so that one lane runs kinds of every type. */
export function runnable<Item, View, Change, Verdict, Draft>(
  kind: Kind<Item, View, Change, Verdict, Draft>,
): RunnableKind<Item, Verdict, Draft> {
  return runnableNotifying(kind, (_batch, _view, drafts) => Promise.resolve(drafts))
}

/** A view as decisions see it: they only read it. */
export type Closed<View> = { readonly [Part in keyof View]: ClosedPart<View[Part]> }

type ClosedPart<Part> =
  Part extends Map<infer Key, infer Value>
    ? ReadonlyMap<Key, Value>
    : Part extends Set<infer Item>
      ? ReadonlySet<Item>
      : Part extends (infer Item)[]
        ? readonly Item[]
        : Part

/** The same for a kind whose decisions only read the view: `keep` puts each change into it, for the items after it. */
export function runnablePure<Item, View, Change, Verdict, Draft>({
  keep,
  ...kind
}: Kind<Item, View, Change, Verdict, Draft> & {
  keep(view: View, change: Change): void
}): RunnableKind<Item, Verdict, Draft> {
  return runnable({
    ...kind,
    decide(view: View, item: Item, batch) {
      const ruling = kind.decide(view, item, batch)
      if (ruling.change !== undefined) keep(view, ruling.change)
      return ruling
    },
  })
}

/** The default size in bytes of one item, and of its rows and its event. */
const usualBytes = 512
const usualWeight = 4_096

/**
 * The same for a kind whose items may need a common event: its rulings contain news, and `eventsOf` makes events from the news
 * of all items, after the decisions and before the writes.
 */
export function runnableNotifying<Item, View, Change, Verdict, News, Draft>(
  kind: Kind<Item, View, Change, Verdict, News>,
  eventsOf: (batch: Batch, view: View, news: readonly News[]) => Promise<readonly Draft[]>,
): RunnableKind<Item, Verdict, Draft> {
  const bytesOf = (item: Item) => kind.bytesOf?.(item) ?? usualBytes
  return {
    name: kind.name,
    bytesOf,
    weightOf: (item) => kind.weightOf?.(item) ?? bytesOf(item) + usualWeight,
    async run(batch, items) {
      const view = await kind.load(batch, items)
      const rulings = items.map((item) => kind.decide(view, item, batch))
      const changes = rulings.flatMap((ruling) => (ruling.change === undefined ? [] : [ruling.change]))
      const news = rulings.flatMap((ruling) => ruling.events ?? [])
      return {
        verdicts: rulings.map((ruling) => ruling.verdict),
        events: news.length === 0 ? [] : await eventsOf(batch, view, news),
        changed: rulings.map(({ change, events = [] }) => change !== undefined || events.length > 0),
        ...(changes.length > 0 ? { write: () => kind.write(batch, changes) } : {}),
        sealed: kind.sealedBy?.(changes) ?? [],
      }
    },
  }
}
