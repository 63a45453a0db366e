// The name of money is one movement's, whatever a bank calls its entries; and what a movement is as receipts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionId } from '#/kernel/id.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { bodyOf, entryOfRef, providerRefOf, receiptsOf, type EntrySignal } from './receipts.ts'

test('two movements never have one name, and a name leads back to its movement', () => {
  const movements = ['A', 'A/1', 'A/1/0', 'A/1/1', 'A/x', '/1', '1', 'A\n/2'].flatMap((reference) =>
    [0, 1, 2, 10].map((part) => ({ reference, part })),
  )
  const names = movements.map(providerRefOf)
  assert.equal(new Set(names).size, movements.length)
  assert.deepEqual(names.map(entryOfRef), movements)
  // A bank's usual names stay as they are.
  assert.equal(providerRefOf({ reference: '2026-01-02/ABC', part: 0 }), '2026-01-02/ABC')
})

const connection = 'bank-a' as ConnectionId
const attempt = { id: bareId(1), merchantId: bareId(2), paymentId: bareId(3) }
const signal: EntrySignal = {
  reference: 'A',
  part: 2,
  amountMinor: '1234',
  currency: 'EUR',
  bookedOn: '2026-01-02',
  remittance: 'rent',
}
const paid = {
  method: 'SEPA_TRANSFER',
  connection,
  providerRef: 'A/2',
  outcome: 'paid',
  occurrence: 1,
  amount: { minor: 1234n, currency: 'EUR' },
  // Noon of its day.
  happenedAt: new Date('2026-01-02T12:00:00Z'),
}

test('a movement is paid once, for the attempt whose reference it quotes or for nobody', () => {
  const evidence = bodyOf(signal)
  assert.deepEqual(receiptsOf(connection, signal, evidence), [{ ...paid, evidence }])
  assert.deepEqual(receiptsOf(connection, { ...signal, attempt }, evidence), [{ ...paid, attempt, evidence }])
  assert.throws(() => receiptsOf(connection, { ...signal, currency: 'CHF' }, evidence))
})

test('what takes a credit back is a lost dispute of it, after the credit itself, for its attempt', () => {
  const debit = { ...signal, reference: 'D', part: 0, amountMinor: '1000' }
  for (const credit of [signal, { ...signal, attempt }]) {
    const whole = { ...debit, recall: { reason: 'AC04', of: credit } }
    const evidence = bodyOf(whole)
    const whose = credit === signal ? {} : { attempt }
    assert.deepEqual(receiptsOf(connection, whole, evidence), [
      { ...paid, ...whose, evidence: bodyOf(credit) },
      {
        ...paid,
        ...whose,
        providerRef: 'D',
        amount: { minor: 1000n, currency: 'EUR' },
        outcome: 'dispute_lost',
        dispute: { paidRef: 'A/2', kind: 'RECALL', reason: 'AC04' },
        evidence,
      },
    ])
  }
})
