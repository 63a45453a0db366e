// Inspects which audit key made which batches. The table that says so is only a hint: the hash of a batch must be the one that
// the key of its range makes.
// Inspects what rekey/fit.ts decides.
import type { Sql } from '#/db/client.ts'
import type { Inspector } from '#/db/inspection.ts'
import { fingerprintOf, firstKey, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { batchHash } from '#/ledger/chain.ts'
import { contentOf } from './batch-content.ts'
import * as queries from './ledger-queries.ts'

/** The key that made a batch; undefined: it is not given. */
export type KeyOfBatch = (number: bigint) => Buffer | undefined

/** A batch has at most this many rows; see inspectChain. */
const contentMax = 1_000_001n

/**
 * Names each key that is needed and was not given. The newest range must belong to the first key: otherwise the owner of an
 * earlier key could also write the newest batches.
 */
export async function inspectAuditKeys(
  { sql, upTo, fault }: Pick<Inspector, 'sql' | 'upTo' | 'fault'>,
  auditKey: KeyRing,
): Promise<KeyOfBatch> {
  const rows = await queries.selectAuditKeys(sql)
  if (rows.length === 0) return () => keysOf(auditKey).at(-1)
  const given = new Map(keysOf(auditKey).map((key) => [nameOf(fingerprintOf(key)), key]))
  const [first] = rows
  if (first !== undefined && first.firstBatch !== 1n)
    fault('audit key', `of batches 1 to ${first.firstBatch - 1n} is not named`)
  const ranges = rows.map(({ firstBatch, fingerprint }, index) => {
    const last = (rows[index + 1]?.firstBatch ?? upTo.batch + 1n) - 1n
    const key = given.get(nameOf(fingerprint))
    if (key === undefined && firstBatch <= upTo.batch && firstBatch <= last)
      fault(
        `audit key ${nameOf(fingerprint)}`,
        `made batches ${firstBatch} to ${last < upTo.batch ? last : upTo.batch} and is not given: add it to VINTEM_AUDIT_KEY_PREVIOUS`,
      )
    return { firstBatch, key }
  })
  const newest = ranges.at(-1)
  if (newest?.key !== undefined && !newest.key.equals(firstKey(auditKey)))
    fault('audit key', 'in force is an earlier one than VINTEM_AUDIT_KEY: run ./vintem rekey')
  return (number) => ranges.findLast(({ firstBatch }) => firstBatch <= number)?.key
}

/** The head names the newest key, and a batch was made with it. */
export async function inspectKeyInForce(
  { sql, fault }: Pick<Inspector, 'sql' | 'fault'>,
  headBatch: bigint,
  ofHead: Buffer | null,
): Promise<void> {
  const newest = (await queries.selectAuditKeys(sql)).at(-1)
  if (newest === undefined) return
  if (ofHead === null || !newest.fingerprint.equals(ofHead))
    fault('audit key', 'of the head is not the newest one')
  if (newest.firstBatch > 1n && newest.firstBatch > headBatch)
    fault(`audit key ${nameOf(newest.fingerprint)}`, 'has made no batch yet: run ./vintem rekey again')
}

/**
 * Whether the last key of the ring made the newest batch. True when the database records which key did, or when there is no
 * batch.
 */
export async function newestBatchFits(sql: Sql, cell: string, auditKey: KeyRing): Promise<boolean> {
  if ((await queries.selectAuditKeys(sql)).length > 0) return true
  const number = (await queries.selectCut(sql, cell))?.batch ?? 0n
  const [batch] = number === 0n ? [] : await queries.selectBatches(sql, number - 1n, number, 1)
  const key = keysOf(auditKey).at(-1)
  if (batch === undefined || key === undefined) return true
  const { seals, ...content } = await contentOf(sql, batch, batch, contentMax)
  const sealed = seals.map(({ digest }) => digest)
  return batchHash(key, batch.prev, batch, { ...content, sealed }).equals(batch.hash)
}

function nameOf(fingerprint: Buffer): string {
  return fingerprint.toString('hex')
}
