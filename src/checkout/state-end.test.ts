// What the page offers when the time of a method is over, and when the payment is paid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { methodOverCode, type Payment } from '#/payments/payment.ts'
import { now, stateOf, template, usual } from '../../test/payer-page.ts'
import type { StateInput } from './state.ts'

test('when only the time of a method is over, its payer reads that, and chooses again', () => {
  const lastError = { code: methodOverCode, message: 'over', method: 'PARTNER_PAY' } as const
  const { method: _, ...unchosen } = usual
  const request = { ...usual.request, checkout: 'default' }
  const payment: Payment = { ...unchosen, request, methods: ['CRYPTO', 'PARTNER_PAY'], lastError }
  const state = stateOf({}, { payment, locale: 'en' })
  assert.equal(state.step, 'choose')
  assert.match(state.problem ?? '', /^The time to pay by .* is over\. If you have paid, wait/)
  const chosen = state.methods.map(({ method, isChosen }) => [method, isChosen])
  assert.deepEqual(chosen, [
    ['CRYPTO', false],
    ['PARTNER_PAY', true],
  ])
})

test('who has just paid goes back after 5 seconds, or after those of the template; whoever comes later, or has something to ask, does not', () => {
  const request = { ...usual.request, returnUrl: 'https://shop.example/done' }
  const paid = { status: 'PAID', request, receivedMinor: 1_000n, paidAt: now } as const
  const secondsOf = (changes: Partial<Payment>, more: Partial<StateInput> = {}) =>
    stateOf({ ...paid, ...changes }, more).back?.afterSeconds
  assert.equal(secondsOf({}), 5)
  assert.equal(secondsOf({ status: 'APPROVED', receivedMinor: 0n, approvedAt: now }), 5)
  assert.equal(secondsOf({}, { template: { ...template, returns: { automaticSeconds: 0 } } }), 0)
  assert.equal(secondsOf({}, { now: addMs(now, 10 * minuteMs - 1) }), 5)
  assert.equal(secondsOf({}, { now: addMs(now, 10 * minuteMs) }), undefined)
  assert.equal(secondsOf({ receivedMinor: 1_200n, exceptions: ['OVERPAID'] }), undefined)
  assert.equal(secondsOf({ exceptions: ['LATE'] }), undefined)
  assert.equal(secondsOf({ status: 'EXPIRED', receivedMinor: 0n }), undefined)
})
