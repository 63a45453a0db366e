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

test('until the end of a method is recorded, its payer reads it too, and is not asked to pay by it', () => {
  const request = { ...usual.request, checkout: 'default' }
  const payment: Payment = {
    ...usual,
    request,
    methods: ['CRYPTO', 'PARTNER_PAY'],
    createdAt: now,
    expiresAt: now,
  }
  for (const [locale, sentence] of [
    ['pt-BR', /^O tempo para pagar com .* acabou\. Se você já pagou, aguarde/],
    ['en', /^The time to pay by .* is over\. If you have paid, wait/],
    ['es', /^El tiempo para pagar con .* terminó\. Si ya pagó, espere/],
  ] as const) {
    const state = stateOf({}, { payment, locale })
    assert.deepEqual([state.step, state.panel], ['choose', undefined])
    assert.match(state.problem ?? '', sentence)
    assert.deepEqual(
      state.methods.map(({ method }) => method),
      ['CRYPTO', 'PARTNER_PAY'],
    )
  }
  const alone = stateOf({}, { payment: { ...payment, methods: ['CRYPTO'] }, locale: 'en' })
  assert.deepEqual([alone.step, alone.problem, alone.panel], ['expired', undefined, undefined])
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
