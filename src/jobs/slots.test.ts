import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { createSlotPool, type Slots } from './slots.ts'

const slotsOf = ({ byConnection, each }: Slots, connection: string) =>
  byConnection.find((each) => each.connection === connection)?.slots ?? each

test('no connection has more slots than its limit, and a new connection finds free slots, however slow the others are', () => {
  const step = fc.record({
    connection: fc.nat(30),
    isOccupying: fc.boolean(),
    ms: fc.constantFrom(0, 1_999, 5_000, 20_000),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 300 }), (each, steps) => {
      const total = 31 * 20
      const pool = createSlotPool({ each, total })
      const held = new Map<string, number>()
      for (const { connection: number, isOccupying, ms } of steps) {
        const connection = `c${number}`
        const has = held.get(connection) ?? 0
        if (isOccupying && slotsOf(pool.free(), connection) > 0) {
          pool.occupy(connection)
          held.set(connection, has + 1)
          assert.ok(has + 1 <= each)
        }
        if (!isOccupying && has > 0) {
          pool.release(connection, ms)
          held.set(connection, has - 1)
        }
        const count = [...held.values()].reduce((sum, one) => sum + one, 0)
        assert.equal(pool.free().total, total - count)
        assert.ok(slotsOf(pool.free(), 'a newcomer') > 0)
      }
    }),
  )
})

/** Occupies all free slots of the connection. Returns how many. */
function occupyAll(pool: ReturnType<typeof createSlotPool>, connection: string): number {
  const slots = slotsOf(pool.free(), connection)
  for (let nth = 0; nth < slots; nth += 1) pool.occupy(connection)
  return slots
}

test('a quick connection gets more slots, up to its limit, and loses them again when it becomes slow', () => {
  const pool = createSlotPool({ each: 20, total: 100 })
  const occupiedAtOnce: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const count = occupyAll(pool, 'one')
    occupiedAtOnce.push(count)
    for (let nth = 0; nth < count; nth += 1) pool.release('one', 10)
  }
  assert.deepEqual(occupiedAtOnce, [4, 8, 16, 20])
  for (let nth = 0; nth < occupyAll(pool, 'one'); nth += 1);
  for (let nth = 0; nth < 20; nth += 1) pool.release('one', 20_000)
  assert.equal(occupyAll(pool, 'one'), 4)
})

test('a connection with a limit of its own has all its slots at once, and `isFull` shows that a connection has none left', () => {
  const pool = createSlotPool({ each: 2, total: 100, eachOf: (each) => (each === 'wide' ? 30 : undefined) })
  for (const connection of ['narrow', 'wide']) pool.occupy(connection)
  assert.deepEqual(pool.free().byConnection, [
    { connection: 'narrow', slots: 1 },
    { connection: 'wide', slots: 29 },
  ])
  assert.equal(pool.isFull(), false)
  pool.occupy('narrow')
  assert.equal(pool.isFull(), true)
  pool.release('narrow', 20_000)
  assert.equal(pool.isFull(), false)
})

test('with too many connections the pool forgets the one that was used longest ago', () => {
  const pool = createSlotPool({ each: 50, total: 5_000 })
  for (let nth = 0; nth < 1_500; nth += 1) {
    pool.occupy(`c${nth}`)
    pool.release(`c${nth}`, 0)
  }
  assert.equal(pool.free().byConnection.length, 1_000)
  assert.equal(pool.free().byConnection[0]?.connection, 'c500')
})
