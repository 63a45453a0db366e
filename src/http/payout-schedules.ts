// Payout schedules: a wallet pays out by itself, to a destination of the merchant's list, and keeps a minimum.
import type { Static } from 'typebox'
import * as patterns from '#/contract/patterns.ts'
import {
  fieldsOfRhythms,
  payoutSchedule,
  payoutScheduleChange,
  payoutScheduleRequest,
  rhythmFields,
} from '#/contract/payout-schedules.ts'
import { orderFields } from '#/contract/withdrawals.ts'
import { listOf } from '#/contract/words.ts'
import { AppError, type FieldFault, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type PayoutScheduleId, type WalletId } from '#/kernel/id.ts'
import { zoneOf } from '#/wallets/calendar.ts'
import {
  changeSchedule,
  makeSchedule,
  scheduleFingerprint,
  schedulesMax,
} from '#/withdrawals/schedule-change.ts'
import { listSchedules, selectSchedule } from '#/withdrawals/schedule-queries.ts'
import { scheduleRecord, type ScheduleRule } from '#/withdrawals/schedule.ts'
import type { WithdrawalRequest } from '#/withdrawals/withdrawal.ts'
import { idempotencyKeyOf, requireCapitals } from './body.ts'
import * as examples from './example-records.ts'
import { paging, queryOf, pageBefore } from './query.ts'
import { route, type Route } from './route.ts'
import { bodyFaults, refusalOf, requireNoFaults, routingOf, inNormalWords } from './withdrawal-body.ts'

/** The rule of these fields. 400 when one is missing, not for this rhythm, or no time or zone. */
function ruleOf(fields: Static<typeof payoutScheduleRequest>): ScheduleRule {
  const {
    rhythm: of,
    weekday: day = 'MONDAY',
    time = '',
    timeZone = '',
    above = 0,
    keep = 0,
    minimum = 1,
  } = fields
  const ofRhythm: readonly string[] = rhythmFields[of]
  const faults = fieldsOfRhythms.flatMap((name): readonly FieldFault[] => {
    const isThere = fields[name] !== undefined
    if (ofRhythm.includes(name) === isThere) return []
    return isThere
      ? [{ pointer: `/${name}`, code: 'not_allowed', message: `is not for ${of}` }]
      : [{ pointer: `/${name}`, code: 'required', message: `is required for ${of}` }]
  })
  const zone = zoneOf(timeZone)
  requireNoFaults([
    ...faults,
    ...(time === '' || new RegExp(patterns.timeOfDay).test(time)
      ? []
      : [{ pointer: '/time', code: 'malformed', message: 'is an hour and a minute such as 06:00' }]),
    ...(timeZone === '' || zone !== undefined
      ? []
      : [{ pointer: '/timeZone', code: 'not_allowed', message: 'is no IANA time zone' }]),
  ])
  const [amounts, at] = [
    { keep, minimum },
    { time, timeZone: zone ?? timeZone },
  ]
  if (of === 'ABOVE') return { rhythm: of, above, ...amounts }
  return of === 'DAILY' ? { rhythm: of, ...at, ...amounts } : { rhythm: of, weekday: day, ...at, ...amounts }
}

/** The fields of the withdrawals that the schedule requests. */
function orderOf(body: Static<typeof payoutScheduleRequest>): Omit<WithdrawalRequest, 'amount'> {
  const { type, currency: of, walletId } = body
  const names = Object.keys(orderFields) as (keyof typeof orderFields)[]
  const given = names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]))
  return { ...Object.fromEntries(given), type, currency: of, walletId }
}

