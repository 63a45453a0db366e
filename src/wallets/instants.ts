// Instants and the order of the books: which transfers lie before an instant, once and for all.
import type { Sql, Tx } from '#/db/client.ts'
import { addMs, minuteMs, sleep, unixSeconds } from '#/kernel/time.ts'
import * as queries from './flow-queries.ts'

/** Long after every batch that began before it was committed or given up. */
const settledAfterMs = minuteMs

/**
 * Makes sure that nothing more will be posted before those of these instants that are over: a batch has its instant from
 * its beginning, and is seen at its end. Answers the database's clock, which is the one that counts.
 */
export async function settleInstants(sql: Sql, instants: readonly Date[]): Promise<Date> {
  const { now, lastBatchAt } = await queries.selectClock(sql)
  const isOpen = instants.some(
    (each) =>
      each <= now &&
      each > addMs(now, -settledAfterMs) &&
      // Batches are in the order of time, so none will come before the last one.
      (lastBatchAt === null || lastBatchAt < each),
  )
  if (isOpen) await queries.awaitBatch(sql)
  return now
}

/**
 * The instant after which everything belongs to a later one than `at`, when nothing more will be posted before it. Instants
 * of the books are whole milliseconds. Undefined when `at` is yet to come.
 */
export async function settledAfter(sql: Sql, at: Date): Promise<Date | undefined> {
  const after = addMs(at, 1)
  for (;;) {
    const now = await settleInstants(sql, [after])
    if (at > now) return undefined
    if (after <= now) return after
    await sleep(1)
  }
}

/** The books are younger, and will be closed before: the years that callers may name reach further than the database. */
export const beginning = unixSeconds(0n)
export const end = unixSeconds(253_402_214_400n)

/** For each instant the number of the last transfer before it. For an instant yet to come: the last one that there is. */
export function positionsBefore(tx: Tx, instants: readonly Date[]): Promise<readonly bigint[]> {
  return queries.selectPositions(
    tx,
    instants.map((each) => (each < beginning ? beginning : each)),
  )
}
