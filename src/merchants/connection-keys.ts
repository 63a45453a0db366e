// The keys of connections, derived from the operator's: every purpose has its own.
import type { Sql, Tx } from '#/db/client.ts'
import type { Mode } from '#/kernel/mode.ts'
import { deriveSealingPair, sealTo } from '#/kernel/seal-to.ts'
import { deriveKey, keysOf, type KeyRing } from '#/kernel/secret.ts'
import type { ConnectionKeys, SealingKeys, WorkerKeys } from './connections.ts'
import { openWorkerSeal } from './worker-key.ts'

/** What a process with the worker's key has: it opens all parts of connections, and seals to its own public key. */
export type AllConnectionKeys = Required<ConnectionKeys> & SealingKeys

/** The keys of a process with the worker's key, or without it. */
export function connectionKeys(masterKey: KeyRing, workerKey: KeyRing): AllConnectionKeys
export function connectionKeys(masterKey: KeyRing, workerKey: KeyRing | undefined): ConnectionKeys
export function connectionKeys(masterKey: KeyRing, workerKey: KeyRing | undefined): ConnectionKeys {
  const collecting = deriveKey(masterKey, 'provider secrets')
  if (workerKey === undefined) return { collecting }
  const [first, ...others] = keysOf(workerKey)
  const worker = workerKeysOf(first)
  const all: AllConnectionKeys = {
    collecting,
    worker,
    otherWorkers: others.map(workerKeysOf),
    sealForWorker: (place, plain) => sealTo(worker.pair.publicKey, place, plain),
  }
  return all
}

function workerKeysOf(workerKey: Buffer): WorkerKeys {
  return { pair: deriveSealingPair(workerKey), symmetric: deriveKey(workerKey, 'refund secrets') }
}

/** Authenticates the worker's public key. */
export function workerKeyMac(masterKey: KeyRing): KeyRing {
  return deriveKey(masterKey, 'worker public key')
}

/**
 * What encrypts connections of this mode, without the worker's key. Throws AppError `invalid_state`, which says what to do, while the
 * worker's public key is not in the database.
 */
export async function connectionSeal(sql: Sql | Tx, masterKey: KeyRing, mode: Mode): Promise<SealingKeys> {
  return {
    collecting: connectionKeys(masterKey, undefined).collecting,
    sealForWorker: await openWorkerSeal(sql, workerKeyMac(masterKey), mode),
  }
}
