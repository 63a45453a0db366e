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

/** The state of a used account. Accounts are never deleted or changed, so an id stays valid once it was read. */
type AccountState = {
  readonly id: bigint
  readonly currency: Currency
  readonly minor: bigint
  readonly entries: bigint
}

/** A loaded account. Without `stored` it was never used before this batch. */
type Loaded = {
  readonly spec: AccountSpec
  readonly stored: AccountState | undefined
  opened: Currency | undefined
}

/**
 * The states of accounts by key; undefined for an account that was never used. Kept from batch to batch while no other lane
 * writes in between.
 */
export type BooksCache = Recent<string, AccountState | undefined>

/** The cache holds at most this many accounts. */
const accountsMax = 200_000

export function emptyCache(max = accountsMax): BooksCache {
  return createRecent(max)
}

export type BatchBooks = Books & {
  /** Assigns numbers to everything that was posted. */
  plan(numbers: Numbers): BatchPlan
  /** After the commit: puts the states after this batch into the cache. */
  remember(): void
  readonly changed: boolean
}

/** The numbers of the head before this batch. */
export type Numbers = { readonly batch: bigint; readonly transfer: bigint; readonly account: bigint }

/** The changes of the books by a batch: the content for the chain, and `write`. */
export type BatchPlan = {
  readonly accounts: readonly ChainedAccount[]
  readonly transfers: readonly ChainedTransfer[]
  /** Writes accounts, transfers, entries and balances. */
  write(tx: Tx): Promise<void>
}

const nothing: BatchPlan = { accounts: [], transfers: [], write: async () => {} }

/** Opens the books for one batch. The states in `cache` must be current, and must not change while the batch runs. */
export function openBooks(tx: Tx, cache: BooksCache): BatchBooks {
  const loaded = new Map<string, Loaded>()
  const balances = new Map<string, bigint>()
  const earlier = new Map<string, Transfer>()
  const transfers: Transfer[] = []
  let written: ReadonlyMap<string, AccountState> = new Map()
  let isMixed = false

  const find = ({ key }: AccountSpec): Loaded => must(loaded.get(key), `${key} was not loaded`)
  const balance = (account: AccountSpec): bigint => {
    const { stored, opened } = find(account)
    if (opened !== account.currency) return 0n
    return must(balances.get(account.key) ?? stored?.minor, 'an open account has a balance')
  }
  const before = {
    balance,
    opened: (account: AccountSpec) => find(account).opened,
    earlier: (subject: string, step: string) => earlier.get(pairOf({ subject, step })),
  }

  return {
    balance,
    accepts: (account) => (find(account).opened ?? account.currency) === account.currency,
    isMixed: () => isMixed,
    async load(accounts, subjects = []) {
      const unread = accounts.filter(({ key }) => !loaded.has(key) && !cache.has(key))
      const [states, posted] = await Promise.all([
        readAccounts(tx, unread),
        queries.selectTransfersOf(tx, subjects),
      ])
      for (const spec of accounts) {
        // `peek`, because `get` counts as a use and may drop an account that was found above and so is not read from the database.
        const account = loaded.get(spec.key) ?? loadedAs(spec, states.get(spec.key) ?? cache.peek(spec.key))
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
      const plan = planOf(transfers, (key) => loaded.get(key)?.stored, numbers)
      written = plan.last
      return {
        accounts: plan.opened,
        transfers: plan.rows,
        write: (into) => writePlan(into, plan, numbers.batch + 1n),
      }
    },
    remember() {
      for (const [key, { stored }] of loaded) cache.set(key, stored)
      for (const [key, state] of written) cache.set(key, state)
    },
    get changed() {
      return transfers.length > 0
    },
  }
}

/** Returns the states of those of these accounts that were ever used. */
async function readAccounts(
  tx: Tx,
  accounts: readonly AccountSpec[],
): Promise<ReadonlyMap<string, AccountState>> {
  const specs = new Map(accounts.map((spec) => [spec.key, spec]))
  const rows = specs.size === 0 ? [] : await queries.selectBalances(tx, [...specs.values()])
  return new Map(rows.map(({ key, ...state }) => [key, state]))
}

function loadedAs(spec: AccountSpec, stored: AccountState | undefined): Loaded {
  return { spec, stored, opened: stored?.currency }
}

function pairOf({ subject, step }: { readonly subject: string; readonly step: string }): string {
  return `${subject}/${step}`
}

/** The numbered rows that a batch writes, and the last state of each account. */
type Plan = {
  readonly opened: readonly ChainedAccount[]
  readonly rows: readonly ChainedTransfer[]
  readonly entries: readonly queries.EntryRow[]
  readonly last: ReadonlyMap<string, AccountState>
}

/** Assigns numbers to new accounts and to transfers, and makes two entries of each transfer. */
function planOf(
  transfers: readonly Transfer[],
  storedOf: (key: string) => AccountState | undefined,
  numbers: Numbers,
): Plan {
  const opened: ChainedAccount[] = []
  const rows: ChainedTransfer[] = []
  const entries: queries.EntryRow[] = []
  const last = new Map<string, AccountState>()

  const stateOf = (account: AccountSpec): AccountState => {
    const state = last.get(account.key) ?? storedOf(account.key)
    if (state !== undefined) return state
    const id = numbers.account + BigInt(opened.length) + 1n
    opened.push({ ...account, id })
    return { id, currency: account.currency, minor: 0n, entries: 0n }
  }
  const enter = (account: AccountSpec, transfer: bigint, change: bigint): bigint => {
    const { id, minor, entries: count } = stateOf(account)
    const balance = minor + change
    entries.push({ account: id, transfer, minor: change, balance })
    // The currency of the posting, so that the database compares it with the account's.
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
  const states = [...last.values()]
  const fresh = states.flatMap((state) => {
    const floored = flooredOf.get(state.id)
    return floored === undefined ? [] : [{ ...state, floored }]
  })
  invariant(fresh.length === opened.length, 'every account that is opened has an entry')
  await Promise.all([
    opened.length > 0 && queries.insertAccounts(tx, opened, batch),
    queries.insertTransfers(tx, rows, batch),
    queries.insertEntries(tx, entries),
    queries.writeBalances(
      tx,
      states.filter(({ id }) => !flooredOf.has(id)),
    ),
    fresh.length > 0 && queries.insertBalances(tx, fresh),
  ])
}
