// Which of our audit keys makes the next hash. The head names the key, so that all processes change it with the same batch.
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { fingerprintOf, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { minuteMs, monotonicMs, secondMs } from '#/kernel/time.ts'
import type { HeadRow } from './queries.ts'

const alarmEveryMs = minuteMs

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
