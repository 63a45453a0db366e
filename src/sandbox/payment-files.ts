// In the sandbox no person uploads files of payments: the worker makes them and hands them in at the simulated bank.
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { ConnectionId, Id } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { makeBatch, takeFile, type BatchDeps } from '#/rails/sepa/batch.ts'
import { selectAccountsWithWaiting, selectBatchBytes, selectUntaken } from '#/rails/sepa/payout-queries.ts'
import type { ControlCall } from './control-call.ts'

export type PaymentFileDeps = BatchDeps & {
  /** The remote control of the simulated bank. */
  readonly bank: ControlCall
  readonly log: Log
}

const by = 'sandbox'

/**
 * Makes files of the payouts that wait on the sandbox's accounts, and hands them in. A file that was handed in, but not marked
 * before a crash, is handed in again: the bank knows it by its name, so that has no effect. Returns the number of files. An account
 * that fails does not stop the others.
 */
export async function handInPayments(deps: PaymentFileDeps): Promise<number> {
  const sandbox = deps.connections.all('SEPA_TRANSFER').filter(({ mode }) => mode === 'SANDBOX')
  const ids = sandbox.map(({ id }) => id)
  const untaken = await selectUntaken(deps.sql, ids)
  const remaining = new Map(untaken.map(({ connection, id }) => [connection, id]))
  const waiting = await selectAccountsWithWaiting(deps.sql, ids)
  let count = 0
  for (const connection of new Set([...remaining.keys(), ...waiting]))
    try {
      count += await handInOf(deps, connection, remaining.get(connection))
    } catch (error) {
      deps.log.warn({ connection, error: messageOf(error) }, 'a file of payments waits for the bank')
    }
  return count
}

/** Hands in the file that an earlier call left, otherwise a new one. */
async function handInOf(
  deps: PaymentFileDeps,
  connection: ConnectionId,
  remaining: Id<'sepa-batch'> | undefined,
): Promise<number> {
  const { sql, connections, bank } = deps
  const id = remaining ?? (await makeBatch(deps, { connection, by }))?.id
  if (id === undefined) return 0
  const iban = String(connections.find(connection)?.settings['iban'])
  const bytes = must(await selectBatchBytes(sql, id), `there is a file ${id}`)
  await bank('POST', `/_sim/accounts/${iban}/payment-files`, { file: bytes.toString('utf8') })
  await takeFile(sql, { id, by, write: async () => {} })
  return 1
}
