// The name of money is one movement's, whatever a bank calls its entries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOfRef, providerRefOf } from './receipts.ts'

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
