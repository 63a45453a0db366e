// How steps of a story look: what a provider reported, and what followed from it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causes } from '#/explain/sentences.ts'
import type { StepCause } from '../../web/dashboard/api/generated.ts'
import { lookOf } from '../../web/dashboard/screens/payments/step-looks.ts'

const toneOf = (cause: StepCause) => lookOf({ kind: 'STATE_CHANGE', cause }).tone

const followed: readonly (readonly [reported: StepCause, followed: StepCause])[] = [
  ['DECLINE_REPORTED', 'REFUSED_BY_PROVIDER'],
  ['AUTHORISATION_REPORTED', 'AUTHORISED'],
  ['MONEY_REPORTED', 'PAID_IN_FULL'],
  ['REFUND_REPORTED', 'REFUND_DONE'],
  ['REFUND_FAILURE_REPORTED', 'REFUND_REFUSED'],
  ['DISPUTE_REPORTED', 'DISPUTE_OPENED'],
  ['DISPUTE_WIN_REPORTED', 'DISPUTE_WON'],
  ['DISPUTE_LOSS_REPORTED', 'DISPUTE_LOST'],
  ['PAYOUT_REPORTED', 'WITHDRAWAL_DONE'],
  ['PAYOUT_REFUSAL_REPORTED', 'WITHDRAWAL_REFUSED'],
  ['PAYOUT_RETURN_REPORTED', 'WITHDRAWAL_RETURNED'],
]

test('a report of a provider looks like what follows from it', () => {
  for (const [reported, then] of followed) assert.equal(toneOf(reported), toneOf(then), reported)
})

test('refused money is red and returned money is amber, whichever way it went', () => {
  const refused = causes.filter((cause) => /REFUS|DECLINE|FAILURE/.test(cause))
  assert.ok(refused.length >= 6)
  for (const cause of refused) assert.equal(toneOf(cause), 'bad', cause)
  for (const cause of ['WITHDRAWAL_RETURNED', 'PAYOUT_RETURN_REPORTED', 'REFUND_CAME_BACK'] as const)
    assert.equal(toneOf(cause), 'wait', cause)
})

test('a delivery, a report and what was seen on a chain each have an icon of their own', () => {
  const icons = (['DELIVERY', 'PROVIDER_ANSWER', 'OBSERVATION'] as const).map(
    (kind) => lookOf({ kind, cause: 'DELIVERED' }).icon,
  )
  assert.deepEqual(icons, ['send', 'external', 'link'])
})
