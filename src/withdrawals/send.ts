// The worker's side of withdrawals: the intent is committed, the provider is asked, and asked again until the end is known.
// What it answers is settled; a call whose end is unknown is only ever looked up.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PayoutOrder, PayoutRails, PayoutResult } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { DecisionKind } from './decide.ts'
import * as queries from './queries.ts'
import type { Withdrawal } from './withdrawal.ts'

/** What is known of a payout now: the provider's word, or that it has been silent for so long that a person must look. */
export type PayoutNews = PayoutResult | { readonly state: 'silent' }

export type WithdrawalSenderDeps = {
  readonly sql: Sql
  readonly rails: PayoutRails
  readonly lane: LedgerLane<EventDraft>
  readonly decisionKind: DecisionKind
  readonly clock: Clock
  readonly log: Log
  /** Settles what a provider said. */
  readonly settle: (withdrawal: Withdrawal, news: PayoutNews) => Promise<unknown>
}

const leaseMs = minuteMs
const waitMaxMs = 5 * minuteMs
/** A payout without an end for so long is one for a person. It is still looked up, for ever. */
const silenceMs = hourMs

/** Asks for the withdrawals that are due. Answers how many it took. */
export async function sendDueWithdrawals(deps: WithdrawalSenderDeps): Promise<number> {
  const now = deps.clock.now()
  const due = await queries.claimDue(deps.sql, now, addMs(now, leaseMs), 100)
  await Promise.all(due.map((each) => send(deps, each)))
  return due.length
}

async function send(deps: WithdrawalSenderDeps, { withdrawal: before, sends }: queries.DueWithdrawal): Promise<void> {
  const { lane, decisionKind, log, clock } = deps
  let withdrawal = before
  try {
    const begun = await lane.submit(decisionKind, { id: before.id, event: 'sending' })
    if (begun.kind !== 'decided' && begun.kind !== 'already') return
    withdrawal = begun.withdrawal
    // It was being sent before: perhaps it was, perhaps not.
    const result = await ask(deps, withdrawal, begun.kind === 'already')
    if (result.state !== 'sent' || isNew(withdrawal, result)) await deps.settle(withdrawal, result)
    if (result.state === 'done' || result.state === 'refused') return
  } catch (error) {
    log.warn({ withdrawal: before.id, sends, error: messageOf(error) }, 'a withdrawal has no answer yet')
    if (isSilent(withdrawal, clock)) await deps.settle(withdrawal, { state: 'silent' }).catch(() => {})
  }
  const waitMs = Math.min(2 ** Math.min(sends - 1, 20) * secondMs, waitMaxMs)
  await queries.postponeDue(deps.sql, before, addMs(clock.now(), waitMs))
}

function ask({ rails }: WithdrawalSenderDeps, withdrawal: Withdrawal, again: boolean): Promise<PayoutResult> {
  const rail = must(rails.get(withdrawal.type), `${withdrawal.type} pays out`)
  return rail.send(orderOf(withdrawal), again)
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

function isSilent({ createdAt, reviewRequired }: Withdrawal, clock: Clock): boolean {
  return !reviewRequired && addMs(createdAt, silenceMs) < clock.now()
}
