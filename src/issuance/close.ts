// Ends lost attempts at their providers, so that payers do not pay what the books have lost. The provider's answer says what
// was paid before; that money goes to suspense like any money that fits no attempt.
import type { Sql } from '#/db/client.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { ProviderError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { OpenedAttempt, Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import * as queries from './queries.ts'

export type CloserDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider answered. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
}

/** About four days of tries, an hour apart in the end: by then most charges have expired at their providers. */
const triesMax = 100

const saidMax = 500

/** Ends lost attempts when they are due. */
export function createLostCloser(deps: CloserDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<queries.DueClosing>({
    name: 'lost attempt',
    log,
    leaseMs: minuteMs,
    isDue: queries.isClosingDue,
    claim: (slots, leaseMs) => queries.claimClosings(sql, slots, leaseMs),
    run: (due) => close(deps, due),
    postpone: (due, waitMs) => queries.postponeClosing(sql, due, waitMs),
    backoff: (tries) => Math.min(2 ** tries * secondMs, hourMs),
  })
}

async function close(deps: CloserDeps, due: queries.DueClosing): Promise<'done' | 'later'> {
  const { sql, log, settle } = deps
  const { attempt, claim } = due
  try {
    const receipts = await end(deps.rails, attempt, due.name)
    // Booked before the end is noted: after a crash in between, the provider is queried again.
    if (receipts.length > 0) await settle(receipts)
    await queries.endClosing(sql, due, receipts.some(isMoney) ? 'PAID' : 'CLOSED')
    return 'done'
  } catch (error) {
    const reason = messageOf(error).slice(0, saidMax)
    log.warn({ attempt: attempt.id, claim: claim.number, error: reason }, 'a lost charge could not be ended')
    await queries.writeSaid(sql, due, reason)
    if (claim.number < triesMax) return 'later'
  }
  await queries.endClosing(sql, due, 'GIVEN_UP')
  return 'done'
}

/** Returns what the provider has received by it. Throws while it can still be paid, or may be. */
async function end(
  rails: Rails,
  attempt: queries.DueClosing['attempt'],
  name: string | null,
): Promise<readonly Receipt[]> {
  const rail = rails.get(attempt.method)
  const opens = rail?.opens
  if (opens === undefined || opens.at === 'CREATION')
    throw new ProviderError('unavailable', `there is no provider of ${attempt.method} here`)
  if (opens.namedBy !== undefined && name === null)
    throw new ProviderError('unavailable', 'the log does not have the name by which its provider knows it')
  const artifacts = opens.namedBy === undefined ? {} : { [opens.namedBy]: name }
  const opened: OpenedAttempt = { ...attempt, artifacts }
  if (opens.at === 'PAGE') {
    await opens.cancel(opened)
    const { receipts, isOver } = await opens.check(opened)
    if (!isOver) throw new ProviderError('unknown', 'its payer may be paying it')
    // No payment of ours waits for this authorisation, so nobody can capture it: voided, the payer gets the money back now and
    // not when it lapses.
    const isHeld = !receipts.some(isMoney) && receipts.some(({ outcome }) => outcome === 'authorised')
    return isHeld
      ? [...receipts, ...((await rail?.authorisations?.void({ attempt: opened })) ?? [])]
      : receipts
  }
  const { receipts, isOver } = await opens.close(opened)
  // A charge that its provider does not know was never created there: then a cancellation is enough. If the charge is paid, the
  // call throws nothing either.
  if (!isOver) await opens.cancel(opened)
  return receipts
}

function isMoney({ outcome }: Receipt): boolean {
  return outcome === 'paid'
}
