// The worker of withdrawals: it commits the intent, sends the order to the provider, and queries the provider until the end is
// known. The provider's answer is settled. A call whose end is not known is only ever looked up.
import type { Sql } from '#/db/client.ts'
import type { Claim } from '#/jobs/claim.ts'
import { dueWorker, usualBackoff, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { hideTexts } from '#/kernel/private.ts'
import { addMs, hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { isStoppedNow } from '#/money-out/gate.ts'
import { loadOwnDestinations, outsideOf } from '#/money-out/own-destinations.ts'
import type { PayoutOrder, PayoutRail, PayoutRails, PayoutResult } from '#/rails/payout-rail.ts'
import { wordsOf } from '#/rails/refusal.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { DecisionKind, DecisionVerdict } from './decide.ts'
import * as queries from './due-queries.ts'
import { isEnded, type Withdrawal } from './withdrawal.ts'

/** The result of a look-up: the provider's answer, or that the end has been unknown for so long that a person must review it. */
export type PayoutNews = PayoutResult | { readonly state: 'silent' }

/**
 * - `noted`: the answer contradicts the record, and changes nothing.
 * - `reversed`: the answer contradicts the recorded end, and is booked as it is.
 * - `superseded`: another worker has claimed the withdrawal since, and may have sent it again. So a refusal does not prove its
 *   end.
 */
export type SettledAs = 'settled' | 'repeated' | 'noted' | 'reversed' | 'superseded'

export type WithdrawalSenderDeps = {
  readonly sql: Sql
  readonly rails: PayoutRails
  readonly lane: Pick<LedgerLane<EventDraft>, 'submit'>
  readonly decisionKind: DecisionKind
  readonly clock: Clock
  readonly log: Log
  /** Settles a provider's answer. `claim`: the claim whose call it answers. */
  readonly settle: (withdrawal: Withdrawal, news: PayoutNews, claim?: Claim) => Promise<SettledAs>
  /** The length of a worker's claim, and how long within it the worker may send. */
  readonly leaseMs?: number
  readonly sendWithinMs?: number
}

const usualSendWithinMs = 30 * secondMs
/** After this long without an end a person must review the payout. It is still looked up, for ever. */
const silenceMs = hourMs

/** A withdrawal that this worker has claimed, and the time of its own clock just before. */
type Claimed = queries.DueWithdrawal & { readonly sinceAt: Date }

/** Sends and looks up withdrawals as they become due. */
export function createWithdrawalSender(deps: WithdrawalSenderDeps): DueWorker {
  const { sql, clock, log, leaseMs = minuteMs } = deps
  return dueWorker<Claimed>({
    name: 'withdrawal',
    log,
    leaseMs,
    concurrency: { each: 100, total: 2_000 },
    isDue: queries.isWithdrawalDue,
    async claim(slots, forMs) {
      const sinceAt = clock.now()
      const due = await queries.claimDue(sql, slots, forMs)
      return due.map((each) => ({ ...each, sinceAt }))
    },
    run: (due) => handle(deps, due),
    privateTexts: ({ withdrawal }) => withdrawal.destination,
    postpone: (due, waitMs) => queries.postponeDue(sql, due, { waitMs, wasNotSent: false }),
  })
}

/** Handles everything that is due once, and waits for the answers. Returns how many it claimed. */
export function sendDueWithdrawals(deps: WithdrawalSenderDeps): Promise<number> {
  return createWithdrawalSender(deps).once()
}

async function handle(deps: WithdrawalSenderDeps, due: Claimed): Promise<'done' | 'later'> {
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
      // No worker claims it while it is frozen; one does right after the freeze ends.
      await queries.releaseDue(sql, due, 0)
      return 'done'
    case 'held back':
      await queries.releaseDue(sql, due, waitMs)
      return 'done'
    case 'not sent':
      await queries.postponeDue(sql, due, { waitMs, wasNotSent: true })
      return 'done'
  }
}

/** `frozen`, `held back`: it was certainly never sent, and is not sent now, because money is frozen or limits do not allow it. */
type Outcome = 'ended' | 'under way' | 'not sent' | 'frozen' | 'held back'

async function advance(deps: WithdrawalSenderDeps, due: Claimed): Promise<Outcome> {
  const { lane, decisionKind } = deps
  const { withdrawal: before, lastSentAt } = due
  if (isEnded(before)) return recheck(deps, before)
  const decision = await lane.submit(decisionKind, {
    id: before.id,
    event: 'sending',
    inDoubt: lastSentAt !== null,
  })
  if (decision.kind === 'refused' && isEnded(decision.withdrawal)) return 'ended'
  if (decision.kind === 'frozen' || decision.kind === 'limited') {
    logHeldBack(deps, before, decision)
    const mayBeOnItsWay = decision.withdrawal.status === 'PROCESSING' && lastSentAt !== null
    // What claims withdrawals knows the freezes, and not the states of accounts: without a wait it would claim it again at once.
    const isFreeze = decision.kind === 'frozen' && decision.isAccount !== true
    if (!mayBeOnItsWay) return isFreeze ? 'frozen' : 'held back'
    return send(deps, due, decision.withdrawal, async () => false)
  }
  if (decision.kind !== 'decided' && decision.kind !== 'already') return 'under way'
  const { merchantId, type } = decision.withdrawal
  return send(
    deps,
    due,
    decision.withdrawal,
    async () => !(await isStoppedNow(deps.sql, { way: 'WITHDRAWAL', merchantId, rail: type })),
  )
}

/** Logs once that the limits have changed since the acceptance and do not allow it any more: a person must review it. */
function logHeldBack(
  { log }: WithdrawalSenderDeps,
  before: Withdrawal,
  found: DecisionVerdict & { readonly kind: 'frozen' | 'limited' },
): void {
  if (found.kind === 'frozen' || before.reviewRequired || !found.withdrawal.reviewRequired) return
  const why = found.limit.reason === 'destination' ? 'its destination is not listed any more' : 'a limit'
  log.error({ withdrawal: before.id, why }, 'a withdrawal is not sent: it is not allowed any more')
}

/** Sends the order to its provider. `mayLeave`: whether it may still be sent, checked right before. */
async function send(
  deps: WithdrawalSenderDeps,
  due: Claimed,
  withdrawal: Withdrawal,
  mayLeave: () => Promise<boolean>,
): Promise<Outcome> {
  const { log, sendWithinMs = usualSendWithinMs } = deps
  const { withdrawal: before, claim, firstClaimedAt, claimedAt, lastSentAt, sinceAt } = due
  let outcome: Outcome = 'under way'
  let isHeldBack = false
  try {
    // Converts the instant to our own clock, which is the only one that a rail knows.
    const earlier =
      lastSentAt === null ? {} : { lastSentAt: addMs(sinceAt, lastSentAt.getTime() - claimedAt.getTime()) }
    const order = {
      ...orderOf(withdrawal),
      ...earlier,
      sendBefore: addMs(sinceAt, sendWithinMs),
      mayLeave: async () => {
        isHeldBack = !(await mayLeave())
        return !isHeldBack
      },
    }
    const never = lastSentAt === null ? await neverLeaves(deps, withdrawal) : undefined
    const result = never ?? (await railOf(deps, withdrawal).send(order, lastSentAt !== null))
    if (result.state === 'refused') {
      const answer = hideTexts(wordsOf(result.evidence), withdrawal.destination)
      log.warn({ withdrawal: before.id, code: result.code, said: answer }, 'a provider refuses a withdrawal')
    }
    const changes = result.state !== 'sent' || isNew(withdrawal, result)
    const settled = changes ? await deps.settle(withdrawal, result, claim) : undefined
    if (result.state !== 'sent' && settled !== 'superseded') return 'ended'
  } catch (error) {
    if (error instanceof ProviderError && error.outcome === 'unavailable') outcome = 'not sent'
    // The provider does not have it, and no earlier call can be on its way.
    if (isHeldBack) return 'frozen'
    const reason = hideTexts(messageOf(error), withdrawal.destination)
    const named = { withdrawal: before.id, claim: claim.number, error: reason }
    log.warn(named, 'a withdrawal has no answer yet')
  }
  if (!withdrawal.reviewRequired && addMs(firstClaimedAt, silenceMs) < claimedAt)
    await deps.settle(withdrawal, { state: 'silent' })
  return outcome
}

/**
 * The end of a withdrawal that can never leave, before it is sent for the first time: since its acceptance its destination has become one of
 * ours, or an earlier release accepted it. Undefined for any other.
 */
async function neverLeaves(
  { sql }: Pick<WithdrawalSenderDeps, 'sql'>,
  withdrawal: Withdrawal,
): Promise<PayoutResult | undefined> {
  const place = { type: withdrawal.type, destination: withdrawal.destination.text }
  const own = await loadOwnDestinations(sql, [place])
  const outside = outsideOf(own, { ...place, amountMinor: withdrawal.amountMinor })
  if (outside === undefined) return undefined
  const [code, message] =
    outside.reason === 'own'
      ? ['destination_not_allowed', 'Money that is sent there comes back to this service.']
      : ['amount_not_allowed', 'The amount is more than its rail can carry.']
  return { state: 'refused', code, message, evidence: Buffer.from(JSON.stringify({ refused: code })) }
}

/** A withdrawal that has ended is never sent again. Checks whether it was returned, or paid although it had failed. */
async function recheck(deps: WithdrawalSenderDeps, withdrawal: Withdrawal): Promise<Outcome> {
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
    ...given({ description: request.description }),
  }
}

/** Whether the provider's answer has references that we do not have yet. */
function isNew(withdrawal: Withdrawal, result: PayoutResult): boolean {
  const names = ['providerRef', 'endToEndId', 'txHash'] as const
  return names.some((name) => result[name] !== undefined && result[name] !== withdrawal[name])
}
