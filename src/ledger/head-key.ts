// Which of our audit keys makes the next hash. The head says it, so that all processes change the key with the same batch.
import { AppError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { fingerprintOf, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { minuteMs, monotonicMs, secondMs } from '#/kernel/time.ts'
import { must } from '#/kernel/check.ts'
import type { HeadRow } from './queries.ts'

const alarmEveryMs = minuteMs

/**
 * Returns what chooses the key under the head's lock. It throws `unavailable` when this process lacks the key in force: nothing was
 * written. While no key is written down, the key is the one before a change: the last of the ring.
 */
export function createHeadKey({
  cell,
  auditKey,
  log,
}: {
  readonly cell: string
  readonly auditKey: KeyRing
  readonly log: Log
}): (head: Pick<HeadRow, 'auditKey'>) => Buffer {
  const keys = keysOf(auditKey).map((key) => ({ key, name: fingerprintOf(key) }))
  let alarmedMs: number | undefined
  return (head) => {
    const wanted = head.auditKey
    if (wanted === null) return must(keys.at(-1), 'a ring has a key').key
    const found = keys.find(({ name }) => name.equals(wanted))
    if (found !== undefined) return found.key
    if (alarmedMs === undefined || monotonicMs() - alarmedMs > alarmEveryMs) {
      alarmedMs = monotonicMs()
      const fields = {
        cell,
        wanted: wanted.toString('hex'),
        own: keys.map(({ name }) => name.toString('hex')),
      }
      log.error(fields, 'this process does not have the audit key in force: it moves no money')
    }
    throw new AppError('unavailable', 'This process does not have the audit key in force.', {
      retryAfterMs: secondMs,
    })
  }
}
