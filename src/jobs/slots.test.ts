import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createSlotBook, type Slots } from './slots.ts'

const slotsOf = ({ own, each }: Slots, connection: string) =>
  own.find((known) => known.connection === connection)?.slots ?? each

test('nobody has more slots than are its own, and however slow the others are, a newcomer finds some', () => {
  const step = fc.record({
    connection: fc.nat(30),
    isTaking: fc.boolean(),
    ms: fc.constantFrom(0, 1_999, 5_000, 20_000),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 300 }), (each, steps) => {
      const total = 31 * 20
      const book = createSlotBook({ each, total })
      const held = new Map<string, number>()
      for (const { connection: number, isTaking, ms } of steps) {
        const connection = `c${number}`
        const has = held.get(connection) ?? 0
        if (isTaking && slotsOf(book.free(), connection) > 0) {
          book.take(connection)
          held.set(connection, has + 1)
          assert.ok(has + 1 <= each)
        }
        if (!isTaking && has > 0) {
          book.giveBack(connection, ms)
          held.set(connection, has - 1)
        }
        const count = [...held.values()].reduce((sum, one) => sum + one, 0)
        assert.equal(book.free().total, total - count)
        assert.ok(slotsOf(book.free(), 'a newcomer') > 0)
      }
    }),
  )
})

/** Takes all slots that the connection has. Answers how many. */
function takeAll(book: ReturnType<typeof createSlotBook>, connection: string): number {
  const slots = slotsOf(book.free(), connection)
  for (let nth = 0; nth < slots; nth += 1) book.take(connection)
  return slots
}

test('a quick connection gets more slots, up to its bound, and one that becomes slow loses them again', () => {
  const book = createSlotBook({ each: 20, total: 100 })
  const takenAtOnce: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const count = takeAll(book, 'one')
    takenAtOnce.push(count)
    for (let nth = 0; nth < count; nth += 1) book.giveBack('one', 10)
  }
  assert.deepEqual(takenAtOnce, [4, 8, 16, 20])
  for (let nth = 0; nth < takeAll(book, 'one'); nth += 1);
  for (let nth = 0; nth < 20; nth += 1) book.giveBack('one', 20_000)
  assert.equal(takeAll(book, 'one'), 4)
})

test('one that is known to need more has it at once, and whoever waits for a slot is known', () => {
  const book = createSlotBook({ each: 2, total: 100, eachOf: (each) => (each === 'wide' ? 30 : undefined) })
  for (const connection of ['narrow', 'wide']) book.take(connection)
  assert.deepEqual(book.free().own, [
    { connection: 'narrow', slots: 1 },
    { connection: 'wide', slots: 29 },
  ])
  assert.equal(book.isFull(), false)
  book.take('narrow')
  assert.equal(book.isFull(), true)
  book.giveBack('narrow', 20_000)
  assert.equal(book.isFull(), false)
})

test('of more connections than are remembered the one that was used longest ago is forgotten', () => {
  const book = createSlotBook({ each: 50, total: 5_000 })
  for (let nth = 0; nth < 1_500; nth += 1) {
    book.take(`c${nth}`)
    book.giveBack(`c${nth}`, 0)
  }
  assert.equal(book.free().own.length, 1_000)
  assert.equal(book.free().own[0]?.connection, 'c500')
})
