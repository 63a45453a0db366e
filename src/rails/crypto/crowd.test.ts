import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crowdedOf, supersededBy, waitOf } from './crowd.ts'
import type { TransferSignal } from './signal.ts'

function signalsOf(merchantId: string, paymentId: string, count: number): readonly TransferSignal[] {
  return Array.from({ length: count }, () => ({ merchantId, paymentId }) as TransferSignal)
}

test('beyond the limit of a payment or a merchant, signals wait behind those of others', () => {
  const flood = signalsOf('a', 'flooded', 5_000)
  const few = Array.from({ length: 50 }, (_, n) => signalsOf('a', `few ${n}`, 2)).flat()
  const other = signalsOf('b', 'other', 1)
  assert.equal(crowdedOf([...flood, ...few, ...other]).size, 4_990)
  const many = Array.from({ length: 300 }, (_, n) => signalsOf('c', `many ${n}`, 1)).flat()
  const crowded = crowdedOf([...many, ...other])
  assert.equal(crowded.size, 100)
  assert.ok(other.every((signal) => !crowded.has(signal)))
})

test('a crowded `seen` signal waits for the final one, which replaces it', () => {
  const [detected, paid] = [{ outcome: 'seen' }, { outcome: 'paid' }] as [TransferSignal, TransferSignal]
  assert.equal(waitOf(detected, true), 10_000, 'as long as a block takes to become final')
  assert.deepEqual([waitOf(detected, false), waitOf(paid, true)], [0, 0])
  const signals = ['0xa', '0xa', '0xb'].map((blockHash) => ({ outcome: 'paid', blockHash }) as TransferSignal)
  const inC = { outcome: 'seen', blockHash: '0xc' } as TransferSignal
  assert.deepEqual(supersededBy([...signals, inC]), [
    { outcome: 'seen', blockHash: '0xa' },
    { outcome: 'seen', blockHash: '0xb' },
  ])
})
