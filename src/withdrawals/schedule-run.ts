// A payout schedule that is due requests a withdrawal. Amount, hold and the next due time are decided and written in one
// transaction under the lane's lock: a second run at the same time finds that the schedule is not due.
import { given } from '#/kernel/given.ts'
import { hexOfUuid, newId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { noteSpent } from '#/money-out/facts.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  accept,
  balancesIn,
  holdOf,
  largestAmount,
  loadRules,
  outgoingOf,
  type Rules,
  type Wanted,
  type WithdrawalRefusal,
} from './accept.ts'
import type { NewWithdrawal } from './queries.ts'
import { createdEvents, writeAccepted } from './request.ts'
import * as queries from './schedule-queries.ts'
import { nextAfter, type PayoutSchedule, type ScheduleOutcome } from './schedule.ts'
import type { WithdrawalRequest } from './withdrawal.ts'

export type ScheduleVerdict =
  | { readonly kind: 'not_due' }
  | { readonly kind: 'run'; readonly outcome: ScheduleOutcome }

export type ScheduleKind = RunnableKind<queries.ScheduleKey, ScheduleVerdict, EventDraft>

type View = {
  readonly schedules: Map<string, PayoutSchedule>
  readonly rules: Rules
}
type Change = { readonly schedule: PayoutSchedule; readonly withdrawal?: NewWithdrawal }

/** Runs payout schedules, as a kind of work for the ledger lane. */
export function scheduleKind(rails: PayoutRails): ScheduleKind {
  return runnable<queries.ScheduleKey, View, Change, ScheduleVerdict, EventDraft>({
    name: 'run a payout schedule',
    load: (batch, items) => load(batch, rails, items),
    decide: (view, item, batch) => decide(rails, view, item, batch),
    async write({ tx }, changes) {
      await queries.writeSchedules(
        tx,
        changes.map(({ schedule }) => schedule),
      )
      const withdrawals = changes.flatMap(({ withdrawal }) => withdrawal ?? [])
      if (withdrawals.length > 0) await writeAccepted(tx, withdrawals)
    },
  })
}

async function load(batch: Batch, rails: PayoutRails, items: readonly queries.ScheduleKey[]): Promise<View> {
  const schedules = await queries.lockSchedules(batch.tx, items)
  return {
    schedules: new Map(schedules.map((each) => [each.id, each])),
    rules: await loadRules(
      batch,
      schedules.map((each) => wantedOf(rails, each)),
    ),
  }
}

function wantedOf(rails: PayoutRails, schedule: PayoutSchedule): Wanted {
  const { merchantId, mode, requestedBy, currency, request: order } = schedule
  const routing = rails.get(order.type)?.route({ mode, merchantId, ...order })
  const place = routing?.ok === true ? routing.destination.text : undefined
  return { merchantId, mode, requestedBy, currency, type: order.type, place, way: 'SCHEDULE' }
}

type Decided = Ruling<Change, ScheduleVerdict, EventDraft>

function decide(
  rails: PayoutRails,
  view: View,
  { id }: queries.ScheduleKey,
  batch: Pick<Batch, 'books' | 'at' | 'now'>,
): Decided {
  const schedule = view.schedules.get(id)
  if (schedule === undefined || schedule.dueAt === null || schedule.dueAt > batch.now)
    return { verdict: { kind: 'not_due' } }
  const { outcome, withdrawal } = request(rails, view, schedule, batch)
  const dueAt = nextAfter(schedule.rule, outcome, batch.now, schedule.movedMs)
  // A schedule by amount is checked each minute: its last run is shown only when it did something.
  const isQuiet = schedule.rule.rhythm === 'ABOVE' && outcome === 'NOTHING_TO_PAY'
  const next: PayoutSchedule = isQuiet
    ? { ...schedule, dueAt }
    : {
        ...schedule,
        dueAt,
        lastRunAt: batch.at,
        lastOutcome: outcome,
        ...(withdrawal === undefined ? {} : { lastWithdrawalId: withdrawal.id }),
      }
  view.schedules.set(id, next)
  return {
    verdict: { kind: 'run', outcome },
    change: { schedule: next, ...given({ withdrawal }) },
    events: withdrawal === undefined ? [] : createdEvents(withdrawal),
  }
}

type Run = { readonly outcome: ScheduleOutcome; readonly withdrawal?: NewWithdrawal }

/** Holds what the wallet has above what it keeps, as far as the limits allow. */
function request(
  rails: PayoutRails,
  { rules }: View,
  schedule: PayoutSchedule,
  batch: Pick<Batch, 'books' | 'at' | 'now'>,
): Run {
  const { merchantId, mode, walletId, currency, rule, requestedBy } = schedule
  const wallet = rules.wallets.get(`${merchantId}/${currency}`)?.find((each) => each.id === walletId)
  if (wallet === undefined) return { outcome: 'REFUSED' }
  const balancesOf = balancesIn(batch, mode)
  const { availableMinor } = balancesOf(wallet)
  if (rule.rhythm === 'ABOVE' && availableMinor < BigInt(rule.above)) return { outcome: 'NOTHING_TO_PAY' }
  const { type } = schedule.request
  const wanted = { ...wantedOf(rails, schedule), createdAt: batch.at }
  const amountMinor = largestAmount(rules, wanted, availableMinor - BigInt(rule.keep))
  if (amountMinor < BigInt(rule.minimum)) return { outcome: 'NOTHING_TO_PAY' }
  const requested: WithdrawalRequest = { ...schedule.request, walletId, amount: toJsonInteger(amountMinor) }
  const routing = rails.get(type)?.route({ mode, merchantId, ...requested })
  if (routing?.ok !== true) return { outcome: 'NOT_AVAILABLE' }
  const id = newId<'withdrawal'>()
  const accepted = accept(
    rules,
    { merchantId, mode, requestedBy, way: 'SCHEDULE' },
    { id, request: requested, routing, reference: hexOfUuid(id) },
    { balancesOf, spentMinor: (key) => rules.facts.spent.get(key) ?? 0n, at: batch.at },
  )
  if (accepted.kind !== 'accepted') return { outcome: outcomeOf(accepted) }
  const fingerprint = sha256(canonicalJson(requested))
  const withdrawal = {
    ...accepted.withdrawal,
    scheduleId: schedule.id,
    idempotencyKey: undefined,
    fingerprint,
  }
  if (!batch.books.post(holdOf(withdrawal, fingerprint)).ok) return { outcome: 'REFUSED' }
  noteSpent(rules.facts, outgoingOf(withdrawal))
  return { outcome: 'REQUESTED', withdrawal }
}

function outcomeOf(refusal: WithdrawalRefusal): ScheduleOutcome {
  const { kind } = refusal
  if (kind === 'limited' && refusal.limit.reason === 'destination') return 'NOT_LISTED'
  if (kind === 'frozen') return 'FROZEN'
  if (kind === 'not_offered') return 'NOT_AVAILABLE'
  return kind === 'insufficient_funds' ? 'NOTHING_TO_PAY' : 'REFUSED'
}
