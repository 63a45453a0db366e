import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactedBody, redactedPaymentRequest, redactedRefundRequest } from './redact.ts'

const erasedAt = new Date('2027-03-04T05:06:07.000Z')

test('of an event about a payment, refund or dispute the fields stay that the books keep, and it says since when', () => {
  const frame = { id: 'evt', sequence: 7 }
  for (const type of ['payment.completed', 'refund.failed', 'dispute.opened'])
    assert.deepEqual(
      redactedBody(type, { ...frame, data: { id: 'x', amount: 100, customerName: 'Ana' } }, erasedAt),
      { ...frame, erasedAt: '2027-03-04T05:06:07.000Z', data: { id: 'x', amount: 100 } },
      type,
    )
})

test('an event in which nothing of a payer stands is left as it is', () => {
  const kept = { id: 'x', status: 'PAID' }
  assert.equal(redactedBody('payment.completed', { data: kept }, erasedAt), undefined)
  // Of other subjects no field is known to be a payer's.
  assert.equal(redactedBody('wallet.created', { data: { customerName: 'Ana' } }, erasedAt), undefined)
  for (const data of [undefined, null, 'Ana', 12])
    assert.equal(redactedBody('payment.completed', { data }, erasedAt), undefined, String(data))
})

test('a request keeps what the books compare themselves with', () => {
  assert.deepEqual(redactedPaymentRequest({ amount: 100, splits: [], description: 'for Ana' }), {
    amount: 100,
    splits: [],
  })
  assert.equal(redactedPaymentRequest({ amount: 100, currency: 'BRL' }), undefined)
  assert.deepEqual(redactedRefundRequest({ amount: 100, iban: 'PT50', reason: 'Ana asked' }), {
    amount: 100,
    iban: 'PT50',
  })
  assert.equal(redactedRefundRequest({ amount: 100, beneficiary: 'Ana' }), undefined)
})
