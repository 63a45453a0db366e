// Wrong clocks: the database's clock ahead for a while, our own, and books ahead of both.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import pino from 'pino'
import { AppError } from '#/kernel/error.ts'
import { addMs, hourMs, minuteMs, secondMs, systemClock, type Clock } from '#/kernel/time.ts'
import { move, openBooks, posting } from '../../test/books.ts'
import { shiftDatabaseClock } from '../../test/clock.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { provider, suspense } from './chart.ts'
import { createHeadClock } from './head.ts'

type Row = Readonly<Record<string, unknown>>

const dayMs = 25 * hourMs
const [from, to] = [provider('SANDBOX', 't1-x', 'BRL'), suspense('SANDBOX', 't1-x', 'BRL')]
const unavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable'

const books = openForTests(openBooks)
beforeEach(() => shiftDatabaseClock(books, 0))

function hearingLog() {
  const logged: Row[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line) as Row) })
  return { logged, log }
}

/** A process with this clock. */
async function processWith(clock: Clock) {
  const { logged, log } = hearingLog()
  const lane = await books.openLane({ clock, log })
  return {
    logged,
    pay: () => lane.submit(move, { postings: [posting(from, to, 1n)] }),
  }
}

async function headAt(): Promise<Date> {
  const [row] = await books.sql<{ at: Date }[]>`select at from head`
  return row?.at ?? assert.fail('there is a head')
}

test('while the database’s clock is ahead nothing moves the head; an alarm names both clocks; later the same call succeeds', async () => {
  const { logged, pay } = await processWith(systemClock)
  await pay()
  const before = await headAt()
  await shiftDatabaseClock(books, dayMs)
  await assert.rejects(pay(), unavailable)
  await assert.rejects(pay(), unavailable)
  assert.deepEqual(await headAt(), before)
  const alarms = logged.filter(({ level }) => level === 50)
  assert.equal(alarms.length, 1, 'logged once, not for each batch')
  const clocks = ['databaseClock', 'ownClock'].map((name) => Date.parse(String(alarms[0]?.[name])))
  const [database = 0, local = 0] = clocks
  assert.ok(database - local > dayMs - hourMs && database - local < dayMs + hourMs)
  await shiftDatabaseClock(books, 0)
  assert.equal((await pay()).ok, true)
  assert.ok((await headAt()) < addMs(systemClock.now(), hourMs))
})

test('a process with a clock that is behind refuses too, and one with a clock that is ahead goes on', async () => {
  const behind = await processWith({ now: () => addMs(systemClock.now(), -dayMs) })
  await assert.rejects(behind.pay(), unavailable)
  const ahead = await processWith({ now: () => addMs(systemClock.now(), dayMs) })
  assert.equal((await ahead.pay()).ok, true)
  assert.ok((await headAt()) < addMs(systemClock.now(), hourMs))
  assert.deepEqual(
    ahead.logged.map(({ msg }) => msg),
    ['the clock of this machine is ahead of the database’s'],
  )
})

test('clocks that differ by less than five seconds have no effect', async () => {
  const { logged, pay } = await processWith(systemClock)
  await shiftDatabaseClock(books, 3 * secondMs)
  assert.equal((await pay()).ok, true)
  assert.deepEqual(logged, [])
})

test('the instant of books that are ahead stands still, with an alarm, and money goes on', async () => {
  const { logged, pay } = await processWith(systemClock)
  await books.owner`update head set at = clock_timestamp() + interval '25 hours'`
  const before = await headAt()
  assert.equal((await pay()).ok, true)
  assert.equal((await pay()).ok, true)
  assert.deepEqual(await headAt(), before)
  assert.deepEqual(
    logged.map(({ level, msg }) => [level, msg]),
    [[50, 'the books are ahead of the clock: their instant does not advance until the clock has caught up']],
  )
})

test('five seconds apart is near enough in each direction, and a millisecond more is not', () => {
  const now = new Date('2026-11-22T12:00:00.000Z')
  const limit = 5 * secondMs
  const ask = (own: number, last: number) => {
    const { logged, log } = hearingLog()
    const { instantAfter } = createHeadClock({ cell: 't1', log, clock: { now: () => addMs(now, own) } })
    try {
      const at = instantAfter({ now, lastAt: addMs(now, last) })
      return [at.getTime() - now.getTime(), ...logged.map(({ level }) => level)]
    } catch (error) {
      return [unavailable(error), ...logged.map(({ level }) => level)]
    }
  }
  assert.deepEqual(ask(-limit, -1), [0])
  assert.deepEqual(ask(-limit - 1, -1), [true, 50])
  assert.deepEqual(ask(limit, -1), [0])
  assert.deepEqual(ask(limit + 1, -1), [0, 40])
  assert.deepEqual(ask(0, 1), [1])
  assert.deepEqual(ask(0, limit), [limit])
  assert.deepEqual(ask(0, limit + 1), [limit + 1, 50])
})

test('an alarm is repeated after a minute, and each kind has its own', (t) => {
  let atMs = 1_000
  t.mock.method(performance, 'now', () => atMs)
  const now = new Date('2026-11-22T12:00:00.000Z')
  const { logged, log } = hearingLog()
  const { instantAfter } = createHeadClock({ cell: 't1', log, clock: { now: () => addMs(now, minuteMs) } })
  const alarmsAfter = (ms: number) => {
    atMs += ms
    instantAfter({ now, lastAt: addMs(now, minuteMs) })
    return logged.splice(0).map(({ level }) => level)
  }
  assert.deepEqual([0, minuteMs - 1, 1, minuteMs - 1].map(alarmsAfter), [[40, 50], [], [40, 50], []])
})
