// Connections: credentials at providers, encrypted at rest. Every process keeps those of its database decrypted in memory and polls
// each second for changes, so that choosing one needs no query.
import type { Sql, Tx } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import { openSealed, type SealingPair, deriveSealingPair, sealTo } from '#/kernel/seal-to.ts'
import { seal, unseal, type KeyRing, deriveKey, keysOf } from '#/kernel/secret.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import * as queries from './connection-queries.ts'
import { type SealForWorker, openWorkerSeal } from './worker-key.ts'

type Fields = Readonly<Record<string, unknown>>

/** Credentials at one provider, decrypted. */
export type OpenConnection = {
  readonly id: ConnectionId
  readonly merchantId?: MerchantId
  readonly mode: Mode
  readonly method: string
  readonly provider: string
  readonly settings: Fields
  readonly secrets: Fields
  /** The credentials that send money out. Present only with the worker's key. */
  readonly refundSecrets?: Fields
}

/** The keys that decrypt connections. The worker's are absent in every process that sends no money. */
export type ConnectionKeys = {
  readonly collecting: KeyRing
  readonly worker?: WorkerKeys
  /** Only while the worker's key is being changed: opens credentials that are sealed to the other key. */
  readonly otherWorkers?: readonly WorkerKeys[]
}

/** `pair` opens what is sealed now, `symmetric` what was sealed before there was a public key. */
export type WorkerKeys = { readonly pair: SealingPair; readonly symmetric: Buffer }

/** What encrypts connections: it opens no credentials that send money out. */
export type SealingKeys = { readonly collecting: KeyRing; readonly sealForWorker: SealForWorker }

/** All connections, kept current until it is closed. Rails use a part of it, `ConnectionBook` (rails/connection.ts). */
export type OpenConnectionBook = {
  of(filter: {
    readonly method: string
    readonly mode: Mode
    readonly merchantId: MerchantId
  }): readonly OpenConnection[]
  find(id: ConnectionId): OpenConnection | undefined
  all(method: string): readonly OpenConnection[]
  /** Polls for changes now. */
  refresh(): Promise<void>
  close(): void
}

const refreshMs = secondMs
/** Changes have the time of their statement, not of their commit: a change that took this long to commit is still found. */
const overlapMs = 10 * secondMs

/** Reads all connections, and polls for changes until it is closed. */
export async function openConnectionBook(deps: {
  readonly sql: Sql
  readonly keys: ConnectionKeys
  readonly log: Log
}): Promise<OpenConnectionBook> {
  const { sql, keys, log } = deps
  const byId = new Map<ConnectionId, queries.ConnectionRow & { readonly decrypted: OpenConnection }>()
  let since: Date | undefined

  async function refresh(): Promise<void> {
    for (const row of await queries.selectChanged(sql, since)) {
      const changedAt = addMs(row.changedAt, -overlapMs)
      if (since === undefined || changedAt > since) since = changedAt
      if (byId.get(row.id)?.changedAt.getTime() === row.changedAt.getTime()) continue
      try {
        byId.set(row.id, { ...row, decrypted: decrypt(keys, row) })
      } catch (error) {
        log.error(
          { connection: row.id, error: messageOf(error) },
          'a connection cannot be decrypted with our keys',
        )
      }
    }
  }

  await refresh()
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => log.warn({ error: messageOf(error) }, 'connections cannot be read'))
  }, refreshMs)
  timer.unref()
  return {
    of({ method, mode, merchantId }) {
      const all = [...byId.values()].filter((each) => each.method === method && each.mode === mode)
      // A merchant whose own connection was archived gets no shared one in its place.
      if (all.some((each) => each.merchantId === merchantId && each.archivedAt !== null)) return []
      const fitting = all.filter((each) => each.isActive)
      const ofMerchant = fitting.filter((each) => each.merchantId === merchantId)
      return [...ofMerchant, ...fitting.filter((each) => each.merchantId === null)].map(
        (each) => each.decrypted,
      )
    },
    find: (id) => byId.get(id)?.decrypted,
    all: (method) =>
      [...byId.values()].filter((each) => each.method === method).map((each) => each.decrypted),
    refresh,
    close: () => clearInterval(timer),
  }
}

