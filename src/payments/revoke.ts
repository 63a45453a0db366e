// When a payment ends unpaid, its provider is told that nobody is to pay it any more. Only a courtesy to the payer: money
// that comes nevertheless is credited.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Rails } from '#/rails/rail.ts'
import * as queries from './attempt-queries.ts'

export type RevokeDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
}

const leaseMs = minuteMs
/** After so many tries it is given up: the charge has ended by its own time anyway. */
const triesMax = 12

/** Tells providers of the attempts that are due. Answers how many it took. */
export async function revokeDue(deps: RevokeDeps): Promise<number> {
  const due = await queries.claimClosings(deps.sql, leaseMs, 100)
  await Promise.all(due.map((each) => revoke(deps, each)))
  return due.length
}

async function revoke({ sql, rails, log }: RevokeDeps, due: queries.Closing): Promise<void> {
  try {
    await rails.get(due.attempt.method)?.close?.(due.attempt)
    await queries.deleteClosing(sql, due.attempt)
  } catch (error) {
    log.warn(
      { attempt: due.attempt.id, error: messageOf(error) },
      'a provider was not told that a payment ended',
    )
    if (due.tries >= triesMax) return queries.deleteClosing(sql, due.attempt)
    const waitMs = Math.min(2 ** due.tries * secondMs, hourMs)
    await queries.postponeClosing(sql, due.attempt, waitMs)
  }
}
