// The head of the books: made once, in a database that has no other cell's.
import type { Sql } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { fingerprintOf, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { type Clock, monotonicMs, minuteMs, secondMs, systemClock } from '#/kernel/time.ts'
import { genesisHash } from './chain.ts'
import { insertHead, selectCell, type HeadRow } from './queries.ts'

/** Makes the head of a new database. Throws a StartError when the database belongs to another cell. */
export async function ensureHead(sql: Sql, cell: string, clock: Clock): Promise<void> {
  await insertHead(sql, cell, genesisHash, clock.now())
  await confirmCell(sql, cell)
}

/** Throws a StartError when the database belongs to another cell. A database without a head belongs to none yet. */
export async function confirmCell(sql: Sql, cell: string): Promise<void> {
  const found = await selectCell(sql)
  if (found === undefined || found === cell) return
  throw new StartError(
    `This database belongs to cell ${found}, and VINTEM_CELL is ${cell}.`,
    `Set VINTEM_CELL=${found}, or DATABASE_URL to the database of cell ${cell}.`,
  )
}

// The instant of a batch: the database's clock, read under the head's lock, but never before the instant of the previous batch.
// So if the clock were ahead for a moment, the books would stay ahead. A batch is therefore refused before the head moves when
// the database's clock is too far ahead of our own. Which of the two clocks is wrong is unknown here.

/** The clocks may differ by this much: many times the difference of synchronised machines, and little enough to do no harm. */
const apartMaxMs = 5 * secondMs
/** The time between two alarms of one kind. */
const alarmEveryMs = minuteMs

type HeadClock = {
  /**
   * The instant of the batch after `head`. Throws `unavailable` while the database's clock is more than 5 s ahead of our own:
   * nothing was written, and the same call may be sent again. Our own clock may be ahead by any amount, because no decision
   * depends on it.
   */
  instantAfter(head: Pick<HeadRow, 'lastAt' | 'now'>): Date
}

export function createHeadClock({
  cell,
  log,
  clock = systemClock,
}: {
  readonly cell: string
  readonly log: Log
  readonly clock?: Clock
}): HeadClock {
  const alarms = new Map<string, number>()

  function alarm(what: string, level: 'error' | 'warn', clocks: Readonly<Record<string, Date>>): void {
    const lastMs = alarms.get(what)
    if (lastMs !== undefined && monotonicMs() - lastMs < alarmEveryMs) return
    alarms.set(what, monotonicMs())
    log[level]({ cell, ...clocks }, what)
  }

  return {
    instantAfter({ lastAt, now }) {
      const local = clock.now()
      const clocks = { databaseClock: now, ownClock: local }
      const aheadMs = now.getTime() - local.getTime()
      if (aheadMs > apartMaxMs) {
        alarm('the clock of the database is ahead of this machine’s: no money moves', 'error', clocks)
        const detail =
          'The clocks of two machines differ. The same call, with the same key, may be sent again.'
        throw new AppError('unavailable', detail, { retryAfterMs: secondMs })
      }
      if (aheadMs < -apartMaxMs) alarm('the clock of this machine is ahead of the database’s', 'warn', clocks)
      if (lastAt.getTime() - now.getTime() > apartMaxMs)
        alarm(
          'the books are ahead of the clock: their instant does not advance until the clock has caught up',
          'error',
          {
            lastBatchAt: lastAt,
            ...clocks,
          },
        )
      return new Date(Math.max(now.getTime(), lastAt.getTime()))
    },
  }
}

// Which of our audit keys makes the next hash. The head names the key, so that all processes change it with the same batch.

/**
 * Returns a function that chooses the key under the head's lock. The function throws `unavailable`, and nothing was written:
 * - when this process lacks the key in force;
 * - when this process has several keys, and the books of an earlier release do not say which of them made their batches.
 */
export function createHeadKey({
  cell,
  auditKey,
  log,
}: {
  readonly cell: string
  readonly auditKey: KeyRing
  readonly log: Log
}): (head: Pick<HeadRow, 'auditKey' | 'batch'>) => Buffer {
  const keys = keysOf(auditKey).map((key) => ({ key, name: fingerprintOf(key) }))
  const ours = keys.map(({ name }) => name.toString('hex'))
  let alarmedMs: number | undefined
  const refuse = (inForce: Buffer | null, text: string): AppError => {
    if (alarmedMs === undefined || monotonicMs() - alarmedMs > alarmEveryMs) {
      alarmedMs = monotonicMs()
      log.error({ cell, wanted: inForce?.toString('hex'), own: ours }, `${text}: this process moves no money`)
    }
    return new AppError('unavailable', 'This process does not have the audit key in force.', {
      retryAfterMs: secondMs,
    })
  }
  return ({ auditKey: inForce, batch }) => {
    if (inForce === null && keys.length > 1 && batch > 0n)
      throw refuse(inForce, 'start a process with only the audit key in use, before the key is changed')
    if (inForce === null) return must(keys.at(-1), 'a ring has a key').key
    const found = keys.find(({ name }) => name.equals(inForce))
    if (found === undefined) throw refuse(inForce, 'the audit key in force is another one')
    return found.key
  }
}
