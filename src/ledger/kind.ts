// Work for the ledger lane comes in kinds. A kind loads what its items need, decides each of them in memory, and writes
// what changed; the lane knows nothing else of it.
import type { Tx } from '#/db/client.ts'
import type { Posting, Refusal } from './apply.ts'
import type { AccountSpec } from './chart.ts'

/** The books of the batch at hand. */
export type Books = {
  /** Fetches what `post` will need: balances of the accounts, and the earlier transfers of these subjects. */
  load(accounts: readonly AccountSpec[], subjects?: readonly string[]): Promise<void>
  /** All of the postings move, or none. Accounts that were not loaded are a broken invariant. */
  post(
    postings: readonly Posting[],
  ): { readonly ok: true } | { readonly ok: false; readonly refusal: Refusal }
  /** Whether a loaded account can be written in this currency: it was opened in it, or not at all. */
  takes(account: AccountSpec): boolean
  /** Whether any loaded account was asked for in another currency than it has: if not, all are taken. */
  isMixed(): boolean
  /**
   * The present balance of a loaded account, the batch's own transfers included; zero when it was opened in another
   * currency.
   */
  balance(account: AccountSpec): bigint
}

export type Batch = {
  readonly tx: Tx
  readonly books: Books
  /** The instant of the whole batch, in milliseconds, never before an earlier batch's. */
  readonly at: Date
  /** The database's clock when the batch began. What is due is decided by it: `at` may stand still ahead of it. */
  readonly now: Date
  readonly number: bigint
}

/** What `decide` says of one item. */
export type Ruling<Change, Verdict, Draft> = {
  readonly verdict: Verdict
  /** What `write` must know. Absent: nothing changes. */
  readonly change?: Change
  readonly events?: readonly Draft[]
}

export type Kind<Item, View, Change, Verdict, Draft> = {
  readonly name: string
  /** About how many bytes the item holds: what waits, and a batch, are bounded by their sum. */
  bytesOf?(item: Item): number
  /** About how many bytes its rows and events will be: a batch is bounded by their sum too. */
  weightOf?(item: Item): number
  /** Reads, set-based, under the lane's lock: what it finds cannot change before the commit. */
  load(batch: Batch, items: readonly Item[]): Promise<View>
  /** Pure but for `view` and `books`, which later items see as this one left them. Throwing here is a bug, not a verdict. */
  decide(view: View, item: Item, batch: Pick<Batch, 'books' | 'at' | 'now'>): Ruling<Change, Verdict, Draft>
  /** Writes, set-based, the changes of all items. */
  write(batch: Batch, changes: readonly Change[]): Promise<void>
}

/** A kind with its view and changes hidden: what the lane runs. */
export type RunnableKind<Item, Verdict, Draft> = {
  readonly name: string
  bytesOf(item: Item): number
  weightOf(item: Item): number
  /** Loads and decides. What it answers is still to be written. */
  run(batch: Batch, items: readonly Item[]): Promise<KindRun<Verdict, Draft>>
}

export type KindRun<Verdict, Draft> = {
  readonly verdicts: readonly Verdict[]
  readonly events: readonly Draft[]
  /** Writes what changed. Absent: nothing did. */
  readonly write?: () => Promise<void>
}

/** Closes a kind over its view and changes, so that kinds of every shape fit into one lane. */
export function runnable<Item, View, Change, Verdict, Draft>(
  kind: Kind<Item, View, Change, Verdict, Draft>,
): RunnableKind<Item, Verdict, Draft> {
  return runnableTelling(kind, (_batch, _view, drafts) => Promise.resolve(drafts))
}

/** The rows and the event of an item that changes one thing and says nothing of its weight. */
const usualWeight = 4_096

/**
 * The same for a kind whose items may have the same thing to tell: its rulings say what is new, and `tell` makes the events
 * of all of it, after everything was decided and before it is written.
 */
export function runnableTelling<Item, View, Change, Verdict, News, Draft>(
  kind: Kind<Item, View, Change, Verdict, News>,
  tell: (batch: Batch, view: View, news: readonly News[]) => Promise<readonly Draft[]>,
): RunnableKind<Item, Verdict, Draft> {
  const bytesOf = (item: Item) => kind.bytesOf?.(item) ?? 512
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
        events: news.length === 0 ? [] : await tell(batch, view, news),
        ...(changes.length > 0 ? { write: () => kind.write(batch, changes) } : {}),
      }
    },
  }
}
