// The worker's side of withdrawals: the intent is committed, the provider is asked, and asked again until the end is known.
// What it answers is settled; a call whose end is unknown is only ever looked up.
import type { Sql } from '#/db/client.ts'
import type { Claim } from '#/jobs/claim.ts'
import { dueWorker, usualBackoff, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PayoutOrder, PayoutRail, PayoutRails, PayoutResult } from '#/rails/payout-rail.ts'
import { wordsOf } from '#/rails/refusal.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { isFrozenNow } from '#/merchants/freeze-queries.ts'
import type { DecisionKind, DecisionVerdict } from './decide.ts'
import * as queries from './queries.ts'
import { isEnded, type Withdrawal } from './withdrawal.ts'

/** What is known of a payout now: the provider's word, or that its end is unknown for so long that a person must look. */
export type PayoutNews = PayoutResult | { readonly state: 'silent' }

/**
 * `noted`: it contradicts what we know, and changes nothing. `reversed`: it contradicts how it had ended here, and is booked
 * as what it is. `superseded`: somebody else has taken the withdrawal since, and may
 * have sent it again, so that a refusal no longer tells its end.
 */
export type SettledAs = 'settled' | 'repeated' | 'noted' | 'reversed' | 'superseded'

export type WithdrawalSenderDeps = {
  readonly sql: Sql
  readonly rails: PayoutRails
  readonly lane: LedgerLane<EventDraft>
  readonly decisionKind: DecisionKind
  readonly clock: Clock
  readonly log: Log
  /** Settles what a provider said. `take`: whose call it answered. */
  readonly settle: (withdrawal: Withdrawal, news: PayoutNews, claim?: Claim) => Promise<SettledAs>
  /** How long a withdrawal is left to the worker that took it, and how long that one may send it. */
  readonly leaseMs?: number
  readonly sendWithinMs?: number
}

const usualSendWithinMs = 30 * secondMs
/** A payout without an end for so long is one for a person. It is still looked up, for ever. */
const silenceMs = hourMs

/** A withdrawal in this worker's hands, and what its own clock said just before it was taken. */
type Taken = queries.DueWithdrawal & { readonly sinceAt: Date }

/** Asks for withdrawals as they become due. */
export function createWithdrawalSender(deps: WithdrawalSenderDeps): DueWorker {
  const { sql, clock, log, leaseMs = minuteMs } = deps
  return dueWorker<Taken>({
    name: 'withdrawal',
    log,
    leaseMs,
    concurrency: { each: 100, total: 2_000 },
    async claim(slots, forMs) {
      const sinceAt = clock.now()
      const due = await queries.claimDue(sql, slots, forMs)
      return due.map((each) => ({ ...each, sinceAt }))
    },
    run: (due) => ask(deps, due),
    postpone: (due, waitMs) => postpone(deps, due, waitMs, false),
  })
}

/** Asks once for everything that is due, and waits for the answers. Answers how many it took. */
export function sendDueWithdrawals(deps: WithdrawalSenderDeps): Promise<number> {
  return createWithdrawalSender(deps).once()
}

async function ask(deps: WithdrawalSenderDeps, due: Taken): Promise<'done' | 'later'> {
  const { sql } = deps
  const outcome = await advance(deps, due)
  const waitMs = usualBackoff(due.claim.number)
  switch (outcome) {
    case 'under way':
      return 'later'
    case 'ended':
      await queries.dropDue(sql, due)
      return 'done'
    case 'frozen':
      // No worker takes it while it is frozen; one does right after the freeze ends.
      await queries.releaseDue(sql, due, 0)
      return 'done'
    case 'held back':
      await queries.releaseDue(sql, due, waitMs)
      return 'done'
    case 'not sent':
      await postpone(deps, due, waitMs, true)
      return 'done'
  }
}

function postpone(
  { sql }: WithdrawalSenderDeps,
  due: Taken,
  waitMs: number,
  wasNotSent: boolean,
): Promise<boolean> {
  return queries.postponeDue(sql, due, { waitMs, wasNotSent })
}

/** `frozen`, `held back`: it was certainly never sent, and is not now, because money is frozen or limits do not allow it. */
type Outcome = 'ended' | 'under way' | 'not sent' | 'frozen' | 'held back'

