// When an attempt can be shown, opened, or would be refused again: each bound at its edge.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { asAttempt, at, earlier } from '../../test/bare-attempts.ts'
import { partly } from '../../test/partly.ts'
import { toKept, type OpeningTerms, type TriedAttempt } from './attempt-queries.ts'
import { endAfter, fits, isForRest, isOpen, isUnopened, stillRefuses } from './attempt-state.ts'
import type { Payment } from './payment.ts'

const tried = (change: Partial<TriedAttempt> = {}): TriedAttempt => ({
  ...toKept(asAttempt),
  terms: null,
  refusal: null,
  overAt: null,
  movedMs: 0,
  ...change,
})
const [now, soon] = [at.toISOString(), addMs(at, 1).toISOString()]
const terms = (change: Partial<OpeningTerms> = {}): OpeningTerms => ({ expiresAt: soon, ...change })
const refusal = (ms: number) => ({ code: 'x', message: 'x', at: addMs(at, ms).toISOString() })
const artifacts = { id: 'A' }

type Cases = readonly (readonly [what: string, is: boolean, attempt: Partial<TriedAttempt>])[]
const check = (cases: Cases, ask: (attempt: TriedAttempt) => boolean) =>
  assert.deepEqual(
    cases.filter(([, is, attempt]) => ask(tried(attempt)) !== is).map(([what]) => what),
    [],
  )

test('an attempt is shown while it is open, until its end or that of its artifacts, in its own presentation', () => {
  const hosted = { presentation: 'HOSTED' } as const
  const cases: Cases = [
    ['open', true, { artifacts }],
    ['not opened', false, {}],
    ['over', false, { artifacts, overAt: earlier }],
    ['until its end', true, { artifacts, terms: terms() }],
    ['at its end', false, { artifacts, terms: terms({ expiresAt: now }) }],
    ['until the end of its artifacts', true, { artifacts: { expiresAt: soon } }],
    ['at the end of its artifacts', false, { artifacts: { expiresAt: now } }],
    ['an end in no text', true, { artifacts: { expiresAt: 0 } }],
    ['its clock was moved', false, { artifacts, terms: terms(), movedMs: 1 }],
    ['its clock was moved, by its artifacts', false, { artifacts: { expiresAt: soon }, movedMs: 1 }],
    ['of another presentation', false, { artifacts: hosted, terms: terms(hosted) }],
    ['asked for another presentation', true, { artifacts, terms: terms(hosted) }],
    ['of another presentation than asked', true, { artifacts: hosted, terms: terms() }],
  ]
  check(cases, (attempt) => fits(attempt, undefined, at))
  const ofHosted: Cases = [
    ['by its artifacts', true, { artifacts: hosted, terms: terms() }],
    ['by its terms', true, { artifacts, terms: terms(hosted) }],
    ['by neither', false, { artifacts, terms: terms() }],
  ]
  check(ofHosted, (attempt) => fits(attempt, 'HOSTED', at))
})

test('a provider may still open an attempt that it has not answered, until its end, in its own presentation', () => {
  const cases: Cases = [
    ['without terms', true, {}],
    ['opened', false, { artifacts }],
    ['refused', false, { refusal: refusal(0) }],
    ['until its end', true, { terms: terms() }],
    ['at its end', false, { terms: terms({ expiresAt: now }) }],
    ['its clock was moved', false, { terms: terms(), movedMs: 1 }],
    ['of another presentation', false, { terms: terms({ presentation: 'HOSTED' }) }],
  ]
  check(cases, (attempt) => isUnopened(attempt, undefined, at))
})

test('an attempt is for the rest while no receipt was booked since and its amount is what is missing', () => {
  const payment = partly<Payment>({
    receipts: 1,
    amountMinor: 100n,
    receivedMinor: 40n,
    refundedMinor: 10n,
  })
  const rest = { receipts: 1, received: '40', refunded: '10' }
  const cases: Cases = [
    ['exactly', true, { amountMinor: 70n, terms: terms({ rest }) }],
    ['of another amount', false, { amountMinor: 60n, terms: terms({ rest }) }],
    ['before a receipt', false, { amountMinor: 70n, terms: terms({ rest: { ...rest, receipts: 0 } }) }],
    ['for all of it', false, { amountMinor: 70n, terms: terms() }],
    ['without terms', false, { amountMinor: 70n }],
  ]
  check(cases, (attempt) => isForRest(attempt, payment))
})

test('an attempt is open unless it was refused or is over', () =>
  check(
    [
      ['open', true, {}],
      ['refused', false, { refusal: refusal(0) }],
      ['over', false, { overAt: earlier }],
    ],
    isOpen,
  ))

test('a provider is not asked for the same again within a minute of its refusal', () =>
  check(
    [
      ['not refused', false, { terms: terms() }],
      ['just now', true, { terms: terms(), refusal: refusal(0) }],
      ['within a minute', true, { terms: terms(), refusal: refusal(1 - minuteMs) }],
      ['a minute ago', false, { terms: terms(), refusal: refusal(-minuteMs) }],
      ['with another end', true, { terms: terms({ expiresAt: now }), refusal: refusal(0) }],
      ['with other data', false, { terms: terms({ locale: 'de' }), refusal: refusal(0) }],
    ],
    (attempt) => stillRefuses(attempt, terms(), at),
  ))

test('an attempt’s end is as much earlier as its sandbox’s clock was moved', () => {
  assert.deepEqual(endAfter({ expiresAt: soon }, 0), addMs(at, 1))
  assert.deepEqual(endAfter({ expiresAt: soon }, 3), addMs(at, -2))
})
