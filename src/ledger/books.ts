// The books of one batch: balances read under the lock, changed in memory by `apply`, and written at the end.
import type { Tx } from '#/db/client.ts'
import { invariant, must } from '#/kernel/check.ts'
import type { Currency } from '#/kernel/money.ts'
import { createRecent, type Recent } from '#/kernel/recent.ts'
import { apply, type Posting, type Transfer } from './apply.ts'
import type { ChainedAccount, ChainedTransfer } from './chain.ts'
import type { AccountSpec } from './chart.ts'
import type { Books } from './kind.ts'
import * as queries from './queries.ts'

/** Where an account stands. Accounts are never deleted or changed, so an id once read stays true. */
type Known = {
  readonly id: bigint
  readonly currency: Currency
  readonly minor: bigint
  readonly entries: bigint
}

/** An account that was asked for. Without a Known it has never been used before this batch. */
type Loaded = { readonly spec: AccountSpec; readonly known: Known | undefined; opened: Currency | undefined }

/**
 * Where accounts stand by key, undefined for one that was never used. Survives from batch to batch while nobody else has
 * written in between.
 */
export type BooksCache = Recent<string, Known | undefined>

/** So many accounts are remembered at most. */
const accountsMax = 200_000

export function emptyCache(max = accountsMax): BooksCache {
  return createRecent(max)
}

export type BatchBooks = Books & {
  /** Numbers everything that was posted. */
  plan(numbers: Numbers): BatchPlan
  /** After the commit: what this batch left behind is what the next one starts from. */
  remember(): void
  readonly changed: boolean
}

/** The numbers of the head before this batch. */
export type Numbers = { readonly batch: bigint; readonly transfer: bigint; readonly account: bigint }

/** What a batch does to the books: for the chain, and to be written. */
export type BatchPlan = {
  readonly accounts: readonly ChainedAccount[]
  readonly transfers: readonly ChainedTransfer[]
  /** Writes accounts, transfers, entries and balances. */
  write(tx: Tx): Promise<void>
}

const nothing: BatchPlan = { accounts: [], transfers: [], write: async () => {} }

/** Opens the books for one batch. `cache` must hold nothing that somebody else changed since, and must not change meanwhile. */
export function openBooks(tx: Tx, cache: BooksCache): BatchBooks {
  const loaded = new Map<string, Loaded>()
  const balances = new Map<string, bigint>()
  const earlier = new Map<string, Transfer>()
  const transfers: Transfer[] = []
  let written: ReadonlyMap<string, Known> = new Map()
  let isMixed = false

  const find = ({ key }: AccountSpec): Loaded => must(loaded.get(key), `${key} was not loaded`)
  const balance = (account: AccountSpec): bigint => {
    const { known, opened } = find(account)
    if (opened !== undefined && opened !== account.currency) return 0n
    return balances.get(account.key) ?? known?.minor ?? 0n
  }
  const before = {
    balance,
    opened: (account: AccountSpec) => find(account).opened,
    earlier: (subject: string, step: string) => earlier.get(pairOf({ subject, step })),
  }

  return {
    balance,
    takes: (account) => (find(account).opened ?? account.currency) === account.currency,
    isMixed: () => isMixed,
    async load(accounts, subjects = []) {
      const unread = accounts.filter(({ key }) => !loaded.has(key) && !cache.has(key))
      const [stored, posted] = await Promise.all([
        readAccounts(tx, unread),
        queries.selectTransfersOf(tx, subjects),
      ])
      for (const spec of accounts) {
        // By peek: a get is a use, which may drop an account that was found above and is not read from the database.
        const account = loaded.get(spec.key) ?? loadedAs(spec, stored.get(spec.key) ?? cache.peek(spec.key))
        loaded.set(spec.key, account)
        isMixed ||= (account.opened ?? account.spec.currency) !== spec.currency
      }
      for (const transfer of posted) earlier.set(pairOf(transfer), transfer)
    },
    post(postings: readonly Posting[]) {
      const applied = apply(before, postings)
      if (!applied.ok) return applied
      for (const [key, minor] of applied.after) balances.set(key, minor)
      for (const transfer of applied.transfers) {
        earlier.set(pairOf(transfer), transfer)
        find(transfer.debit).opened ??= transfer.debit.currency
        find(transfer.credit).opened ??= transfer.credit.currency
      }
      transfers.push(...applied.transfers)
      return { ok: true }
    },
    plan(numbers) {
      if (transfers.length === 0) return nothing
      const plan = planOf(transfers, (key) => loaded.get(key)?.known, numbers)
      written = plan.last
      return {
        accounts: plan.opened,
        transfers: plan.rows,
        write: (into) => writePlan(into, plan, numbers.batch + 1n),
      }
    },
    remember() {
      for (const [key, { known }] of loaded) cache.set(key, known)
      for (const [key, known] of written) cache.set(key, known)
    },
    get changed() {
      return transfers.length > 0
    },
  }
}

