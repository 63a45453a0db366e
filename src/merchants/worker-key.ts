// The worker's public key. Whoever has the worker's key publishes it in the database, and every process can seal to it credentials that
// only a worker can open. It is authenticated under a key derived from the master key, so that somebody who can only write to the database
// cannot have credentials sealed to a key of their own.
import { createHmac } from 'node:crypto'
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { Mode } from '#/kernel/mode.ts'
import { sealTo } from '#/kernel/seal-to.ts'
import { equalSecrets, firstKey, keysOf, type KeyRing } from '#/kernel/secret.ts'
import type { Actor } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import * as queries from './connection-queries.ts'
import type { KeyOrigin, PublicKeyRow } from './connection-queries.ts'

/** Seals credentials that send money out. */
export type SealForWorker = (place: string, plain: Buffer) => Buffer

export type PublishDeps = {
  readonly sql: Sql
  /** Derived from the master key for this purpose. */
  readonly macKey: KeyRing
  readonly publicKey: Buffer
  readonly origin: KeyOrigin
  readonly by: Actor
}

/**
 * - `published`: there was none.
 * - `unchanged`: it is the one that is published.
 * - `replaced`: another one was published, by a sandbox for itself, or it was to be replaced.
 * - `renewed`: the same key, whose row was not authentic: somebody wrote it, or the master key is another one.
 * - `other`: another key is published, and was left as it is.
 */
export type Published = 'published' | 'unchanged' | 'replaced' | 'renewed' | 'other'

/**
 * Publishes the public key of this process's worker key, with an entry in the audit log. `replace`: also in place of another key that an
 * operator set. Without it, a worker with a wrong key cannot replace the key that the other workers have.
 */
export async function publishWorkerKey(
  { sql, macKey, publicKey, origin, by }: PublishDeps,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<Published> {
  const ownRow = { publicKey, origin, mac: macOf(firstKey(macKey), publicKey, origin) }
  return sql.begin(async (tx): Promise<Published> => {
    const note = (before?: PublicKeyRow) =>
      writeAudit(tx, [
        {
          actor: by,
          action: 'worker-key.publish',
          subject: 'worker-key:1',
          ...(before === undefined ? {} : { before: shown(before) }),
          after: shown(ownRow),
        },
      ])
    if (await queries.insertPublicKey(tx, ownRow)) {
      await note()
      return 'published'
    }
    const before = await queries.selectPublicKey(tx)
    if (before === undefined) return 'other'
    const isSame = before.publicKey.equals(publicKey)
    if (isSame && before.origin === origin && equalSecrets(before.mac, ownRow.mac)) return 'unchanged'
    // Nothing of a live merchant is sealed to a key that a sandbox made. Our own key may be signed again at any time.
    if (!isSame && !replace && before.origin !== 'SANDBOX') return 'other'
    // Another process replaced it a moment ago, and its key stays.
    if (!(await queries.updatePublicKey(tx, before, ownRow))) return 'other'
    await note(before)
    return isSame ? 'renewed' : 'replaced'
  })
}

function shown({ publicKey, origin }: PublicKeyRow) {
  return { publicKey: publicKey.toString('hex'), origin }
}

/** Whether the published key is this one. */
export async function isPublished(sql: Sql | Tx, publicKey: Buffer): Promise<boolean> {
  return (await queries.selectPublicKey(sql))?.publicKey.equals(publicKey) ?? false
}

/** Authenticates the published key under the first of the keys. False when none of them did, and then it stays as it is. */
export async function renewWorkerKeyMac(sql: Sql, macKey: KeyRing): Promise<boolean> {
  return sql.begin(async (tx): Promise<boolean> => {
    const row = await queries.selectPublicKey(tx)
    if (row === undefined) return true
    const { publicKey, origin, mac } = row
    if (!keysOf(macKey).some((each) => equalSecrets(mac, macOf(each, publicKey, origin)))) return false
    // Another process replaced it a moment ago, and authenticated it.
    await queries.updatePublicKey(tx, row, { ...row, mac: macOf(firstKey(macKey), publicKey, origin) })
    return true
  })
}

/**
 * Reads the published key, and returns what seals to it. `mode`: whose credentials they are; those of live merchants are not sealed to a
 * key that `reset` removes. Throws AppError `invalid_state` that says what to do.
 */
export async function openWorkerSeal(sql: Sql | Tx, macKey: KeyRing, mode: Mode): Promise<SealForWorker> {
  const row = await queries.selectPublicKey(sql)
  if (row === undefined)
    throw new AppError(
      'invalid_state',
      "The worker's public key is not in the database yet. Start a worker with VINTEM_WORKER_KEY, or run ./vintem connection publish-key where that key is.",
    )
  const { publicKey, origin, mac } = row
  if (!keysOf(macKey).some((each) => equalSecrets(mac, macOf(each, publicKey, origin))))
    throw new AppError(
      'invalid_state',
      "The worker's public key in the database was not written by a process with our VINTEM_MASTER_KEY. Find out who wrote it, then run ./vintem connection publish-key where VINTEM_WORKER_KEY is.",
    )
  if (mode === 'LIVE' && origin === 'SANDBOX')
    throw new AppError(
      'invalid_state',
      'A live connection needs VINTEM_WORKER_KEY, which is not set. Make one with openssl rand -hex 32, set it for workers only, start them again, and keep a copy elsewhere.',
    )
  return (place, plain) => sealTo(publicKey, place, plain)
}

/** The origin is authenticated too: it decides whether live credentials may be sealed to the key. */
function macOf(macKey: Buffer, publicKey: Buffer, origin: KeyOrigin): Buffer {
  return createHmac('sha256', macKey).update(`worker public key/${origin}/`).update(publicKey).digest()
}
