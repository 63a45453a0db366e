import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatuses } from '#/contract/payments.ts'
import { connect } from '#/db/client.ts'
import { next } from '#/kernel/state.ts'
import { outcomes } from '#/rails/receipt.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import { testDatabase } from '../../test/postgres.ts'
import {
  ledgerCurrency,
  missingMinor,
  paymentEvents,
  paymentStates,
  refundStatus,
  type Payment,
  type PaymentEvent,
  type PaymentStatus,
} from './payment.ts'

test('no sequence of events leaves PAID, and none leads from CANCELED', () => {
  const events = fc.array(fc.constantFrom(...paymentEvents), { maxLength: 20 })
  fc.assert(
    fc.property(fc.constantFrom(...paymentStatuses), events, (start, sequence) => {
      let status: PaymentStatus = start
      let ended: PaymentStatus | undefined
      for (const event of sequence) {
        status = next(paymentStates, status, event) ?? status
        if (ended !== undefined) assert.equal(status, ended)
        if (status === 'PAID' || status === 'CANCELED') ended = status
      }
    }),
    { numRuns: count({ quick: 2_000, soak: 200_000 }) },
  )
})

/** The table as rows: from, event, to. There are no other moves. */
const moves: readonly (readonly [PaymentStatus, PaymentEvent, PaymentStatus])[] = [
  ['PENDING', 'opened', 'WAITING_PAYMENT'],
  ['PENDING', 'paid', 'PAID'],
  ['PENDING', 'expired', 'EXPIRED'],
  ['PENDING', 'failed', 'FAILED'],
  ['PENDING', 'canceled', 'CANCELED'],
  ['WAITING_PAYMENT', 'authorised', 'APPROVED'],
  ['WAITING_PAYMENT', 'paid', 'PAID'],
  ['WAITING_PAYMENT', 'expired', 'EXPIRED'],
  ['WAITING_PAYMENT', 'failed', 'FAILED'],
  ['WAITING_PAYMENT', 'canceled', 'CANCELED'],
  ['APPROVED', 'paid', 'PAID'],
  ['APPROVED', 'lapsed', 'EXPIRED'],
  ['APPROVED', 'canceled', 'CANCELED'],
  // The full amount makes a payment PAID whenever it comes, except after the merchant canceled it.
  ['EXPIRED', 'paid', 'PAID'],
  ['FAILED', 'paid', 'PAID'],
]

test('a payment moves only as the table says', () => {
  for (const from of paymentStatuses) {
    for (const event of paymentEvents) {
      const expected = moves.find(([a, b]) => a === from && b === event)?.[2]
      assert.equal(next(paymentStates, from, event), expected, `${from} on ${event}`)
    }
  }
})

test('the database has the same states and outcomes as the tables', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  const valuesOf = async (constraint: string) => {
    const [row] = await sql<{ text: string }[]>`
      select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${constraint}`
    return [...(row?.text ?? '').matchAll(/'(\w+)'::text/g)]
      .map(([, value]) => value ?? '')
      .sort((a, b) => (a < b ? -1 : 1))
  }
  assert.deepEqual(await valuesOf('payment_status'), [...paymentStatuses].sort())
  assert.deepEqual(await valuesOf('receipt_outcome'), [...outcomes].sort())
  await sql.end()
})

const payment = (more: Partial<Payment>) =>
  ({ amountMinor: 1_000n, receivedMinor: 0n, refundedMinor: 0n, ...more }) as Payment

test('the missing amount is the requested one minus what was received and not refunded, never negative', () => {
  assert.equal(missingMinor(payment({})), 1_000n)
  assert.equal(missingMinor(payment({ receivedMinor: 400n })), 600n)
  assert.equal(missingMinor(payment({ receivedMinor: 1_000n })), 0n)
  assert.equal(missingMinor(payment({ receivedMinor: 1_500n })), 0n)
  assert.equal(missingMinor(payment({ receivedMinor: 1_000n, refundedMinor: 300n })), 300n)
})

test('the refund status is FULL when all that was received is refunded', () => {
  assert.equal(refundStatus(payment({ receivedMinor: 1_200n })), 'NONE')
  assert.equal(refundStatus(payment({ receivedMinor: 1_200n, refundedMinor: 1_000n })), 'PARTIAL')
  assert.equal(refundStatus(payment({ receivedMinor: 1_200n, refundedMinor: 1_200n })), 'FULL')
})

test('USD by CRYPTO is USDT in the books, all other currencies are unchanged', () => {
  assert.equal(ledgerCurrency('USD', 'CRYPTO'), 'USDT')
  assert.equal(ledgerCurrency('USDT', 'CRYPTO'), 'USDT')
  assert.equal(ledgerCurrency('USD', 'CREDIT_CARD'), 'USD')
  assert.equal(ledgerCurrency('BRL', 'PIX'), 'BRL')
})
