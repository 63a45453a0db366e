// When a reported entry in a foreign currency is the one that is stored: only if all that both say is equal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foreignFactOf, type EntryFact } from './fact.ts'
import { foreignNames, isKept } from './foreign-names.ts'
import type { ForeignEntry } from './movement.ts'

const entry: ForeignEntry = {
  entry: 0,
  reference: 'A',
  isCredit: true,
  currency: 'CHF',
  amount: '45.00',
  bookedOn: '2026-01-02',
  ids: { entry: 'A' },
  remittance: ['rent'],
  elsewhere: ['flat 2'],
  endToEndId: 'X',
  party: { iban: 'I', name: 'Ana' },
}
const fact = foreignFactOf(entry)
const row = {
  currency: 'CHF',
  reference: 'A',
  credit: true,
  amount: '45.00',
  bookedOn: '2026-01-02',
  fact,
}

test('the names of an entry are the bank’s, that with its day, and numbers from 2 to 100', () => {
  const { currency, references } = foreignNames(entry)
  assert.equal(currency, 'CHF')
  assert.deepEqual(references.slice(0, 3), ['A', 'A~2026-01-02', 'A~2026-01-02~2'])
  assert.equal(references.at(-1), 'A~2026-01-02~100')
})

test('an entry is known under each of its names, if side, amount, day and all words are equal', () => {
  for (const reference of ['A', 'A~2026-01-02', 'A~2026-01-02~7'])
    assert.ok(isKept(entry, { ...row, reference }), reference)
  for (const change of [
    { reference: 'B' },
    { currency: 'SEK' },
    { credit: false },
    { amount: '45.01' },
    { bookedOn: '2026-01-03' },
  ])
    assert.ok(!isKept(entry, { ...row, ...change }), JSON.stringify(change))
  const facts: readonly Partial<EntryFact>[] = [
    { remittance: 'other' },
    { endToEndId: 'Y' },
    { party: { iban: 'J', name: 'Ana' } },
    { party: { iban: 'I', name: 'Eva' } },
    { elsewhere: 'flat 3' },
  ]
  for (const change of facts)
    assert.ok(!isKept(entry, { ...row, fact: { ...fact, ...change } }), JSON.stringify(change))
})

test('what an earlier program stored is known without its words, which it did not keep', () => {
  assert.ok(isKept(entry, { ...row, fact: { remittance: '' } }))
  assert.ok(!isKept(entry, { ...row, amount: '45.01', fact: { remittance: '' } }))
})
