// Work that one process at a time may do, for commands that take minutes. The lock belongs to a transaction, so it ends with the process, and
// a pooler in transaction mode may be in between.
import { secondMs, sleep } from '#/kernel/time.ts'
import { connect, type Tx } from './client.ts'
import { lengthened } from './limits.ts'

/** How often the server hears of this process, and after what silence it ends the transaction, as when the machine is gone. */
const renewMs = 2 * secondMs
const idleSeconds = 20

/**
 * Runs `work` while no other process runs work of this name in this database. Undefined: another one does, and `work` was not called. A process
 * that is stopped for long loses the lock and continues: what it writes must be refused then by a comparison of its own.
 */
export async function exclusively<Result>(
  url: string,
  name: string,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const sql = connect(url, { max: 2, applicationName: 'vintem-exclusive', transactionSeconds: 0 })
  const done: { outcome?: { readonly result: Result } } = {}
  try {
    await sql.begin(async (tx) => {
      if (!(await takeLock(tx, name))) return
      const ending = new AbortController()
      const renewing = keepRenewing(tx, ending.signal)
      try {
        done.outcome = { result: await work() }
      } finally {
        ending.abort()
        await renewing
      }
    })
  } catch (error) {
    // The lock may be lost with its connection while the work goes on.
    if (done.outcome === undefined) throw error
  } finally {
    await sql.end({ timeout: 0 })
  }
  return done.outcome
}

async function takeLock(tx: Tx, name: string): Promise<boolean> {
  await tx.unsafe(`set local idle_in_transaction_session_timeout = '${lengthened(idleSeconds)}s'`)
  const [row] = await tx<{ isTaken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}::text, 0)) as "isTaken"`
  return row?.isTaken === true
}

/** Never rejects. */
async function keepRenewing(tx: Tx, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(renewMs, signal)
    if (!signal.aborted) await tx`select 1`.catch(() => {})
  }
}
