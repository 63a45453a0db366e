import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { firstIdAt, isUuid, newId, newIdAt } from './id.ts'

/** Version 7 and the variant of RFC 9562 §4.1 and §5.7. */
const v7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The instant with which an id starts. */
function msOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

function assertRising(ids: readonly string[]): void {
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1]
    assert.ok(before === undefined || before < id, `${before} and then ${id}`)
  }
}

test('ids of one process are in the order in which they were made, many in each millisecond', () => {
  const ids = Array.from({ length: 50_000 }, () => newId())
  assert.ok(new Set(ids.map(msOf)).size < 10_000, 'several shared a millisecond')
  assertRising(ids)
  for (const id of ids) assert.match(id, v7)
})

test('ids of a given instant are in order too, and each starts with that instant', () => {
  const at = new Date('2026-11-21T14:03:20.123Z')
  const ids = Array.from({ length: 20_000 }, () => newIdAt(at))
  assertRising(ids)
  for (const id of ids) {
    assert.match(id, v7)
    assert.ok(isUuid(id))
    assert.equal(msOf(id), at.getTime())
    assert.ok(id > firstIdAt(at) && id < firstIdAt(new Date(at.getTime() + 1)))
  }
  const later = newIdAt(new Date(at.getTime() + 1))
  assert.ok((ids.at(-1) ?? '') < later)
})

test('a clock that is set back a little does not change the order, and one that is set back far is followed', (t) => {
  t.after(() => mock.timers.reset())
  // Later than any instant that other tests of this process have used.
  const start = Date.now() + 60_000
  mock.timers.enable({ apis: ['Date'], now: start })
  const before = newId()
  mock.timers.setTime(start - 5_000)
  assertRising([before, newId(), newId()])
  mock.timers.setTime(start - 70_000)
  assert.equal(msOf(newId()), start - 70_000)
})

test('an id cannot be guessed from the one before it: 48 bits of each are random', () => {
  const tails = Array.from({ length: 20_000 }, () => newId().slice(24))
  assert.equal(new Set(tails).size, tails.length)
  // Each of the 48 bits is set in about half of them: 20,000 coin tosses deviate by less than 600 (8 sigma).
  const counts = Array.from({ length: 48 }, () => 0)
  for (const tail of tails) {
    const bits = BigInt(`0x${tail}`)
    for (let bit = 0; bit < 48; bit++) counts[bit] = (counts[bit] ?? 0) + Number((bits >> BigInt(bit)) & 1n)
  }
  for (const count of counts) assert.ok(Math.abs(count - tails.length / 2) < 600, String(count))
})

test('an id does not show how many ids were made in its millisecond before', () => {
  const firsts = Array.from({ length: 50 }, (_, index) => newIdAt(new Date(1_700_000_000_000 + index)))
  assert.ok(new Set(firsts.map((id) => id.slice(15, 23))).size > 40)
})
