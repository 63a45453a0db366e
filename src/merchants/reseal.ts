// Seals credentials that send money out again, to the worker's public key: credentials that a release without a public key sealed, and
// those that are sealed to an earlier worker's key. It may run beside workers, and may be interrupted anywhere: the next run continues.
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { isSealedTo } from '#/kernel/seal-to.ts'
import type { Actor } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { selectSealedRefunds, updateSealedRefunds, type SealedRefunds } from './connection-queries.ts'
import { openWithAny, refundPlace, type WorkerKeys } from './connections.ts'
import type { SealForWorker } from './worker-key.ts'

/** `read`: all connections so far. `resealed`: those that this run changed. `unopened`: those that no key of ours opens. */
export type ResealCounts = {
  readonly read: number
  readonly resealed: number
  readonly unopened: readonly ConnectionId[]
}

export type ResealDeps = {
  readonly sql: Sql
  /** The worker's keys, those in force first, then those of an earlier worker's key. */
  readonly workers: readonly [WorkerKeys, ...(readonly WorkerKeys[])]
  /** Seals to the public key of the first. */
  readonly sealForWorker: SealForWorker
  readonly by: Actor
  /** Called after each batch is committed. */
  readonly onProgress?: (counts: ResealCounts) => void
  /** Default: 100. */
  readonly batchMax?: number
}

/** Goes through all connections, batch by batch, each batch in a transaction of its own with its entries of the audit log. */
export async function resealConnections(deps: ResealDeps): Promise<ResealCounts> {
  const { sql, onProgress, batchMax = 100 } = deps
  let counts: ResealCounts = { read: 0, resealed: 0, unopened: [] }
  for (let after: ConnectionId | undefined; ;) {
    const page = await selectSealedRefunds(sql, after, batchMax)
    after = page.at(-1)?.id
    if (after === undefined) return counts
    const { resealed, unopened } = await resealBatch(deps, page)
    counts = {
      read: counts.read + page.length,
      resealed: counts.resealed + resealed,
      unopened: [...counts.unopened, ...unopened],
    }
    onProgress?.(counts)
  }
}

async function resealBatch(
  { sql, workers, sealForWorker, by }: ResealDeps,
  page: readonly SealedRefunds[],
): Promise<{ readonly resealed: number; readonly unopened: readonly ConnectionId[] }> {
  const { publicKey } = workers[0].pair
  const unopened: ConnectionId[] = []
  const changes = page.flatMap(({ id, merchantId, sealedRefunds: before }) => {
    if (before === null || isSealedTo(publicKey, before)) return []
    const plain = opened(workers, id, before)
    if (plain !== undefined)
      return [{ id, merchantId, before, sealed: sealForWorker(refundPlace(id), plain) }]
    unopened.push(id)
    return []
  })
  if (changes.length === 0) return { resealed: 0, unopened }
  const changed = await sql.begin(async (tx) => {
    // A connection that was replaced in the meantime keeps its new credentials, which are sealed to the public key already.
    const ids = new Set(await updateSealedRefunds(tx, changes))
    await writeAudit(
      tx,
      changes
        .filter(({ id }) => ids.has(id))
        .map(({ id, merchantId }) => ({
          actor: by,
          action: 'connection.reseal',
          subject: `connection:${id}`,
          ...(merchantId === null ? {} : { merchantId }),
        })),
    )
    return ids.size
  })
  return { resealed: changed, unopened }
}

/** Undefined: none of the keys opens it, and the connection is reported. */
function opened(workers: ResealDeps['workers'], id: ConnectionId, sealed: Buffer): Buffer | undefined {
  try {
    return openWithAny(workers, id, sealed)
  } catch {
    return undefined
  }
}
