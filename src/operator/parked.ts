// Signals that could not be settled and wait for a person, and chains that are halted.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { sha256 } from '#/kernel/secret.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { liftHalt, selectChainStates } from '#/rails/crypto/watch-queries.ts'
import { dropParked, retryParked, type ParkedSignal } from '#/settlement/inbox-queries.ts'
import type { Operator } from './deps.ts'
import { selectConnectionOwner } from './interest-queries.ts'
import { requireAlone } from './interest.ts'

/** Has a signal tried again, up to five times. False when no such signal waits. */
export function retrySignal(sql: Sql, { by }: Operator, id: bigint, reason?: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    if (!(await retryParked(tx, id))) return false
    const entry = { ...by, action: 'inbox.retry', subject: `signal:${id}` }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
    return true
  }) as Promise<boolean>
}

/**
 * Drops a signal for good. Returns it this last time; undefined when no such signal waits. Throws AppError `forbidden` for a member of the
 * merchant whose own connection it came from.
 */
export function dropSignal(
  sql: Sql,
  operator: Operator,
  id: bigint,
  reason: string,
): Promise<ParkedSignal | undefined> {
  return sql.begin(async (tx): Promise<ParkedSignal | undefined> => {
    const signal = await dropParked(tx, id)
    if (signal === undefined) return undefined
    await requireAlone(tx, operator, [await selectConnectionOwner(tx, signal.connection)])
    const before = aboutSignal(signal)
    await writeAudit(tx, [{ ...operator.by, action: 'inbox.drop', subject: `signal:${id}`, before, reason }])
    return signal
  })
}

/** Only the body's hash: a body can hold what must not be in a log. */
export function aboutSignal({ method, connection, body }: ParkedSignal) {
  return { method, connection, bodySha256: sha256(body).toString('hex') }
}

/**
 * Lets a halted chain be followed again. `halted` repeats why it is halted, word for word: only the reason that was read is lifted, as the
 * chain may have been halted again for another one meanwhile.
 */
export async function liftChain(
  sql: Sql,
  { by }: Operator,
  chain: { readonly key: string; readonly halted: string; readonly reason?: string },
): Promise<void> {
  const { key, halted, reason } = chain
  const found = (await selectChainStates(sql)).find((each) => each.key === key)
  if (found === undefined) throw new AppError('not_found', `There is no chain ${key}.`)
  if (found.halted === null)
    throw new AppError('invalid_state', `The chain ${key} is not halted. There is nothing to lift.`)
  await sql.begin(async (tx) => {
    if (!(await liftHalt(tx, key, halted)))
      throw new AppError('invalid_state', `The chain ${key} is halted for another reason: ${found.halted}.`)
    const entry = { ...by, action: 'chain.lift', subject: `chain:${key}`, before: { halted } }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
  })
}
