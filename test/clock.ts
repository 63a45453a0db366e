// A clock that a test moves: the clock of the process, which stands still between moves, and the clock of the database. In the
// databases of tests, functions that return the time are replaced (see postgres.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { addMs, systemClock, type Clock } from '#/kernel/time.ts'
import { onKeptConnection } from './kept-connection.ts'
import type { TestDatabase } from './postgres.ts'

type Place = Pick<TestDatabase, 'ownerUrl'>

export type WorldClock = Clock & {
  /** Moves both clocks, the process's first. */
  advance(ms: number): Promise<void>
  /**
   * Moves both clocks, the database's first. A worker that reads both between the two moves sees what it would see after a pause of its
   * own. Until the second clock has moved too, lanes refuse batches.
   */
  advanceDatabaseFirst(ms: number): Promise<void>
  /** The time of a lane's machine: it goes on as the database's does. */
  readonly running: Clock
}

/** Sets the clock of the database, and one of this process, to `startAt`. The database's goes on from there. */
export async function worldClock(place: Place, startAt: Date = systemClock.now()): Promise<WorldClock> {
  let now = startAt
  let shiftMs = startAt.getTime() - systemClock.now().getTime()
  let databaseMs = shiftMs
  await shiftDatabaseClock(place, shiftMs)
  return {
    now: () => now,
    running: { now: () => addMs(systemClock.now(), shiftMs) },
    async advance(ms) {
      now = addMs(now, ms)
      shiftMs += ms
      databaseMs += ms
      await shiftDatabaseClock(place, databaseMs)
    },
    async advanceDatabaseFirst(ms) {
      databaseMs += ms
      await shiftDatabaseClock(place, databaseMs)
      now = addMs(now, ms)
      shiftMs += ms
    },
  }
}

/** The same, but the database's clock stands still too: for tests of single milliseconds. */
export async function stoppedClock(place: Place, startAt: Date): Promise<WorldClock> {
  let now = startAt
  await stopDatabaseClock(place, now)
  const clock = { now: () => now }
  return {
    ...clock,
    running: clock,
    async advance(ms) {
      now = addMs(now, ms)
      await stopDatabaseClock(place, now)
    },
    async advanceDatabaseFirst(ms) {
      const next = addMs(now, ms)
      await stopDatabaseClock(place, next)
      now = next
    },
  }
}

/** From now on the clock of the database is `ms` ahead of its machine's. */
export function shiftDatabaseClock(place: Place, ms: number): Promise<void> {
  return replace(place, `clock_shift() returns interval`, `interval '${Math.round(ms)} milliseconds'`)
}

function stopDatabaseClock(place: Place, at: Date): Promise<void> {
  return replace(place, `clock_stopped() returns timestamptz`, `timestamptz '${at.toISOString()}'`)
}

/** Serialises changes: two that replace a function at once fail. */
function replace(place: Place, head: string, value: string): Promise<void> {
  const turn = (turns.get(place.ownerUrl) ?? Promise.resolve()).then(() => write(place, head, value))
  turns.set(place.ownerUrl, turn)
  return turn
}

const turns = new Map<string, Promise<void>>()

/**
 * Changes the function twice, because plans contain these functions inlined. A plan that is built while a change commits can keep the
 * old function, and only the next change makes PostgreSQL build the plan again. Without the second change, one run in sixty failed: a
 * worker found nothing due until its test gave up.
 */
async function write({ ownerUrl }: Place, head: string, value: string): Promise<void> {
  await onKeptConnection(ownerUrl, async (sql) => {
    const change = () =>
      sql.unsafe(`create or replace function ${head} language sql stable as $$ select ${value} $$`)
    await change()
    await sleep(planMs)
    await change()
  })
}

/** Longer than PostgreSQL takes to build a plan. */
const planMs = 20
