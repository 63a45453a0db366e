// Checks opened attempts at their providers, because callbacks get lost: often while the payer may be looking at the page, and less
// often later. A payment expires only after its provider was queried once more.
import type { Sql } from '#/db/client.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import { type OpenedAttempt, type Rails, pageOf } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import * as attempts from './attempt-queries.ts'
import * as queries from './check-queries.ts'
import type { DueCheck } from './check-queries.ts'

export type CheckDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider answered. */
  readonly settle: (receipts: readonly Receipt[], inquiry?: Inquiry) => Promise<unknown>
}

/** After this time an attempt is not checked any more: only a callback can report its money. */
const givenUpMs = 7 * 24 * hourMs

/** How long after its opening an attempt is checked first. */
export const firstCheckMs = 10 * secondMs

/**
 * Checks an opened attempt now and settles the answer, for a caller that expects a change. Does nothing for an attempt that is not
 * to be checked. Throws ProviderError when the provider does not answer.
 */
export async function checkAttempt(
  deps: CheckDeps,
  attempt: Pick<OpenedAttempt, 'merchantId' | 'id'>,
): Promise<void> {
  const { merchantId, id: attemptId } = attempt
  const due = await queries.selectCheck(deps.sql, { merchantId, attemptId })
  if (due !== undefined) await checkAtProvider(deps, due)
}

/** Checks attempts when they are due. */
export function createChecker(deps: CheckDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<DueCheck>({
    name: 'attempt',
    log,
    leaseMs: minuteMs,
    isDue: queries.isCheckDue,
    claim: (slots, leaseMs) => queries.claimChecks(sql, slots, leaseMs),
    run: (due) => checkOrPostpone(deps, due),
    postpone: (due, waitMs) => queries.writeSilence(sql, due, waitMs),
  })
}

/** Checks the due attempts once. Returns how many it claimed. */
export function checkDue(deps: CheckDeps): Promise<number> {
  return createChecker(deps).once()
}

async function checkOrPostpone(deps: CheckDeps, due: DueCheck): Promise<'done'> {
  const { sql, log } = deps
  try {
    await checkAtProvider(deps, due)
  } catch (error) {
    const { attempt, silent, claim } = due
    const named = { attempt: attempt.id, silent, claim: claim.number }
    log.warn({ ...named, error: messageOf(error) }, 'a provider did not report the state of an attempt')
    if (isGivenUp(due)) await queries.deleteCheck(sql, due)
    else if (!(await queries.writeSilence(sql, due, waitAfterSilence(due))))
      log.warn(named, 'another worker has claimed it since and decides when it is due again')
  }
  return 'done'
}

async function checkAtProvider({ sql, rails, settle }: CheckDeps, due: DueCheck): Promise<void> {
  const { attempt, claimedAt } = due
  const { check } = must(pageOf(rails.get(attempt.method)), `${attempt.method} can check an attempt`)
  const { receipts, isOver } = await check(attempt)
  // Settled before the check is recorded: otherwise the payment could expire although its money was found.
  if (receipts.length > 0) await settle(receipts, { at: claimedAt })
  if (isOver) return queries.endCheck(sql, due)
  if (isGivenUp(due)) return queries.deleteCheck(sql, due)
  await queries.writeChecked(sql, due, nextCheckMs(due))
}

/** Every 10 s for five minutes, every minute for an hour, then every ten minutes; and when the payment expires. */
export function nextCheckMs({
  openedAt,
  expiresAt,
  claimedAt,
}: Pick<DueCheck, 'openedAt' | 'expiresAt' | 'claimedAt'>): number {
  const ageMs = claimedAt.getTime() - openedAt.getTime()
  const regularMs = ageMs < 5 * minuteMs ? 10 * secondMs : ageMs < hourMs ? minuteMs : 10 * minuteMs
  const endsInMs = expiresAt === null ? 0 : expiresAt.getTime() - claimedAt.getTime()
  return endsInMs > 0 ? Math.min(endsInMs, regularMs) : regularMs
}

/** Longer after each silence, except while an expired payment waits for the answer. */
function waitAfterSilence({ silent, expiresAt, claimedAt }: DueCheck): number {
  const isWaiting = expiresAt !== null && expiresAt <= claimedAt
  return isWaiting ? 10 * secondMs : Math.min(2 ** silent * 10 * secondMs, minuteMs)
}

function isGivenUp({ openedAt, claimedAt }: DueCheck): boolean {
  return addMs(openedAt, givenUpMs) <= claimedAt
}

// When a payment ends unpaid, its attempts are canceled at their providers, so that the payer cannot pay them by mistake. Money that
// comes nevertheless is credited.

type CancelDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
}

/** After this number of tries it is given up: the charge has expired at the provider by then. */
const triesMax = 12

/** Cancels attempts at their providers when they are due. */
export function createCanceler(deps: CancelDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<attempts.DueCancellation>({
    name: 'attempt',
    log,
    leaseMs: minuteMs,
    isDue: attempts.isCancellationDue,
    claim: (slots, leaseMs) => attempts.claimCancellations(sql, slots, leaseMs),
    run: (due) => cancel(deps, due),
    postpone: (due, waitMs) => attempts.postponeCancellation(sql, due, waitMs),
    backoff: (tries) => Math.min(2 ** tries * secondMs, hourMs),
  })
}

/** Cancels the due attempts once. Returns how many it claimed. */
export function cancelDue(deps: CancelDeps): Promise<number> {
  return createCanceler(deps).once()
}

async function cancel(
  { sql, rails, log }: CancelDeps,
  due: attempts.DueCancellation,
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
  await attempts.deleteCancellation(sql, due)
  return 'done'
}
