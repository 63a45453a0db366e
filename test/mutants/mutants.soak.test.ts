// The tests notice mutants: ten of each room, others in each soak.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { measure } from './measure.ts'
import { rooms } from './rooms.ts'

const seed = Number(process.env['VINTEM_SEED'] ?? randomInt(1_000_000))

test(`nine of ten mutants are noticed, by the tests that reach them (seed ${seed})`, async (t) => {
  let [tried, caught] = [0, 0]
  for (const room of Object.keys(rooms)) {
    const say = (line: string) => void (line.startsWith('lived') && t.diagnostic(line))
    const measured = await measure(room, { count: 10, seed, most: 40, files: '', again: false, say })
    t.diagnostic(`${room}: ${measured.caught} of ${measured.tried}`)
    tried += measured.tried
    caught += measured.caught
  }
  assert.ok(tried >= 100, `${tried} were tried`)
  assert.ok(caught >= 0.9 * tried, `${caught} of ${tried} were noticed`)
})
