// What is told of movements, the names that they have, and what a file is that is no statement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId } from '../../../test/bare-rows.ts'
import type { Credit } from './entry.ts'
import { contentName, entryName, identifier } from './ids.ts'
import { kindOfBytes, kindOfMessage } from './kinds.ts'
import { recallSignal } from './signals.ts'

const said = { reference: 'D', part: 0, minor: 100n, currency: 'EUR', bookedOn: '2026-01-02', remittance: '' }
const credit: Credit = {
  reference: 'C',
  part: 0,
  minor: 100n,
  currency: 'EUR',
  bookedOn: '2026-01-01',
  kind: 'PAID',
  fact: { remittance: 'rent', quoted: 'RF1' },
  names: [],
  merchantId: bareId(1) as MerchantId,
  paymentId: bareId(2) as PaymentId,
  attemptId: bareId(3) as AttemptId,
  leftMinor: 100n,
}

test('a recall tells of the credit as it was told: with its payment if it paid one that is known', () => {
  const attempt = { id: bareId(3), merchantId: bareId(1), paymentId: bareId(2) }
  const paid = recallSignal(said, credit, 'AC04').recall
  assert.deepEqual([paid?.reason, paid?.of.attempt, paid?.of.quoted], ['AC04', attempt, 'RF1'])
  assert.equal(recallSignal(said, credit).recall?.reason, 'no reason')
  for (const change of [
    { kind: 'UNATTRIBUTED' },
    { kind: 'PROPOSED' },
    { attemptId: null },
    { merchantId: null },
    { paymentId: null },
  ] as const)
    assert.equal(
      recallSignal(said, { ...credit, ...change }).recall?.of.attempt,
      undefined,
      JSON.stringify(change),
    )
})

test('a placeholder is no identifier, and zeros are none', () => {
  for (const none of ['NONREF', 'not provided', 'N/A', 'n.a.', '0', '000-000', '', undefined])
    assert.equal(identifier(none), undefined, String(none))
  for (const is of ['A', '10', 'NONREF1', '0A']) assert.equal(identifier(is), is)
})

test('a name has its currency, but in euro only where it could be mistaken for another’s', () => {
  assert.equal(entryName('X', 'EUR'), 'X')
  assert.equal(entryName('X', 'USD'), 'X-USD')
  assert.equal(entryName('X-USD', 'EUR'), 'X-USD-EUR')
})

test('what has no identifier is named by its day and a digest of 16 signs', () => {
  const name = contentName(['true', '45.00'], '2026-01-02')
  assert.match(name, /^2026-01-02\.[0-9a-f]{16}$/)
  // The name has to stay: it is stored.
  assert.equal(name, contentName(['true', '45.00'], '2026-01-02'))
  assert.notEqual(name, contentName(['true4', '5.00'], '2026-01-02'))
})

test('a document is what its namespace says, and what nobody knows is told by its root', () => {
  const space = (message: string) => ['other', `urn:iso:std:iso:20022:tech:xsd:${message}`]
  for (const [message, is] of [
    ['pain.001.001.09', 'pain.001.001.09, a file of payments, which goes to the bank'],
    ['camt.053.001.01', 'camt.053.001.01, of the first version, which no bank should write any more'],
    ['camt.060.001.02', 'camt.060.001.02, another message than a statement'],
    ['seev.031.001.01', 'seev.031.001.01'],
  ] as const)
    assert.equal(kindOfMessage(space(message), 'Document'), is)
  const root = 'r'.repeat(41)
  assert.equal(
    kindOfMessage(['other'], root),
    `XML with the root ${'r'.repeat(40)}, which names no message of ISO 20022`,
  )
})

test('what is no XML is told by its first bytes', () => {
  for (const [start, is] of [
    ['%PDF-1.7', 'a PDF'],
    ['{"a":1}', 'JSON'],
    ['\n:20:START\n', 'SWIFT text (MT940 or MT942)'],
    ['Datum;Betrag;Name\n', 'a table (CSV)'],
    ['<html>', 'a web page, perhaps the one where you sign in at the bank'],
    ['<Document/>', undefined],
    ['hello', undefined],
  ] as const)
    assert.equal(kindOfBytes(Buffer.from(start)), is, start)
})
