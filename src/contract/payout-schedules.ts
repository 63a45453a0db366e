// Payout schedules.
import { Type as T } from 'typebox'
import { instant, oneOf, uuid, version, whole } from '#/kernel/schema.ts'
import * as patterns from './patterns.ts'
import { byType, destination, orderFields, pixKeyTypes, withdrawalType } from './withdrawals.ts'
import { currency, documented, idempotencyKey, metadata, mode, text, when } from './words.ts'

/** An ENDED schedule never changes its status. */
export const scheduleStatuses = ['ACTIVE', 'PAUSED', 'ENDED'] as const

const rhythms = ['DAILY', 'WEEKLY', 'ABOVE'] as const
export const weekdays = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const

export const scheduleOutcomes = [
  'REQUESTED',
  'NOTHING_TO_PAY',
  'NOT_LISTED',
  'FROZEN',
  'NOT_AVAILABLE',
  'REFUSED',
] as const

const rhythm = oneOf(
  'PayoutRhythm',
  rhythms,
  'DAILY needs time and timeZone, WEEKLY also weekday. ABOVE needs above: it pays whenever the balance has reached it.',
)
const payoutScheduleStatus = oneOf('PayoutScheduleStatus', scheduleStatuses, 'ENDED is for good.')
const weekday = oneOf('Weekday', weekdays, 'WEEKLY: the day.')
const minor = (least: number, description: string) => whole(least, Number.MAX_SAFE_INTEGER, description)

/** When it pays, and how much stays. */
const ruleFields = {
  weekday: T.Optional(weekday),
  time: T.Optional(
    documented(
      T.String({ maxLength: 5, description: 'DAILY, WEEKLY: hour and minute.', examples: ['06:00'] }),
      {
        pattern: patterns.timeOfDay,
      },
    ),
  ),
  timeZone: T.Optional(
    documented(text(64, 'DAILY, WEEKLY: the IANA time zone of the time.'), { pattern: patterns.timeZone }),
  ),
  above: T.Optional(minor(1, 'ABOVE: the balance, in minor units, at which it pays.')),
  keep: T.Optional(minor(0, 'Minor units that stay in the wallet. Default 0.')),
  minimum: T.Optional(minor(1, 'The least amount that is paid out, in minor units. Default 1.')),
}

export const payoutSchedule = T.Object(
  {
    id: uuid(),
    mode,
    status: payoutScheduleStatus,
    walletId: uuid('The wallet that pays out.'),
    currency,
    type: withdrawalType,
    ...destination,
    pixKeyType: T.Optional(oneOf('PixKeyType', pixKeyTypes, 'PIX: what the key is.')),
    description: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(T.String()),
    rhythm,
    weekday: ruleFields.weekday,
    time: T.Optional(T.String()),
    timeZone: T.Optional(T.String()),
    above: ruleFields.above,
    keep: minor(0, 'Minor units that stay in the wallet.'),
    minimum: minor(1, 'The least amount that is paid out, in minor units.'),
    nextRunAt: T.Optional(instant('When it is looked at next. Absent while it is not ACTIVE.')),
    lastRunAt: T.Optional(instant()),
    lastOutcome: T.Optional(
      oneOf(
        'PayoutScheduleOutcome',
        scheduleOutcomes,
        'What came of the last run. REQUESTED: it made a withdrawal. REFUSED: the wallet does not pay, or the limits leave nothing.',
      ),
    ),
    lastWithdrawalId: T.Optional(uuid('The last withdrawal that it made.')),
    createdAt: instant(),
    version,
  },
  { title: 'PayoutSchedule', description: 'A wallet that pays out by itself.' },
)

/** The fields that a rhythm needs; it takes no other ones. The destination's fields depend on the type in any case. */
export const rhythmFields = {
  DAILY: ['time', 'timeZone'],
  WEEKLY: ['weekday', 'time', 'timeZone'],
  ABOVE: ['above'],
} as const
export const fieldsOfRhythms = ['weekday', 'time', 'timeZone', 'above'] as const

function needsOf(of: keyof typeof rhythmFields): object {
  const ofRhythm: readonly string[] = rhythmFields[of]
  const [first, ...others] = fieldsOfRhythms
    .filter((name) => !ofRhythm.includes(name))
    .map((name) => ({ required: [name] }))
  return { required: ofRhythm, not: others.length === 0 ? first : { anyOf: [first, ...others] }, ...byType }
}

const is = (of: keyof typeof rhythmFields) => ({ properties: { rhythm: { const: of } } })

export const payoutScheduleRequest = documented(
  T.Object(
    {
      ...orderFields,
      walletId: uuid('The wallet that pays out: SPENDABLE and active.'),
      rhythm,
      ...ruleFields,
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'CreatePayoutScheduleRequest', additionalProperties: false },
  ),
  when(is('DAILY'), needsOf('DAILY'), when(is('WEEKLY'), needsOf('WEEKLY'), needsOf('ABOVE'))),
)

export const payoutScheduleChange = T.Object(
  {
    status: T.Optional(payoutScheduleStatus),
    keep: ruleFields.keep,
    minimum: ruleFields.minimum,
  },
  { title: 'ChangePayoutScheduleRequest', additionalProperties: false },
)
