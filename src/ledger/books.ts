// The books of one batch: balances read under the lock, changed in memory by `apply`, and written at the end.
import type { Tx } from '#/db/client.ts'
import { invariant, must } from '#/kernel/check.ts'
import { apply, type Posting, type Transfer } from './apply.ts'
import type { ChainedAccount, ChainedTransfer } from './chain.ts'
import type { AccountSpec } from './chart.ts'
import type { Books } from './kind.ts'
import * as queries from './queries.ts'

/** What is known of an account. Accounts are never deleted or changed, so an id once read stays true. */
type Known = { readonly id: bigint; readonly minor: bigint; readonly entries: bigint }

/** Balances that survive from batch to batch while nobody else has written one in between. */
export type BooksCache = {
  readonly ids: Map<string, bigint>
  readonly balances: Map<string, { readonly minor: bigint; readonly entries: bigint }>
}

export function emptyCache(): BooksCache {
  return { ids: new Map(), balances: new Map() }
}

/** Beyond so many accounts the cache is dropped whole: it is a short cut, not a store. */
const cacheMax = 200_000

export type BatchBooks = Books & {
  /** Writes accounts, transfers, entries and balances. Answers what was written, for the chain. */
  flush(tx: Tx, numbers: Numbers): Promise<Flushed>
  /** After the commit: what this batch left behind is what the next one starts from. */
  remember(): void
  readonly changed: boolean
}

/** The numbers of the head before this batch. */
export type Numbers = { readonly batch: bigint; readonly transfer: bigint; readonly account: bigint }

export type Flushed = { readonly accounts: readonly ChainedAccount[]; readonly transfers: readonly ChainedTransfer[] }

export function openBooks(tx: Tx, cache: BooksCache): BatchBooks {
  const loaded = new Map<string, Known | undefined>()
  const specs = new Map<string, AccountSpec>()
  const balances = new Map<string, bigint>()
  const earlier = new Map<string, Transfer>()
  const transfers: Transfer[] = []
  const written = new Map<string, Known>()

  async function load(accounts: readonly AccountSpec[], subjects: readonly string[] = []): Promise<void> {
    const wanted = accounts.filter((account) => !loaded.has(account.key))
    for (const account of wanted) specs.set(account.key, account)
    await Promise.all([loadBalances(wanted), loadEarlier(subjects)])
  }

  async function loadBalances(wanted: readonly AccountSpec[]): Promise<void> {
    const missing: AccountSpec[] = []
    for (const account of wanted) {
      const id = cache.ids.get(account.key)
      const balance = cache.balances.get(account.key)
      if (id !== undefined && balance !== undefined) loaded.set(account.key, { id, ...balance })
      else missing.push(account)
    }
    if (missing.length === 0) return
    for (const account of missing) loaded.set(account.key, undefined)
    for (const row of await queries.selectBalances(tx, missing)) {
      loaded.set(row.key, { id: row.id, minor: row.minor, entries: row.entries })
    }
  }

  async function loadEarlier(subjects: readonly string[]): Promise<void> {
    if (subjects.length === 0) return
    for (const transfer of await queries.selectTransfersOf(tx, subjects)) earlier.set(pair(transfer), transfer)
  }

  function balance(account: AccountSpec): bigint {
    invariant(loaded.has(account.key), `${account.key} was not loaded`)
    return balances.get(account.key) ?? loaded.get(account.key)?.minor ?? 0n
  }

  function post(postings: readonly Posting[]) {
    const applied = apply({ balance, earlier: (subject, step) => earlier.get(pair({ subject, step })) }, postings)
    if (!applied.ok) return applied
    for (const [key, minor] of applied.after) balances.set(key, minor)
    for (const transfer of applied.transfers) {
      earlier.set(pair(transfer), transfer)
      transfers.push(transfer)
    }
    return { ok: true } as const
  }

  async function flush(tx: Tx, numbers: Numbers): Promise<Flushed> {
    if (transfers.length === 0) return { accounts: [], transfers: [] }
    const touched = new Set(transfers.flatMap(({ debit, credit }) => [debit.key, credit.key]))
    const opened: ChainedAccount[] = []
    const ids = new Map<string, bigint>()
    for (const key of touched) {
      const known = loaded.get(key)
      if (known !== undefined) {
        ids.set(key, known.id)
        continue
      }
      const spec = must(specs.get(key), `${key} was not loaded`)
      const id = numbers.account + BigInt(opened.length) + 1n
      ids.set(key, id)
      opened.push({ ...spec, id })
    }
    const rows = numberTransfers(transfers, ids, numbers.transfer)
    const entries = entriesOf(transfers, rows, (key) => loaded.get(key))
    for (const [key, last] of entries.last) written.set(key, { id: must(ids.get(key), key), ...last })
    await Promise.all([
      opened.length > 0 && queries.insertAccounts(tx, opened, numbers.batch + 1n),
      queries.insertTransfers(tx, rows, numbers.batch + 1n),
      queries.insertEntries(tx, entries.rows),
      queries.writeBalances(tx, [...written.values()].filter((known) => !isNew(known.id, opened))),
      opened.length > 0 && queries.insertBalances(tx, opened.map((account) => ({ ...account, ...must(written.get(keyOf(account)), account.name) }))),
    ])
    return { accounts: opened, transfers: rows }
  }

  function remember(): void {
    if (cache.balances.size > cacheMax) cache.balances.clear()
    for (const [key, known] of loaded) if (known !== undefined) store(cache, key, known)
    for (const [key, known] of written) store(cache, key, known)
  }

  return {
    load,
    post,
    balance,
    flush,
    remember,
    get changed() {
      return transfers.length > 0
    },
  }
}

