// Instants and the order of the books: which transfers lie before an instant, for good.
import type { Sql, Tx } from '#/db/client.ts'
import { addMs, minuteMs, sleep, unixSeconds } from '#/kernel/time.ts'
import * as queries from './flow-queries.ts'

/** Longer than any batch lasts: every earlier batch is committed or abandoned by then. */
const settledAfterMs = minuteMs

/**
 * Makes sure that nothing more will be posted before these instants, as far as they are past: a batch has the instant of its
 * beginning, and becomes visible at its end. Returns the time of the database's clock, which decides.
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
 * The instant from which on everything that is posted is later than `at`. Waits until nothing more will be posted up to `at`.
 * Instants of the books are whole milliseconds. Undefined when `at` is in the future.
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

/** Before any entry of the books: callers may name years that the database cannot store. */
export const beginning = unixSeconds(0n)
export const end = unixSeconds(253_402_214_400n)

/** For each instant the number of the last transfer before it. For a future instant: the last existing one. */
export function positionsBefore(tx: Tx, instants: readonly Date[]): Promise<readonly bigint[]> {
  return queries.selectPositions(
    tx,
    instants.map((each) => (each < beginning ? beginning : each)),
  )
}
