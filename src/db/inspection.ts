// Inspections: the parts of `verify`. Each reads its tables page by page in short transactions, while the system keeps running.
// So its result is true for one instant per page.
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Sql, Tx } from './client.ts'
import { classify } from './failure.ts'
import { lengthened } from './limits.ts'

/** A row that is not as it must be. */
export type RowFault = {
  /** The name of the row: its table and key. */
  readonly row: string
  /** What is wrong with it, as a sentence without its subject. */
  readonly what: string
}

/** A fault in the report, with the name of the inspection that found it. */
export type ReportedFault = RowFault & { readonly inspection: string }

/** The end of the chain of batches up to which the books are inspected: the numbers of the head at that instant. */
export type Cut = {
  readonly batch: bigint
  readonly transfer: bigint
  readonly account: bigint
  readonly hash: Buffer
  readonly at: Date
}

export type Inspector = {
  readonly sql: Sql
  readonly cell: string
  readonly upTo: Cut
  /** Counts the rows of a kind that were inspected. */
  inspected(what: string, count: number): void
  fault(row: string, what: string): void
  /** Counts money, in minor units and without a sign, that no record explains. */
  unexplained(currency: string, minor: bigint): void
}

export type Inspection = {
  readonly name: string
  inspect(inspector: Inspector): Promise<void>
}

/** A kind of subject of transfers: payments, withdrawals … The subject of each transfer is of exactly one kind. */
export type SubjectKind = {
  /** Compares all subjects with their transfers. Returns how many transfers up to the cut belong to them. */
  inspect(inspector: Inspector): Promise<bigint>
  /** Returns which of these ids are of this kind. */
  among(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>>
}

/** Runs read-only statements that all read one instant. For short work: a page of rows, not a table. */
export async function inSnapshot<T extends object>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  let result: T | undefined
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx.unsafe(
      `set local statement_timeout = '${lengthened(5)}s'; set local idle_in_transaction_session_timeout = '${lengthened(5)}s'`,
    )
    result = await work(tx)
  })
  return must(result, 'a snapshot has a result')
}

/**
 * Visits rows in the order of their key. `load` returns the page after a row, in order, and an empty one at the end. Memory holds
 * one page at a time.
 */
export async function eachPage<Row>(
  load: (after: Row | undefined) => Promise<readonly Row[]>,
  visit: (rows: readonly Row[]) => Promise<void> | void,
): Promise<void> {
  let last: Row | undefined
  for (;;) {
    const rows = await load(last)
    if (rows.length === 0) return
    await visit(rows)
    last = rows.at(-1)
  }
}

/** The inspection under way is the one after `done` of `total`. */
export type Place = { readonly done: number; readonly total: number }

/** Money of a currency that no record explains, whatever its mode: transfers of nothing, and balances that differ from their entries. */
export type Unexplained = { readonly currency: string; readonly minor: bigint }

export type Checked = { readonly inspection: string; readonly what: string; readonly count: number }

export type Report = {
  readonly upTo: Cut
  /** All inspections, in their order, also those without rows. */
  readonly inspections: readonly string[]
  /** The inspected rows, counted by their kind. */
  readonly checked: readonly Checked[]
  /** The first faults, at most 1,000. */
  readonly faults: readonly ReportedFault[]
  readonly faultCount: number
  /** One for each currency of the accounts, by name; zero where everything is explained. */
  readonly unexplained: readonly Unexplained[]
}

const faultsKept = 1_000

/**
 * Runs the inspections one after another. `onProgress` is called after each page with the count so far. A row that an inspection
 * cannot read is a fault too. Rejects only when the database is not reachable, and when `signal` is aborted, after a page.
 */
export async function inspectAll(
  inspections: readonly Inspection[],
  books: Pick<Inspector, 'sql' | 'cell' | 'upTo'>,
  onProgress: (checked: Checked, place: Place) => void = () => {},
  signal?: AbortSignal,
): Promise<Report> {
  const checked: Checked[] = []
  const faults: ReportedFault[] = []
  let faultCount = 0
  const sums = new Map<string, bigint>()
  const unexplained: Inspector['unexplained'] = (currency, minor) => {
    sums.set(currency, (sums.get(currency) ?? 0n) + (minor < 0n ? -minor : minor))
  }
  for (const [done, { name, inspect }] of inspections.entries()) {
    signal?.throwIfAborted()
    const counts = new Map<string, number>()
    const fault: Inspector['fault'] = (row, what) => {
      faultCount += 1
      if (faults.length < faultsKept) faults.push({ inspection: name, row, what })
    }
    const inspected: Inspector['inspected'] = (what, count) => {
      counts.set(what, (counts.get(what) ?? 0) + count)
      onProgress(
        { inspection: name, what, count: counts.get(what) ?? 0 },
        { done, total: inspections.length },
      )
      signal?.throwIfAborted()
    }
    try {
      await inspect({ ...books, inspected, fault, unexplained })
    } catch (error) {
      if (signal?.aborted || classify(error) !== 'poison') throw error
      fault('inspection', `could not be finished: ${messageOf(error)}`)
    }
    for (const [what, count] of counts) checked.push({ inspection: name, what, count })
  }
  const names = inspections.map(({ name }) => name)
  const byCurrency = [...sums].map(([currency, minor]) => ({ currency, minor }))
  return {
    upTo: books.upTo,
    inspections: names,
    checked,
    faults,
    faultCount,
    unexplained: byCurrency.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  }
}
