// The clock of a merchant of the sandbox: brings closer what is still ahead of it.
import { Type as T } from 'typebox'
import { recordOf, type Of } from '#/contract/record.ts'
import { documented, idempotencyKey } from '#/contract/words.ts'
import { AppError } from '#/kernel/error.ts'
import { count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { durationMs, durationPattern, secondMs } from '#/kernel/time.ts'
import { sandbox } from '#/people/concern.ts'
import {
  advanceMaxMs,
  clockOf,
  openMax,
  requestAdvance,
  totalMaxDays,
  type AdvanceRefusal,
} from '#/sandbox/clock/advance.ts'
import { workKinds } from '#/sandbox/clock/dates-queries.ts'
import type { ClockAdvance } from '#/sandbox/clock/queries.ts'
import { datesMax } from '#/sandbox/clock/step.ts'
import { idempotencyKeyOf } from './body.ts'
import * as examples from './example-records.ts'
import { route, type Route } from './route.ts'

const advanced = whole(0, totalMaxDays * 86_400, 'How far it was moved, in seconds.')

const advance = T.Object(
  {
    id: uuid(),
    advance: T.String({ description: 'As it was sent.' }),
    status: oneOf(
      'ClockAdvanceStatus',
      ['ADVANCING', 'DONE'],
      'ADVANCING: it waits, or goes on step by step. DONE: everything was moved.',
    ),
    advancedSeconds: advanced,
    stillDue: T.Optional(
      T.Array(
        T.Object(
          {
            work: oneOf('ClockWork', workKinds, 'What fell due.'),
            count: count('How many; at most 1000 are counted.'),
          },
          { title: 'ClockStillDue', description: 'Work that fell due and was not done in time.' },
        ),
        { description: 'What the clock does not wait for any more, such as a webhook that gets no answer.' },
      ),
    ),
    providersBehind: T.Optional(
      T.Array(T.String(), {
        description: 'Simulated providers that have not moved their side yet. They are asked again.',
      }),
    ),
    createdAt: instant(),
    completedAt: T.Optional(instant()),
  },
  { title: 'ClockAdvance', description: 'One span by which what is ahead came closer.' },
)

const clock = T.Object(
  {
    advancedSeconds: whole(0, totalMaxDays * 86_400, 'How far it was moved in all, in seconds.'),
    data: T.Array(advance, { description: 'The last 20 advances, newest first.' }),
  },
  { title: 'SandboxClock', description: 'How far the dates of a merchant of the sandbox were moved.' },
)

const exampleAdvance = {
  id: '019aa3c2-d777-7007-8f66-c17283940516',
  advance: 'P2D',
  status: 'ADVANCING',
  advancedSeconds: 0,
  createdAt: examples.createdAt,
} as const

const post = route({
  route: 'POST /v1/sandbox/clock',
  scope: 'sandbox',
  audit: { action: 'sandbox.advance_clock', subjectOf: ({ merchant }) => `merchant:${merchant.id}` },
  starts: 'setting',
  concern: sandbox,
  operationId: 'advanceSandboxClock',
  summary: 'Advance the clock of the sandbox',
  description:
    'Only for merchants of the sandbox. What is still ahead of the merchant comes closer by the span, and what the span passes happens within seconds, in order: expiry, releases, retries, payout schedules, dates of disputes, and what the simulated providers do. The present does not move: new records, webhooks and the books keep their real time. Advances are carried out one after another.',
  status: 202,
  answer: advance,
  example: exampleAdvance,
  headers: { 'Idempotent-Replayed': '`true` when the key requested this advance before.' },
  problems: ['idempotency_conflict', 'limit_exceeded'],
  body: T.Object(
    {
      advance: documented(
        T.String({
          maxLength: 60,
          description:
            'An ISO 8601 duration of weeks, days, hours, minutes and seconds: more than nothing, at most 400 days. A day has 24 hours.',
          examples: ['P2D', 'PT1H30M'],
        }),
        { pattern: durationPattern },
      ),
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'AdvanceSandboxClockRequest', additionalProperties: false },
  ),
  exampleBody: { advance: 'P2D', idempotencyKey: 'two-days-on' },
  async handle({ sql, clock: now, onClockAdvance }, call, audited) {
    const { merchant, body } = call
    requireSandbox(merchant.mode)
    const verdict = await requestAdvance(sql, merchant.id, {
      advance: body.advance,
      spanMs: spanOf(body.advance),
      idempotencyKey: idempotencyKeyOf(call),
      at: now.now(),
      ...audited,
    })
    if (verdict.kind !== 'accepted' && verdict.kind !== 'replayed') throw refusalOf(verdict)
    onClockAdvance?.()
    return { record: advanceRecord(verdict.advance), isReplayed: verdict.kind === 'replayed' }
  },
})

const get = route({
  route: 'GET /v1/sandbox/clock',
  scope: 'sandbox',
  operationId: 'getSandboxClock',
  summary: 'Get the clock of the sandbox',
  description: 'How far it was moved in all, and its last advances. Only for merchants of the sandbox.',
  answer: clock,
  example: {
    advancedSeconds: 172_800,
    data: [{ ...exampleAdvance, status: 'DONE', advancedSeconds: 172_800, completedAt: examples.paidAt }],
  },
  async handle({ sql }, { merchant }) {
    requireSandbox(merchant.mode)
    const { movedMs, advances } = await clockOf(sql, merchant.id)
    return { record: { advancedSeconds: secondsOf(movedMs), data: advances.map(advanceRecord) } }
  },
})

function requireSandbox(mode: 'LIVE' | 'SANDBOX'): void {
  if (mode !== 'SANDBOX')
    throw new AppError('forbidden', 'Only a merchant of the sandbox has a clock that can be moved.')
}

/** 400 for what is no duration, 422 for one that is out of bounds. */
function spanOf(text: string): number {
  const spanMs = durationMs(text)
  if (spanMs === undefined) {
    const message =
      'is an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as P2D or PT1H30M'
    const faults = [{ pointer: '/advance', code: 'malformed', message }]
    throw new AppError('invalid_request', `advance ${message}.`, { faults })
  }
  if (spanMs > 0 && spanMs <= advanceMaxMs) return spanMs
  const message = 'is more than nothing and at most 400 days'
  const code = spanMs === 0 ? 'too_small' : 'too_large'
  throw new AppError('limit_exceeded', `advance ${message}.`, {
    faults: [{ pointer: '/advance', code, message }],
  })
}

function refusalOf(verdict: AdvanceRefusal): AppError {
  switch (verdict.kind) {
    case 'conflict':
      return new AppError(
        'idempotency_conflict',
        `The key requested advance ${verdict.advance.id} with another span.`,
      )
    case 'too_many_open':
      return new AppError(
        'limit_exceeded',
        `At most ${openMax} advances can wait. Try again when one is done.`,
      )
    case 'too_far':
      return new AppError('limit_exceeded', `A clock can be moved by ${totalMaxDays} days in all.`)
    case 'too_many_dates':
      return new AppError(
        'limit_exceeded',
        `More than ${datesMax} payments, deliveries or other records of the merchant have a date ahead.`,
      )
  }
}

function advanceRecord(made: ClockAdvance): Of<typeof advance> {
  const { stuck, behind } = made
  return recordOf<typeof advance>({
    id: made.id,
    advance: made.advance,
    status: made.status,
    advancedSeconds: secondsOf(made.movedMs),
    stillDue: stuck === null || stuck.length === 0 ? undefined : stuck,
    providersBehind: behind.length === 0 ? undefined : behind,
    createdAt: made.createdAt.toISOString(),
    completedAt: made.endedAt?.toISOString(),
  })
}

function secondsOf(ms: number): number {
  return Math.floor(ms / secondMs)
}

export const sandboxClockRoutes: readonly Route[] = [post, get]
