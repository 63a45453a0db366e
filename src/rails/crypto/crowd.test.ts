import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransferSignal } from './chain.ts'
import { crowdedOf } from './crowd.ts'

function signalsOf(merchantId: string, paymentId: string, count: number): readonly TransferSignal[] {
  return Array.from({ length: count }, () => ({ merchantId, paymentId }) as TransferSignal)
}

test('beyond the first of each payment, and of each merchant, signals wait behind those of others', () => {
  const flood = signalsOf('a', 'flooded', 5_000)
  const few = Array.from({ length: 50 }, (_, n) => signalsOf('a', `few ${n}`, 2)).flat()
  const other = signalsOf('b', 'other', 1)
  assert.equal(crowdedOf([...flood, ...few, ...other]).size, 4_990)
  const many = Array.from({ length: 300 }, (_, n) => signalsOf('c', `many ${n}`, 1)).flat()
  const crowded = crowdedOf([...many, ...other])
  assert.equal(crowded.size, 100)
  assert.ok(other.every((signal) => !crowded.has(signal)))
})
