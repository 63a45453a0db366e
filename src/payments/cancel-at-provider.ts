// When a payment ends unpaid, its attempts are canceled at their providers, so that the payer cannot pay them by mistake. Money that
// comes nevertheless is credited.
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

/** After this number of tries it is given up: the charge has expired at the provider by then. */
const triesMax = 12

/** Cancels attempts at their providers when they are due. */
export function createCanceler(deps: CancelDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<queries.DueCancellation>({
    name: 'attempt',
    log,
    leaseMs: minuteMs,
    claim: (slots, leaseMs) => queries.claimCancellations(sql, slots, leaseMs),
    run: (due) => cancel(deps, due),
    postpone: (due, waitMs) => queries.postponeCancellation(sql, due, waitMs),
    backoff: (tries) => Math.min(2 ** tries * secondMs, hourMs),
  })
}

/** Cancels the due attempts once. Returns how many it claimed. */
export function cancelDue(deps: CancelDeps): Promise<number> {
  return createCanceler(deps).once()
}

async function cancel(
  { sql, rails, log }: CancelDeps,
  due: queries.DueCancellation,
): Promise<'done' | 'later'> {
  const { attempt, claim } = due
  try {
    const opens = rails.get(attempt.method)?.opens
    if (opens !== undefined && opens.at !== 'CREATION') await opens.cancel(attempt)
  } catch (error) {
    log.warn(
      { attempt: attempt.id, claim: claim.number, error: messageOf(error) },
      'an attempt could not be canceled at its provider',
    )
    if (claim.number < triesMax) return 'later'
  }
  await queries.deleteCancellation(sql, due)
  return 'done'
}