/** A connection as an operator gives it. */
export type NewConnection = {
  readonly merchantId?: MerchantId
  readonly mode: Mode
  readonly method: string
  readonly provider: string
  readonly settings: Fields
  readonly secrets: Fields
  readonly refundSecrets?: Fields
}

type WriteDeps = { readonly sql: Tx; readonly cell: string; readonly keys: SealingKeys }

/** Stores a new connection and returns its id, which carries the cell's code. */
export async function addConnection(deps: WriteDeps, connection: NewConnection): Promise<ConnectionId> {
  const id = `${deps.cell}-${newId<'connection'>()}` as ConnectionId
  const { merchantId = null, mode, method, provider, settings } = connection
  await queries.insertConnection(deps.sql, {
    id,
    merchantId,
    mode,
    method,
    provider,
    settings,
    ...sealedOf(deps.keys, id, connection),
  })
  return id
}

/** Replaces settings and secrets of a connection, such as a renewed certificate or another key. */
export async function replaceConnection(
  deps: WriteDeps,
  id: ConnectionId,
  connection: Pick<NewConnection, 'settings' | 'secrets' | 'refundSecrets'>,
): Promise<void> {
  const { settings } = connection
  await queries.updateConnection(deps.sql, { id, settings, ...sealedOf(deps.keys, id, connection) })
}

function sealedOf(
  keys: SealingKeys,
  id: ConnectionId,
  { secrets, refundSecrets }: Pick<NewConnection, 'secrets' | 'refundSecrets'>,
) {
  return {
    sealed: seal(keys.collecting, collectingPlace(id), toBytes(secrets)),
    sealedRefunds:
      refundSecrets === undefined ? null : keys.sealForWorker(refundPlace(id), toBytes(refundSecrets)),
  }
}

function decrypt(keys: ConnectionKeys, row: queries.ConnectionRow): OpenConnection {
  const { id, merchantId, mode, method, provider, settings, sealed, sealedRefunds } = row
  const refundSecrets =
    keys.worker === undefined || sealedRefunds === null
      ? undefined
      : fromBytes(openWithAny([keys.worker, ...(keys.otherWorkers ?? [])], id, sealedRefunds))
  return {
    id,
    mode,
    method,
    provider,
    settings,
    secrets: sealed === null ? {} : fromBytes(unseal(keys.collecting, collectingPlace(id), sealed)),
    ...(merchantId === null ? {} : { merchantId }),
    ...given({ refundSecrets }),
  }
}

/** Opens credentials that send money out with the first key that fits. Throws when none does. */
export function openWithAny(
  [first, ...others]: readonly [WorkerKeys, ...(readonly WorkerKeys[])],
  id: ConnectionId,
  sealed: Buffer,
): Buffer {
  try {
    return openForWorker(first, id, sealed)
  } catch (error) {
    const [next, ...later] = others
    if (next === undefined) throw error
    return openWithAny([next, ...later], id, sealed)
  }
}

/** Opens credentials that send money out, of either layout. */
export function openForWorker({ pair, symmetric }: WorkerKeys, id: ConnectionId, sealed: Buffer): Buffer {
  const place = refundPlace(id)
  return sealed[0] === symmetricVersion ? unseal(symmetric, place, sealed) : openSealed(pair, place, sealed)
}

/** The layout of `seal`. */
const symmetricVersion = 1

/** The place to which the credentials of a connection that send money out are bound. */
export function refundPlace(id: ConnectionId): string {
  return placeOf(id, 'sealed_refunds')
}

/** The place to which the other credentials of a connection are bound. */
export function collectingPlace(id: ConnectionId): string {
  return placeOf(id, 'sealed')
}

function placeOf(id: ConnectionId, column: 'sealed' | 'sealed_refunds'): string {
  return `connection/${column}/${id}`
}

function toBytes(fields: Fields): Buffer {
  return Buffer.from(JSON.stringify(fields))
}

function fromBytes(bytes: Buffer): Fields {
  return JSON.parse(bytes.toString('utf8')) as Fields
}

// The keys of connections, derived from the operator's: every purpose has its own.

/** What a process with the worker's key has: it opens all parts of connections, and seals to its own public key. */
type AllConnectionKeys = Required<ConnectionKeys> & SealingKeys

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
