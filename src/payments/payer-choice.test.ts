// What a payer's choice changes of the payment, and until when it can be paid then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs, hourMs } from '#/kernel/time.ts'
import { partly } from '../../test/partly.ts'
import { termsFor, withMethod, withPayer, type Choice } from './payer-choice.ts'
import type { Payment } from './payment.ts'

const createdAt = new Date('2026-11-21T12:00:00.000Z')
const now = addMs(createdAt, hourMs)
const payment = (more: Partial<Payment> = {}) =>
  partly<Payment>({ request: { amount: 100 }, version: 3, createdAt, ...more })

test('the payer’s data is a new version of the payment when it differs', () => {
  const payer = { name: 'Ana', email: 'ana@example.com' }
  const known = payment({ payer })
  assert.equal(withPayer(known, undefined), known)
  assert.equal(withPayer(known, { email: payer.email, name: payer.name }), known)
  const none = payment()
  assert.equal(withPayer(none, {}), none)
  assert.deepEqual(withPayer(known, { name: 'Eva' }), { ...known, payer: { name: 'Eva' }, version: 4 })
})

test('another method, or another end, is a new version of the payment', () => {
  const known = payment({ method: 'PIX', expiresAt: now })
  assert.equal(withMethod(known, 'PIX', new Date(now)), known)
  for (const [method, end] of [
    ['BOLETO', now],
    ['PIX', addMs(now, 1)],
  ] as const)
    assert.deepEqual(withMethod(known, method, end), { ...known, method, expiresAt: end, version: 4 })
})

test('an attempt ends with the payment, or earlier by its template, or later by its document unless the merchant set an end', () => {
  const [day, hours] = [24 * hourMs, (count: number) => addMs(createdAt, count * hourMs)]
  const own = payment({ expiresAt: hours(5) })
  const short = payment({ request: { amount: 100, expiresIn: 7_200 } })
  const cases: readonly (readonly [
    what: string,
    end: Date,
    payment: Payment,
    choice?: Choice,
    movedMs?: number,
  ])[] = [
    ['nobody chose', hours(5), own],
    ['nobody chose, and it has no end', hours(24), payment()],
    ['chosen: it is computed again', hours(24), own, {}],
    ['chosen, with the merchant’s end', hours(2), short, {}],
    ['the clock was moved since', hours(22), own, {}, 2 * hourMs],
    ['by its template', hours(3), own, { expiryMs: 2 * hourMs }],
    ['by its template, after the payment’s end', hours(24), own, { expiryMs: day }],
    ['by its document', hours(49), own, { lifetimeMs: 2 * day }],
    ['by its document, before the payment’s end', hours(24), own, { lifetimeMs: hourMs }],
    ['by its document, with the merchant’s end', hours(2), short, { lifetimeMs: 2 * day }],
    ['by both', hours(25), own, { lifetimeMs: 2 * day, expiryMs: day }],
  ]
  for (const [what, end, of, choice, movedMs = 0] of cases) {
    const terms = termsFor(of, { method: 'BOLETO' }, choice, { now, movedMs })
    assert.deepEqual(terms, { expiresAt: end.toISOString() }, what)
  }
})