/** Where those of these accounts stand that were ever used. */
async function readAccounts(tx: Tx, accounts: readonly AccountSpec[]): Promise<ReadonlyMap<string, Known>> {
  const wanted = new Map(accounts.map((spec) => [spec.key, spec]))
  const rows = wanted.size === 0 ? [] : await queries.selectBalances(tx, [...wanted.values()])
  return new Map(rows.map(({ key, ...known }) => [key, known]))
}

function loadedAs(spec: AccountSpec, known: Known | undefined): Loaded {
  return { spec, known, opened: known?.currency }
}

function pairOf({ subject, step }: { readonly subject: string; readonly step: string }): string {
  return `${subject}/${step}`
}

/** What a batch writes: everything numbered, and where each account ends. */
type Plan = {
  readonly opened: readonly ChainedAccount[]
  readonly rows: readonly ChainedTransfer[]
  readonly entries: readonly queries.EntryRow[]
  readonly last: ReadonlyMap<string, Known>
}

/** Numbers the accounts that are opened and the transfers, and makes two entries of each transfer. */
function planOf(
  transfers: readonly Transfer[],
  knownOf: (key: string) => Known | undefined,
  numbers: Numbers,
): Plan {
  const opened: ChainedAccount[] = []
  const rows: ChainedTransfer[] = []
  const entries: queries.EntryRow[] = []
  const last = new Map<string, Known>()

  const standing = (account: AccountSpec): Known => {
    const known = last.get(account.key) ?? knownOf(account.key)
    if (known !== undefined) return known
    const id = numbers.account + BigInt(opened.length) + 1n
    opened.push({ ...account, id })
    return { id, currency: account.currency, minor: 0n, entries: 0n }
  }
  const enter = (account: AccountSpec, transfer: bigint, change: bigint): bigint => {
    const { id, minor, entries: count } = standing(account)
    const balance = minor + change
    entries.push({ account: id, transfer, minor: change, balance })
    // The currency that was asked for, so that the database compares it with the account's.
    last.set(account.key, { id, currency: account.currency, minor: balance, entries: count + 1n })
    return id
  }

  for (const { subject, step, kind, debit, credit, minor, cause } of transfers) {
    const number = numbers.transfer + BigInt(rows.length) + 1n
    const debitId = enter(debit, number, debit.side === 'DEBIT' ? minor : -minor)
    const creditId = enter(credit, number, credit.side === 'CREDIT' ? minor : -minor)
    rows.push({ number, subject, step, kind, debit: debitId, credit: creditId, minor, cause })
  }
  return { opened, rows, entries, last }
}

async function writePlan(tx: Tx, { opened, rows, entries, last }: Plan, batch: bigint): Promise<void> {
  const flooredOf = new Map(opened.map(({ id, floored }) => [id, floored]))
  const standings = [...last.values()]
  const fresh = standings.flatMap((known) => {
    const floored = flooredOf.get(known.id)
    return floored === undefined ? [] : [{ ...known, floored }]
  })
  invariant(fresh.length === opened.length, 'every account that is opened has an entry')
  await Promise.all([
    opened.length > 0 && queries.insertAccounts(tx, opened, batch),
    queries.insertTransfers(tx, rows, batch),
    queries.insertEntries(tx, entries),
    queries.writeBalances(
      tx,
      standings.filter(({ id }) => !flooredOf.has(id)),
    ),
    fresh.length > 0 && queries.insertBalances(tx, fresh),
  ])
}
