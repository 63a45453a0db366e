import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import pino from 'pino'
import { AppError } from '#/kernel/error.ts'
import { addMs, hourMs, minuteMs, systemClock, type Clock } from '#/kernel/time.ts'
import { shiftDatabaseClock } from '../../test/clock.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { connect } from './client.ts'
import { followDatabaseClock } from './clock.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 2 }))
afterEach(() => shiftDatabaseClock(database, 0))

async function follow(localClock: Clock = systemClock) {
  const logged: string[] = []
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const clock = await followDatabaseClock({ sql, log, machineClock: localClock, readEveryMs: 10 })
  const awayMs = () => clock.now().getTime() - systemClock.now().getTime()
  return { clock, logged, awayMs, [Symbol.asyncDispose]: () => clock.close() }
}

const isRefused = (work: () => void) => {
  try {
    work()
    return false
  } catch (error) {
    return error instanceof AppError && error.code === 'unavailable'
  }
}

test('a machine whose clock is ahead uses the database’s time', async () => {
  await using followed = await follow({ now: () => addMs(systemClock.now(), 25 * hourMs) })
  assert.ok(Math.abs(followed.awayMs()) < minuteMs)
  followed.clock.mustAgree()
})

test('a database clock that jumps ahead is not followed, and requests are refused until it is back', async () => {
  await using followed = await follow()
  await shiftDatabaseClock(database, 25 * hourMs)
  await eventually('the clock is refused', () => isRefused(followed.clock.mustAgree))
  assert.ok(Math.abs(followed.awayMs()) < minuteMs)
  await shiftDatabaseClock(database, 0)
  await eventually('the clock is accepted', () => !isRefused(followed.clock.mustAgree))
  assert.equal(followed.logged.length, 1, 'logged once')
})

test('a database clock that goes back is followed, and listeners are called', async () => {
  await using followed = await follow()
  let calls = 0
  followed.clock.onBack(() => (calls += 1))
  await shiftDatabaseClock(database, -25 * hourMs)
  await eventually('the listener is called', () => calls > 0)
  assert.ok(Math.abs(followed.awayMs() + 25 * hourMs) < minuteMs)
  assert.equal(calls, 1)
})
