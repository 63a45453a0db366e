// Asking providers what became of opened attempts, because callbacks get lost: often while a payer may be in front of the
// page, and less often the longer it takes. A payment expires only after its provider was asked once more.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { OpenedAttempt, Rails, Receipt } from '#/rails/rail.ts'
import * as queries from './check-queries.ts'
import type { DueCheck } from './check-queries.ts'

export type CheckDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider said. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
}

const leaseMs = minuteMs
/** From then on nobody is asked about an attempt: what comes of it is told by callbacks, or not at all. */
const givenUpMs = 7 * 24 * hourMs

/** How long after its opening an attempt is asked about first. */
export const firstCheckMs = 10 * secondMs

/**
 * Asks what became of an opened attempt and settles it: for whoever has a reason to think that something did. Nothing for
 * one whose rail cannot be asked. Throws ProviderError when nobody answers.
 */
export async function checkAttempt(
  deps: CheckDeps,
  attempt: Pick<OpenedAttempt, 'merchantId' | 'id'>,
): Promise<void> {
  const due = await queries.selectCheck(deps.sql, { merchantId: attempt.merchantId, attemptId: attempt.id })
  if (due !== undefined) await ask(deps, due)
}

/** Asks about the attempts that are due. Answers how many it took. */
export async function checkDue(deps: CheckDeps): Promise<number> {
  const due = await queries.claimChecks(deps.sql, leaseMs, 50)
  await Promise.all(due.map((each) => askOrWait(deps, each)))
  return due.length
}

async function askOrWait(deps: CheckDeps, due: DueCheck): Promise<void> {
  const { sql, log } = deps
  try {
    await ask(deps, due)
  } catch (error) {
    const { attempt, silent } = due
    log.warn(
      { attempt: attempt.id, silent, error: messageOf(error) },
      'nobody says what became of an attempt',
    )
    if (isGivenUp(due)) return queries.deleteCheck(sql, attempt)
    await queries.writeSilence(sql, attempt, waitAfterSilence(due))
  }
}

async function ask({ sql, rails, settle }: CheckDeps, due: DueCheck): Promise<void> {
  const { attempt, readAt } = due
  const check = must(rails.get(attempt.method)?.check, `${attempt.method} can be asked about an attempt`)
  const { receipts, isOver } = await check(attempt)
  // Settled before anything says that it was asked: a payment must not expire over money that was found.
  if (receipts.length > 0) await settle(receipts)
  if (isOver) return queries.endCheck(sql, attempt, readAt)
  if (isGivenUp(due)) return queries.deleteCheck(sql, attempt)
  await queries.writeChecked(sql, attempt, { checkedAt: readAt, waitMs: nextCheckMs(due) })
}

/** Every 10 s for five minutes, every minute for an hour, then every ten; and at the moment when the payment ends. */
export function nextCheckMs({
  openedAt,
  expiresAt,
  readAt,
}: Pick<DueCheck, 'openedAt' | 'expiresAt' | 'readAt'>): number {
  const ageMs = readAt.getTime() - openedAt.getTime()
  const regularMs = ageMs < 5 * minuteMs ? 10 * secondMs : ageMs < hourMs ? minuteMs : 10 * minuteMs
  const endsInMs = expiresAt === null ? 0 : expiresAt.getTime() - readAt.getTime()
  return endsInMs > 0 && endsInMs < regularMs ? endsInMs : regularMs
}

/** Slower from time to time, but not while a payment waits for the answer to end. */
function waitAfterSilence({ silent, expiresAt, readAt }: DueCheck): number {
  const isWaiting = expiresAt !== null && expiresAt <= readAt
  return isWaiting ? 10 * secondMs : Math.min(2 ** silent * 10 * secondMs, minuteMs)
}

function isGivenUp({ openedAt, readAt }: DueCheck): boolean {
  return addMs(openedAt, givenUpMs) <= readAt
}