function store(cache: BooksCache, key: string, { id, minor, entries }: Known): void {
  cache.ids.set(key, id)
  cache.balances.set(key, { minor, entries })
}

function isNew(id: bigint, opened: readonly ChainedAccount[]): boolean {
  const first = opened[0]
  return first !== undefined && id >= first.id
}

function keyOf({ mode, name }: ChainedAccount): string {
  return `${mode}/${name}`
}

function pair({ subject, step }: { readonly subject: string; readonly step: string }): string {
  return `${subject}/${step}`
}

function numberTransfers(
  transfers: readonly Transfer[],
  ids: ReadonlyMap<string, bigint>,
  from: bigint,
): readonly ChainedTransfer[] {
  return transfers.map(({ subject, step, kind, debit, credit, minor, cause }, index) => ({
    number: from + BigInt(index) + 1n,
    subject,
    step,
    kind,
    debit: must(ids.get(debit.key), debit.key),
    credit: must(ids.get(credit.key), credit.key),
    minor,
    cause,
  }))
}

export type EntryRow = {
  readonly account: bigint
  readonly transfer: bigint
  readonly minor: bigint
  readonly balance: bigint
}

/** Two entries for each transfer, with the running balance of each account, and where each account ends. */
function entriesOf(
  transfers: readonly Transfer[],
  rows: readonly ChainedTransfer[],
  known: (key: string) => Known | undefined,
): { readonly rows: readonly EntryRow[]; readonly last: ReadonlyMap<string, { minor: bigint; entries: bigint }> } {
  const last = new Map<string, { minor: bigint; entries: bigint }>()
  const entries: EntryRow[] = []
  for (const [index, { debit, credit, minor }] of transfers.entries()) {
    const row = must(rows[index], 'a row for each transfer')
    for (const [account, id, side] of [
      [debit, row.debit, 'DEBIT'],
      [credit, row.credit, 'CREDIT'],
    ] as const) {
      const start = last.get(account.key) ?? { minor: known(account.key)?.minor ?? 0n, entries: known(account.key)?.entries ?? 0n }
      const change = account.side === side ? minor : -minor
      const balance = start.minor + change
      last.set(account.key, { minor: balance, entries: start.entries + 1n })
      entries.push({ account: id, transfer: row.number, minor: change, balance })
    }
  }
  return { rows: entries, last }
}
