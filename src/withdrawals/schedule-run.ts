// A payout schedule that is due requests a withdrawal. Amount, hold and the next due time are decided and written in one
// transaction under the lane's lock: a second run at the same time finds that the schedule is not due. Several workers may run what is due.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { hexOfUuid, newId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import { pureKind, type Decided, type DecidedOrElse, type Reading } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  accept,
  acceptanceOf,
  balancesIn,
  keepAccepted,
  largestAmount,
  loadRules,
  writeAccepted,
  type Rules,
  type Wanted,
  type WithdrawalRefusal,
} from './accept.ts'
import type { NewWithdrawal } from './queries.ts'
import * as queries from './schedule-queries.ts'
import { nextAfter, type PayoutSchedule, type ScheduleOutcome } from './schedule.ts'
import type { WithdrawalRequest } from './withdrawal.ts'

export type ScheduleWorkerDeps = {
  readonly sql: Sql
  readonly log: Log
  readonly lane: LedgerLane<EventDraft>
  readonly kind: ScheduleKind
  /** Called when a schedule requested a withdrawal. */
  readonly onReady?: () => void
}

/** The most schedules in one round. */
const roundMax = 200
/** How long a schedule waits whose run failed by a fault of ours. */
const failedMs = 5 * minuteMs

/** Runs what is due now, once. Returns how many schedules were due. */
export async function runDueSchedules({
  sql,
  log,
  lane,
  kind,
  onReady,
}: ScheduleWorkerDeps): Promise<number> {
  const due = await queries.selectDueSchedules(sql, roundMax)
  const outcomes = await Promise.all(
    due.map(async (key) => {
      try {
        return await lane.submit(kind, key)
      } catch (error) {
        log.error({ schedule: key.id, error: messageOf(error) }, 'a payout schedule could not be run')
        await queries.postponeSchedule(sql, key, failedMs)
        return undefined
      }
    }),
  )
  if (outcomes.some((verdict) => verdict?.kind === 'run' && verdict.outcome === 'REQUESTED')) onReady?.()
  return due.length
}

export type ScheduleVerdict =
  | { readonly kind: 'not_due' }
  | { readonly kind: 'run'; readonly outcome: ScheduleOutcome }

export type ScheduleKind = RunnableKind<queries.ScheduleKey, ScheduleVerdict, EventDraft>

type View = Rules & { readonly schedules: Map<string, PayoutSchedule> }
type Change = { readonly schedule: PayoutSchedule; readonly withdrawal?: NewWithdrawal }

/** Runs payout schedules, as a kind of work for the ledger lane. */
export function scheduleKind(rails: PayoutRails): ScheduleKind {
  return pureKind<queries.ScheduleKey, View, Change, ScheduleVerdict>({
    name: 'run a payout schedule',
    load: (batch, items) => load(batch, rails, items),
    decide: (view, item, batch) => decide(rails, view, item, batch),
    keep(view, { change: { schedule, withdrawal } }) {
      view.schedules.set(schedule.id, schedule)
      if (withdrawal !== undefined) keepAccepted(view, [withdrawal])
    },
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
  const wanted = schedules.map((each) => wantedOf(rails, each))
  return {
    ...(await loadRules(batch, wanted)),
    schedules: new Map(schedules.map((each) => [each.id, each])),
  }
}

function wantedOf(rails: PayoutRails, schedule: PayoutSchedule): Wanted {
  const { merchantId, mode, requestedBy, currency, request: order } = schedule
  const routing = rails.get(order.type)?.route({ mode, merchantId, ...order })
  const place = routing?.ok === true ? routing.destination.text : undefined
  return { merchantId, mode, requestedBy, currency, type: order.type, place, way: 'SCHEDULE' }
}

function decide(
  rails: PayoutRails,
  view: Closed<View>,
  { id }: queries.ScheduleKey,
  batch: Reading & Pick<Batch, 'now'>,
): DecidedOrElse<Change, ScheduleVerdict> {
  const schedule = view.schedules.get(id)
  if (schedule === undefined || schedule.dueAt === null || schedule.dueAt > batch.now)
    return { verdict: { kind: 'not_due' } }
  const ran = (outcome: ScheduleOutcome, withdrawal?: NewWithdrawal): Decided<Change, ScheduleVerdict> => ({
    verdict: { kind: 'run', outcome },
    change: { schedule: afterRun(schedule, outcome, batch, withdrawal), ...given({ withdrawal }) },
  })
  const requested = request(rails, view, schedule, batch)
  if (typeof requested === 'string') return ran(requested)
  return { ...ran('REQUESTED', requested), ...acceptanceOf([requested]), orElse: () => ran('REFUSED') }
}

function afterRun(
  schedule: PayoutSchedule,
  outcome: ScheduleOutcome,
  { at, now }: Pick<Batch, 'at' | 'now'>,
  withdrawal: NewWithdrawal | undefined,
): PayoutSchedule {
  const dueAt = nextAfter(schedule.rule, outcome, now, schedule.movedMs)
  // A schedule by amount is checked each minute: its last run is shown only when it did something.
  if (schedule.rule.rhythm === 'ABOVE' && outcome === 'NOTHING_TO_PAY') return { ...schedule, dueAt }
  const lastWithdrawalId = withdrawal?.id ?? schedule.lastWithdrawalId
  return { ...schedule, dueAt, lastRunAt: at, lastOutcome: outcome, lastWithdrawalId }
}

/** A withdrawal of what the wallet has above what it keeps, as far as the limits allow; or why there is none. */
function request(
  rails: PayoutRails,
  view: Closed<View>,
  schedule: PayoutSchedule,
  { books, at }: Reading,
): NewWithdrawal | ScheduleOutcome {
  const { merchantId, mode, walletId, currency, rule } = schedule
  const wallet = view.wallets.get(`${merchantId}/${currency}`)?.find((each) => each.id === walletId)
  if (wallet === undefined) return 'REFUSED'
  const balancesOf = balancesIn({ books }, mode)
  const { availableMinor } = balancesOf(wallet)
  if (rule.rhythm === 'ABOVE' && availableMinor < BigInt(rule.above)) return 'NOTHING_TO_PAY'
  const wanted = { ...wantedOf(rails, schedule), createdAt: at }
  const amountMinor = largestAmount(view, wanted, availableMinor - BigInt(rule.keep))
  if (amountMinor < BigInt(rule.minimum)) return 'NOTHING_TO_PAY'
  const order: WithdrawalRequest = { ...schedule.request, walletId, amount: toJsonInteger(amountMinor) }
  const routing = rails.get(order.type)?.route({ mode, merchantId, ...order })
  if (routing?.ok !== true) return 'NOT_AVAILABLE'
  const id = newId<'withdrawal'>()
  const requested = { id, request: order, routing, reference: hexOfUuid(id) }
  const accepted = accept(view, wanted, requested, balancesOf, at)
  if (accepted.kind !== 'accepted') return outcomeOf(accepted)
  const fingerprint = sha256(canonicalJson(order))
  return { ...accepted.withdrawal, scheduleId: schedule.id, idempotencyKey: undefined, fingerprint }
}

function outcomeOf(refusal: WithdrawalRefusal): ScheduleOutcome {
  const { kind } = refusal
  if (kind === 'limited' && refusal.limit.reason === 'destination') return 'NOT_LISTED'
  if (kind === 'frozen') return 'FROZEN'
  if (kind === 'not_offered') return 'NOT_AVAILABLE'
  return kind === 'insufficient_funds' ? 'NOTHING_TO_PAY' : 'REFUSED'
}
