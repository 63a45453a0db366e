// The keys of connections, derived from the operator's: every purpose has its own.
import type { Sql, Tx } from '#/db/client.ts'
import type { Mode } from '#/kernel/mode.ts'
import { deriveSealingPair, sealTo } from '#/kernel/seal-to.ts'
import { deriveKey } from '#/kernel/secret.ts'
import type { ConnectionKeys, SealingKeys } from './connections.ts'
import { openWorkerSeal } from './worker-key.ts'

/** What a process with the worker's key has: it opens all parts of connections, and seals to its own public key. */
export type AllConnectionKeys = Required<ConnectionKeys> & SealingKeys

/** The keys of a process with the worker's key, or without it. */
export function connectionKeys(masterKey: Buffer, workerKey: Buffer): AllConnectionKeys
export function connectionKeys(masterKey: Buffer, workerKey: Buffer | undefined): ConnectionKeys
export function connectionKeys(masterKey: Buffer, workerKey: Buffer | undefined): ConnectionKeys {
  const collecting = deriveKey(masterKey, 'provider secrets')
  if (workerKey === undefined) return { collecting }
  const pair = deriveSealingPair(workerKey)
  const all: AllConnectionKeys = {
    collecting,
    worker: { pair, symmetric: deriveKey(workerKey, 'refund secrets') },
    sealForWorker: (place, plain) => sealTo(pair.publicKey, place, plain),
  }
  return all
}

/** Authenticates the worker's public key. */
export function workerKeyMac(masterKey: Buffer): Buffer {
  return deriveKey(masterKey, 'worker public key')
}

/**
 * What encrypts connections of this mode, without the worker's key. Throws AppError `invalid_state`, which says what to do, while the
 * worker's public key is not in the database.
 */
export async function connectionSeal(sql: Sql | Tx, masterKey: Buffer, mode: Mode): Promise<SealingKeys> {
  return {
    collecting: connectionKeys(masterKey, undefined).collecting,
    sealForWorker: await openWorkerSeal(sql, workerKeyMac(masterKey), mode),
  }
}
