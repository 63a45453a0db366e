// What is committed and visible may be missing on the synchronous standby. When the wait of a COMMIT is cancelled, or the
// server restarts during it, its rows become visible on this server alone (PostgreSQL, 27.2.8.4), and a failover loses them. So
// code that acknowledges rows of another transaction waits here first.
import type { Sql } from './client.ts'

type Proofs = {
  running: Promise<void>
  /** It starts when the running one has ended. */
  next?: Promise<void> | undefined
}

const proofs = new WeakMap<Sql, Proofs>()

/**
 * Waits until everything that is visible now is also on the synchronous standby. Where the server has no standby, it costs one
 * read. Calls at the same time share a proof that begins after all of them. Rejects with ConnectionLost after the time limit of
 * a transaction: the standby is not reachable, and nobody knows whether it has the rows.
 */
export async function awaitReplication(sql: Sql): Promise<void> {
  const current = proofs.get(sql)
  if (current === undefined) return start(sql)
  // The running proof may have begun before the rows were read.
  current.next ??= current.running.catch(() => {}).then(() => start(sql))
  return current.next
}

function start(sql: Sql): Promise<void> {
  const running = prove(sql).finally(() => {
    if (proofs.get(sql)?.running === running) proofs.delete(sql)
  })
  proofs.set(sql, { running })
  return running
}

/** Standbys receive the log in its order, so a commit that they have confirmed confirms all earlier ones. */
async function prove(sql: Sql): Promise<void> {
  const [server] = await sql<{ isSynchronous: boolean }[]>`
    select current_setting('synchronous_standby_names') <> '' as "isSynchronous"`
  if (server?.isSynchronous !== true) return
  await sql.begin((tx) => tx`select pg_logical_emit_message(true, 'vintem', '')`)
}
