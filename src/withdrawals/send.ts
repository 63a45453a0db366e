// The worker's side of withdrawals: the intent is committed, the provider is asked, and asked again until the end is known.
// What it answers is settled; a call whose end is unknown is only ever looked up.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs, sleep, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PayoutOrder, PayoutRail, PayoutRails, PayoutResult } from '#/rails/payout-rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { isFrozenNow } from '#/merchants/freeze-queries.ts'
import type { DecisionKind, DecisionVerdict } from './decide.ts'
import * as queries from './queries.ts'
import { isEnded, type Withdrawal } from './withdrawal.ts'

/** What is known of a payout now: the provider's word, or that its end is unknown for so long that a person must look. */
export type PayoutNews = PayoutResult | { readonly state: 'silent' }

/**
 * `noted`: it contradicts what we know, and changes nothing. `reversed`: it contradicts how it had ended here, and is booked
 * as what it is. `overtaken`: somebody else has taken the withdrawal since, and may
 * have sent it again, so that a refusal no longer tells its end.
 */
export type SettledAs = 'settled' | 'repeated' | 'noted' | 'reversed' | 'overtaken'

export type WithdrawalSenderDeps = {
  readonly sql: Sql
  readonly rails: PayoutRails
  readonly lane: LedgerLane<EventDraft>
  readonly decisionKind: DecisionKind
  readonly clock: Clock
  readonly log: Log
  /** Settles what a provider said. `sends`: of the take whose call the provider answered. */
  readonly settle: (withdrawal: Withdrawal, news: PayoutNews, sends?: number) => Promise<SettledAs>
  /** How long a withdrawal is left to the worker that took it, and how long that one may send it. */
  readonly leaseMs?: number
  readonly sendWithinMs?: number
}

export type WithdrawalSender = {
  /** Asks until `signal` is aborted: at once when woken, and each second in any case. */
  run(signal: AbortSignal): Promise<void>
  wake(): void
}

/** So many providers are asked at the same time. One that is slow delays the others only when all of them are its own. */
const atOnceMax = 100
const waitMaxMs = 5 * minuteMs
const usualSendWithinMs = 30 * secondMs
/** A payout without an end for so long is one for a person. It is still looked up, for ever. */
const silenceMs = hourMs

export function createWithdrawalSender(deps: WithdrawalSenderDeps): WithdrawalSender {
  const underWay = new Set<Promise<void>>()
  let nap = new AbortController()
  const start = (due: queries.DueWithdrawal) => {
    const sending = ask(deps, due).finally(() => underWay.delete(sending))
    underWay.add(sending)
  }
  return {
    async run(signal) {
      while (!signal.aborted) {
        nap = new AbortController()
        const taken = await take(deps, atOnceMax - underWay.size)
        taken.forEach(start)
        if (underWay.size >= atOnceMax) await Promise.race(underWay)
        else if (taken.length === 0) await sleep(secondMs, AbortSignal.any([signal, nap.signal]))
      }
      await Promise.all(underWay)
    },
    wake: () => nap.abort(),
  }
}

/** Asks once for everything that is due, and waits for the answers. Answers how many it took. */
export async function sendDueWithdrawals(deps: WithdrawalSenderDeps): Promise<number> {
  const taken = await take(deps, atOnceMax)
  await Promise.all(taken.map((due) => ask(deps, due)))
  return taken.length
}

async function take(
  { sql, log, leaseMs = minuteMs }: WithdrawalSenderDeps,
  limit: number,
): Promise<readonly queries.DueWithdrawal[]> {
  return queries.claimDue(sql, leaseMs, limit).catch((error: unknown) => {
    log.warn({ error: messageOf(error) }, 'withdrawals that are due cannot be read')
    return []
  })
}

/** Never rejects: what goes wrong is asked again, at the latest when the lease is over. */
async function ask(deps: WithdrawalSenderDeps, due: queries.DueWithdrawal): Promise<void> {
  const { sql, log } = deps
  const { withdrawal, sends } = due
  try {
    const outcome = await bringOn(deps, due)
    if (outcome === 'ended') return await queries.dropDue(sql, due)
    // Nobody takes it while it is frozen, and at once afterwards.
    if (outcome === 'frozen') return await queries.releaseDue(sql, due, 0)
    const waitMs = Math.min(2 ** Math.min(sends - 1, 20) * secondMs, waitMaxMs)
    if (outcome === 'held back') return await queries.releaseDue(sql, due, waitMs)
    await queries.postponeDue(sql, due, waitMs, outcome === 'not sent')
  } catch (error) {
    log.warn(
      { withdrawal: withdrawal.id, error: messageOf(error) },
      'a withdrawal is left to the next worker',
    )
  }
}

/** `frozen`, `held back`: it was certainly never sent, and is not now, because money is frozen or limits do not allow it. */
type Outcome = 'ended' | 'under way' | 'not sent' | 'frozen' | 'held back'

async function bringOn(deps: WithdrawalSenderDeps, due: queries.DueWithdrawal): Promise<Outcome> {
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
    tellHeldBack(deps, before, begun)
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

/** Limits are those of its acceptance no more: a person has to look. Told when it is found, and not each time. */
function tellHeldBack(
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
  due: queries.DueWithdrawal,
  withdrawal: Withdrawal,
  mayLeave: () => Promise<boolean>,
): Promise<Outcome> {
  const { log, sendWithinMs = usualSendWithinMs } = deps
  const { withdrawal: before, sends, begunAt, claimedAt, askedAt } = due
  let outcome: Outcome = 'under way'
  let isHeldBack = false
  try {
    const asked = askedAt === null ? {} : { askedAt }
    const order = {
      ...orderOf(withdrawal),
      ...asked,
      sendBefore: addMs(claimedAt, sendWithinMs),
      mayLeave: async () => {
        isHeldBack = !(await mayLeave())
        return !isHeldBack
      },
    }
    const result = await railOf(deps, withdrawal).send(order, askedAt !== null)
    const isWorthTelling = result.state !== 'sent' || isNew(withdrawal, result)
    const settled = isWorthTelling ? await deps.settle(withdrawal, result, sends) : undefined
    if (result.state !== 'sent' && settled !== 'overtaken') return 'ended'
  } catch (error) {
    if (error instanceof ProviderError && error.outcome === 'unavailable') outcome = 'not sent'
    // The provider does not have it, and no earlier call can be on its way.
    if (isHeldBack) return 'frozen'
    log.warn({ withdrawal: before.id, sends, error: messageOf(error) }, 'a withdrawal has no answer yet')
  }
  if (!withdrawal.reviewRequired && addMs(begunAt, silenceMs) < claimedAt)
    await deps.settle(withdrawal, { state: 'silent' })
  return outcome
}

/** What has ended is never sent again. It may have come back, or have been paid after all. */
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
