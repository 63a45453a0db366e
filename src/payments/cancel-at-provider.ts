// When a payment ends unpaid, its provider is told that nobody is to pay it any more. Only a courtesy to the payer: money
// that comes nevertheless is credited.
import type { Sql } from '#/db/client.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Rails } from '#/rails/rail.ts'
import * as queries from './attempt-queries.ts'

export type CancelDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
}

/** After so many tries it is given up: the charge has ended by its own time anyway. */
const triesMax = 12

/** Tells providers of attempts as they become due. */
export function createCanceler(deps: CancelDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<queries.Closing>({
    name: 'attempt',
    log,
    leaseMs: minuteMs,
    claim: (slots, leaseMs) => queries.claimClosings(sql, slots, leaseMs),
    run: (due) => cancel(deps, due),
    postpone: (due, waitMs) => queries.postponeClosing(sql, due, waitMs),
    backoff: (tries) => Math.min(2 ** tries * secondMs, hourMs),
  })
}

/** Tells providers once of the attempts that are due. Answers how many it took. */
export function cancelDue(deps: CancelDeps): Promise<number> {
  return createCanceler(deps).once()
}

async function cancel({ sql, rails, log }: CancelDeps, due: queries.Closing): Promise<'done' | 'later'> {
  const { attempt, claim } = due
  try {
    const opens = rails.get(attempt.method)?.opens
    if (opens !== undefined && opens.at !== 'CREATION') await opens.cancel(attempt)
  } catch (error) {
    log.warn(
      { attempt: attempt.id, claim: claim.number, error: messageOf(error) },
      'a provider was not told that a payment ended',
    )
    if (claim.number < triesMax) return 'later'
  }
  await queries.deleteClosing(sql, due)
  return 'done'
}
