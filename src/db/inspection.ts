// Inspections: what `verify` is made of. Each folder inspects its own tables, page by page in short transactions, while
// the system keeps running; what an inspection says is true of one instant for each page.
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Sql, Tx } from './client.ts'
import { classify } from './failure.ts'

/** A row that is not as it must be. */
export type RowFault = {
  /** Which row: the table and its key. */
  readonly row: string
  /** What is wrong with it, as a sentence without its subject. */
  readonly what: string
}

/** The same as a report has it: with the name of the inspection that says so. */
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
  /** Counts rows that were looked at. */
  saw(what: string, count: number): void
  fault(row: string, what: string): void
}

export type Inspection = {
  readonly name: string
  inspect(inspector: Inspector): Promise<void>
}

/** A kind of thing that money moves for: payments, withdrawals… Every transfer has one thing of one kind as its subject. */
export type SubjectKind = {
  /** Compares all of them with their transfers. Answers how many transfers up to the cut are theirs. */
  inspect(inspector: Inspector): Promise<bigint>
  /** Which of these ids are of this kind. */
  among(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>>
}

/** Runs statements that all see one instant, and may only read. Short: a page of rows, not a table. */
export async function inSnapshot<T extends object>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  let seen: T | undefined
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx.unsafe(
      `set local statement_timeout = '5s'; set local idle_in_transaction_session_timeout = '5s'`,
    )
    seen = await work(tx)
  })
  return must(seen, 'a snapshot shows something')
}

/**
 * Walks rows in the order of their key: `load` answers the page after a row, in order, empty at the end. Memory holds one
 * page, however many there are.
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

export type Checked = { readonly inspection: string; readonly what: string; readonly count: number }

export type Report = {
  readonly upTo: Cut
  /** All inspections, in their order: also those that found nothing to look at. */
  readonly inspections: readonly string[]
  /** What was looked at, and how many of it. */
  readonly checked: readonly Checked[]
  /** The first of them: a thousand at most. */
  readonly faults: readonly ReportedFault[]
  readonly faultCount: number
}

const faultsKept = 1_000

/**
 * Runs the inspections one after another. `onProgress` is called after each page with what was counted so far. A row that
 * no inspection can read is a fault like any other; rejects only when the database goes away.
 */
export async function inspectAll(
  inspections: readonly Inspection[],
  books: Pick<Inspector, 'sql' | 'cell' | 'upTo'>,
  onProgress: (checked: Checked) => void = () => {},
): Promise<Report> {
  const checked: Checked[] = []
  const faults: ReportedFault[] = []
  let faultCount = 0
  for (const { name, inspect } of inspections) {
    const counts = new Map<string, number>()
    const fault: Inspector['fault'] = (row, what) => {
      faultCount += 1
      if (faults.length < faultsKept) faults.push({ inspection: name, row, what })
    }
    const saw: Inspector['saw'] = (what, count) => {
      counts.set(what, (counts.get(what) ?? 0) + count)
      onProgress({ inspection: name, what, count: counts.get(what) ?? 0 })
    }
    try {
      await inspect({ ...books, saw, fault })
    } catch (error) {
      if (classify(error) !== 'poison') throw error
      fault('inspection', `could not be finished: ${messageOf(error)}`)
    }
    for (const [what, count] of counts) checked.push({ inspection: name, what, count })
  }
  const names = inspections.map(({ name }) => name)
  return { upTo: books.upTo, inspections: names, checked, faults, faultCount }
}