async function advance(deps: WithdrawalSenderDeps, due: Taken): Promise<Outcome> {
  const { lane, decisionKind } = deps
  const { withdrawal: before, askedAt } = due
  if (isEnded(before)) return lookAgain(deps, before)
  const begun = await lane.submit(decisionKind, {
    id: before.id,
    event: 'sending',
    inDoubt: askedAt !== null,
  })
  if (begun.kind === 'refused' && isEnded(begun.withdrawal)) return 'ended'
  if (begun.kind === 'frozen' || begun.kind === 'limited') {
    logHeldBack(deps, before, begun)
    const mayBeOnItsWay = begun.withdrawal.status === 'PROCESSING' && askedAt !== null
    if (!mayBeOnItsWay) return begun.kind === 'frozen' ? 'frozen' : 'held back'
    return send(deps, due, begun.withdrawal, async () => false)
  }
  if (begun.kind !== 'decided' && begun.kind !== 'already') return 'under way'
  const { merchantId, type } = begun.withdrawal
  return send(
    deps,
    due,
    begun.withdrawal,
    async () => !(await isFrozenNow(deps.sql, { merchantId, rail: type })),
  )
}

/** The limits have changed since it was accepted and do not allow it any more: a person must review it. Logged once, when it is found. */
function logHeldBack(
  { log }: WithdrawalSenderDeps,
  before: Withdrawal,
  found: DecisionVerdict & { readonly kind: 'frozen' | 'limited' },
): void {
  if (found.kind === 'frozen' || before.reviewRequired || !found.withdrawal.reviewRequired) return
  const why = found.limit.reason === 'destination' ? 'its destination is not listed any more' : 'a limit'
  log.error({ withdrawal: before.id, why }, 'a withdrawal is not sent: it is not allowed any more')
}

/** Asks its provider. `mayLeave`: whether it may still be sent, asked right before it would be. */
async function send(
  deps: WithdrawalSenderDeps,
  due: Taken,
  withdrawal: Withdrawal,
  mayLeave: () => Promise<boolean>,
): Promise<Outcome> {
  const { log, sendWithinMs = usualSendWithinMs } = deps
  const { withdrawal: before, claim, begunAt, claimedAt, askedAt, sinceAt } = due
  let outcome: Outcome = 'under way'
  let isHeldBack = false
  try {
    // As long ago by our own clock as it is by the database's: a rail knows no other.
    const asked = askedAt === null ? {} : { askedAt: addMs(sinceAt, askedAt.getTime() - claimedAt.getTime()) }
    const order = {
      ...orderOf(withdrawal),
      ...asked,
      sendBefore: addMs(sinceAt, sendWithinMs),
      mayLeave: async () => {
        isHeldBack = !(await mayLeave())
        return !isHeldBack
      },
    }
    const result = await railOf(deps, withdrawal).send(order, askedAt !== null)
    if (result.state === 'refused') {
      const said = wordsOf(result.evidence)
      log.warn({ withdrawal: before.id, code: result.code, said }, 'a provider refuses a withdrawal')
    }
    const isWorthTelling = result.state !== 'sent' || isNew(withdrawal, result)
    const settled = isWorthTelling ? await deps.settle(withdrawal, result, claim) : undefined
    if (result.state !== 'sent' && settled !== 'superseded') return 'ended'
  } catch (error) {
    if (error instanceof ProviderError && error.outcome === 'unavailable') outcome = 'not sent'
    // The provider does not have it, and no earlier call can be on its way.
    if (isHeldBack) return 'frozen'
    const named = { withdrawal: before.id, claim: claim.number, error: messageOf(error) }
    log.warn(named, 'a withdrawal has no answer yet')
  }
  if (!withdrawal.reviewRequired && addMs(begunAt, silenceMs) < claimedAt)
    await deps.settle(withdrawal, { state: 'silent' })
  return outcome
}

/** A withdrawal that has ended is never sent again. Checks whether it was returned, or paid although it had failed. */
async function lookAgain(deps: WithdrawalSenderDeps, withdrawal: Withdrawal): Promise<Outcome> {
  const result = await railOf(deps, withdrawal).check?.(orderOf(withdrawal))
  if (result !== undefined && result.state !== 'sent') await deps.settle(withdrawal, result)
  return 'ended'
}

function railOf({ rails }: WithdrawalSenderDeps, { type }: Withdrawal): PayoutRail {
  return must(rails.get(type), `${type} pays out`)
}

function orderOf(withdrawal: Withdrawal): PayoutOrder {
  const { id, merchantId, reference, connection, amountMinor, currency, destination, request } = withdrawal
  return {
    id,
    merchantId,
    reference,
    connection,
    amount: { minor: amountMinor, currency },
    destination: destination.fields,
    ...(request.description === undefined ? {} : { description: request.description }),
  }
}

/** Whether the provider gave names that we do not have yet. */
function isNew(withdrawal: Withdrawal, result: PayoutResult): boolean {
  const names = ['providerRef', 'endToEndId', 'txHash'] as const
  return names.some((name) => result[name] !== undefined && result[name] !== withdrawal[name])
}
