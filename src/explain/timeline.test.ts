// The order of what happened in one instant. Times have whole milliseconds, in which a method can be chosen, paid and booked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tell, type CauseWithFacts } from './step.ts'
import { timelinePage, type Source } from './timeline.ts'

const at = new Date('2026-11-23T12:00:00Z')
const amount = { minor: 634n, currency: 'USDT' } as const
const reported = { amount, method: 'PARTNER_PAY', providerRef: 'order-1', happenedAt: at } as const

/** A source of one happening at that instant. */
const sourceOf = (step: CauseWithFacts): Source => {
  const happening = { at, position: '1', steps: [{ at, ...step }] }
  return async (after) => (after === undefined ? [happening] : [])
}

test('in one instant a payment is requested, its method chosen, money reported, and only then its state changed', async () => {
  const { steps } = await timelinePage(
    [
      sourceOf(tell('STATE_CHANGE', 'PAYMENT_REQUESTED', { amount })),
      sourceOf(tell('STATE_CHANGE', 'METHOD_CHOSEN', { amount, method: 'PARTNER_PAY' })),
      sourceOf(tell('PROVIDER_ANSWER', 'MONEY_REPORTED', reported)),
      sourceOf(tell('STATE_CHANGE', 'PAID_IN_FULL', { amount, received: amount, missing: amount })),
    ],
    [],
    10,
  )
  assert.deepEqual(
    steps.map(({ cause }) => cause),
    ['PAYMENT_REQUESTED', 'METHOD_CHOSEN', 'MONEY_REPORTED', 'PAID_IN_FULL'],
  )
})
