// A payout schedule: a wallet pays out by itself, daily, weekly or above an amount, to a destination of the merchant's list, and
// keeps a minimum.
import {
  type payoutSchedule,
  type scheduleOutcomes,
  type scheduleStatuses,
  weekdays,
} from '#/contract/payout-schedules.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import type { ApiKeyId, MerchantId, PayoutScheduleId, WalletId, WithdrawalId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { addMs, minuteMs, unixSeconds } from '#/kernel/time.ts'
import type { WithdrawalRequest } from './withdrawal.ts'

export type ScheduleStatus = (typeof scheduleStatuses)[number]

/** When it pays. `time` is `HH:MM` of the time zone. ABOVE: whenever the balance has reached the amount. */
export type ScheduleRule = (
  | { readonly rhythm: 'DAILY'; readonly time: string; readonly timeZone: string }
  | {
      readonly rhythm: 'WEEKLY'
      readonly weekday: (typeof weekdays)[number]
      readonly time: string
      readonly timeZone: string
    }
  | { readonly rhythm: 'ABOVE'; readonly above: number }
) & {
  /** Minor units that stay in the wallet. */
  readonly keep: number
  /** The least amount that is paid out. */
  readonly minimum: number
}

/**
 * The result of a run.
 * - REQUESTED: it requested a withdrawal.
 * - NOTHING_TO_PAY: the wallet has not enough above the amount that it keeps.
 * - NOT_LISTED: the destination is not on the merchant's list any more.
 * - FROZEN, NOT_AVAILABLE: the schedule is checked again a quarter of an hour later.
 * - REFUSED: the wallet may not pay out, or the limits leave nothing.
 */
export type ScheduleOutcome = (typeof scheduleOutcomes)[number]

export type PayoutSchedule = {
  readonly merchantId: MerchantId
  readonly id: PayoutScheduleId
  readonly mode: Mode
  readonly status: ScheduleStatus
  readonly walletId: WalletId
  readonly currency: Currency
  /** The fields of each withdrawal, without its amount. */
  readonly request: Omit<WithdrawalRequest, 'amount'>
  readonly rule: ScheduleRule
  readonly requestedBy: ApiKeyId
  readonly dueAt: Date | null
  readonly lastRunAt: Date | null
  readonly lastOutcome: ScheduleOutcome | null
  readonly lastWithdrawalId: WithdrawalId | null
  readonly version: number
  readonly createdAt: Date
  /** How far the clock of its sandbox was moved in all: its calendar is ahead by this. Zero for LIVE. */
  readonly movedMs: number
}

/** How often a schedule by amount is checked. */
const aboveEveryMs = minuteMs
/** How long until the next try after an obstacle that passes. */
const obstacleMs = 15 * minuteMs

/**
 * The first instant after `now` at which the schedule pays. If a day does not have the time of day, the next time that the day
 * has is used. `movedMs`: how far the clock of its sandbox was moved.
 */
export function nextDue(rule: ScheduleRule, now: Date, movedMs = 0): Date {
  if (rule.rhythm === 'ABOVE') return addMs(now, aboveEveryMs)
  return addMs(nextInCalendar(rule, addMs(now, movedMs)), -movedMs)
}

function nextInCalendar(rule: Exclude<ScheduleRule, { readonly rhythm: 'ABOVE' }>, now: Date): Date {
  const { time, timeZone } = rule
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
  const ahead = rule.rhythm === 'DAILY' ? 0 : (weekdays.indexOf(rule.weekday) + 1 - today.dayOfWeek + 7) % 7
  const step = rule.rhythm === 'DAILY' ? 1 : 7
  for (let days = ahead; ; days += step) {
    const at = today.add({ days }).toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    if (at.epochMilliseconds > now.getTime()) return addMs(unixSeconds(0n), at.epochMilliseconds)
  }
}

/** When the schedule is checked next after this outcome. */
export function nextAfter(rule: ScheduleRule, outcome: ScheduleOutcome, now: Date, movedMs = 0): Date {
  const regular = nextDue(rule, now, movedMs)
  if (outcome !== 'FROZEN' && outcome !== 'NOT_AVAILABLE') return regular
  const soon = addMs(now, obstacleMs)
  return soon < regular || rule.rhythm === 'ABOVE' ? soon : regular
}

/** The schedule as the API shows it. */
export function scheduleRecord(schedule: PayoutSchedule): Of<typeof payoutSchedule> {
  const { request, rule } = schedule
  return {
    ...recordOf<typeof payoutSchedule, 'weekday' | 'time' | 'timeZone' | 'above'>({
      id: schedule.id,
      mode: schedule.mode,
      status: schedule.status,
      walletId: schedule.walletId,
      type: request.type,
      currency: schedule.currency,
      pixKey: request.pixKey,
      pixKeyType: request.pixKeyType,
      cryptoAddress: request.cryptoAddress,
      cryptoNetwork: request.cryptoNetwork,
      cryptoCurrency: request.cryptoCurrency,
      iban: request.iban,
      beneficiary: request.beneficiary,
      description: request.description,
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      rhythm: rule.rhythm,
      keep: rule.keep,
      minimum: rule.minimum,
      nextRunAt: schedule.dueAt?.toISOString(),
      lastRunAt: schedule.lastRunAt?.toISOString(),
      lastOutcome: schedule.lastOutcome,
      lastWithdrawalId: schedule.lastWithdrawalId,
      createdAt: schedule.createdAt.toISOString(),
      version: schedule.version,
    }),
    ...rule,
  }
}