const create = route({
  route: 'POST /v1/payout-schedules',
  scope: 'withdrawals:write',
  audit: 'ITSELF',
  starts: 'schedule',
  concern: 'money',
  operationId: 'createPayoutSchedule',
  reviewedAs: 'reviewPayoutSchedule',
  summary: 'Let a wallet pay out by itself',
  description:
    'To a destination that the operator has put on the merchant’s list. Each run requests a withdrawal of what the wallet has above `keep`, after the fee and as far as the limits allow. Approval is needed as for any withdrawal. A run that was missed is made up for once.',
  status: 201,
  answer: payoutSchedule,
  example: examples.payoutSchedule,
  headers: { 'Idempotent-Replayed': '`true` when the key made this schedule before.' },
  problems: [
    'not_found',
    'idempotency_conflict',
    'currency_not_supported',
    'method_not_available',
    'network_not_supported',
    'destination_not_allowed',
    'wallet_not_spendable',
    'limit_exceeded',
    'provider_unavailable',
  ],
  body: payoutScheduleRequest,
  exampleBody: {
    walletId: examples.payoutSchedule.walletId,
    type: 'PIX',
    currency: 'BRL',
    pixKey: 'ana@example.com',
    pixKeyType: 'EMAIL',
    rhythm: 'DAILY',
    time: '06:00',
    timeZone: 'America/Sao_Paulo',
    keep: 10000,
    idempotencyKey: 'daily-payout',
  },
  async handle(deps, call) {
    const { merchant, keyId, origin, body } = call
    const key = idempotencyKeyOf(call)
    const rule = ruleOf(body)
    // A rail decides about a destination, whatever the amount.
    const order = inNormalWords({ ...orderOf(body), amount: rule.minimum })
    requireNoFaults(bodyFaults(deps, merchant.mode, order))
    requireCapitals(order.currency)
    const routing = routingOf(deps, merchant, order)
    if (!routing.ok) throw refusalOf({ kind: 'not_offered', routing }, order)
    const { amount: _amount, ...fields } = order
    const made = await makeSchedule(
      deps.sql,
      {
        merchantId: merchant.id,
        id: newId<'payout-schedule'>(),
        mode: merchant.mode,
        status: 'ACTIVE',
        walletId: body.walletId.toLowerCase() as WalletId,
        currency: routing.currency,
        request: fields,
        rule,
        requestedBy: keyId,
        lastRunAt: null,
        lastOutcome: null,
        lastWithdrawalId: null,
        version: 1,
        idempotencyKey: key,
        fingerprint: scheduleFingerprint({ request: fields, rule }),
      },
      routing.destination.text,
      origin,
    )
    switch (made.kind) {
      case 'created':
      case 'replayed':
        return { record: scheduleRecord(made.schedule), isReplayed: made.kind === 'replayed' }
      case 'conflict':
        throw new AppError(
          'idempotency_conflict',
          `The key made schedule ${made.schedule.id} with another body.`,
        )
      case 'not_listed':
        throw refusalOf({ kind: 'limited', limit: { ok: false, reason: 'destination' } }, order)
      case 'own_destination':
        throw refusalOf({ kind: 'limited', limit: { ok: false, reason: 'own' } }, order)
      case 'too_many':
        throw new AppError(
          'limit_exceeded',
          `A merchant has at most ${schedulesMax} schedules that have not ended.`,
        )
      case 'unknown_wallet':
      case 'not_spendable':
        throw refusalOf({ kind: made.kind }, order)
    }
  },
})

const get = route({
  route: 'GET /v1/payout-schedules/{id}',
  scope: 'withdrawals:read',
  operationId: 'getPayoutSchedule',
  summary: 'Get a payout schedule',
  description: 'With its next run, and what came of the last one.',
  answer: payoutSchedule,
  example: examples.payoutSchedule,
  async handle({ sql }, { merchant, id }) {
    const found = await selectSchedule(sql, { merchantId: merchant.id, id: id as PayoutScheduleId })
    return { record: scheduleRecord(existing(found, 'payout schedule')) }
  },
})

const list = route({
  route: 'GET /v1/payout-schedules',
  scope: 'withdrawals:read',
  operationId: 'listPayoutSchedules',
  summary: 'List payout schedules, newest first',
  description: 'Those that have ended too.',
  answer: listOf(payoutSchedule),
  example: { data: [examples.payoutSchedule] },
  query: queryOf(paging),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageBefore(query, (page) => listSchedules(sql, merchant.id, page), scheduleRecord),
  }),
})

const change = route({
  route: 'PATCH /v1/payout-schedules/{id}',
  scope: 'withdrawals:write',
  audit: 'ITSELF',
  starts: 'scheduleChange',
  concern: 'money',
  operationId: 'changePayoutSchedule',
  summary: 'Pause, resume or end a payout schedule, or change what stays',
  description:
    'Its wallet, destination and rhythm stay: for others, make another schedule. Withdrawals that it has requested go on.',
  answer: payoutSchedule,
  example: { ...examples.payoutSchedule, status: 'PAUSED', version: 2 },
  problems: ['invalid_state'],
  body: payoutScheduleChange,
  exampleBody: { status: 'PAUSED' },
  async handle({ sql }, { merchant, keyId, origin, id, body }) {
    const { status, keep, minimum } = body
    const changed = await changeSchedule(
      sql,
      { merchantId: merchant.id, id: id as PayoutScheduleId },
      {
        ...given({ status, keep, minimum }),
      },
      keyId,
      origin,
    )
    if (changed.kind === 'not_found') throw noSuch('payout schedule')
    if (changed.kind === 'refused') throw new AppError('invalid_state', 'The schedule has ended.')
    return { record: scheduleRecord(changed.schedule) }
  },
})

export const payoutScheduleRoutes: readonly Route[] = [create, list, get, change]
