// Identifies the merchant of an API key. Answers come from memory, and no entry is used for longer than a second: keys in use are
// looked up again in the background, all in one query, so a revocation takes effect in every process within a second. A key expires by
// the database's clock: the clock of this process may be wrong.
import { hash } from 'node:crypto'
import { keyLength } from '#/contract/keys.ts'
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { createLane } from '#/db/lane.ts'
import { unavailable } from '#/db/persist.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import { insideOf } from '#/kernel/network.ts'
import { createRecent } from '#/kernel/recent.ts'
import { equalSecrets, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { digestApiKey, parseApiKey, type Scope } from './api-key.ts'
import { selectByDigests, type KnownKey } from './key-queries.ts'
import { readCidrs } from './key-rights.ts'
import { createKeyRenewals, type KeyRenewals, createKeyUses } from './key-uses.ts'
import type { SubAccountState } from './sub-account.ts'

export type Identity = {
  readonly keyId: ApiKeyId
  readonly merchant: { readonly id: MerchantId; readonly mode: Mode }
  readonly scopes: ReadonlySet<Scope>
  /** The merchant of the key, when the key acts for a sub-account of it: then `merchant` is the sub-account. */
  readonly parentId?: MerchantId
  /** The state of that sub-account. */
  readonly accountState?: SubAccountState
  /** Whether it may be used from this address. Absent: from everywhere. */
  readonly isAllowedFrom?: (address: string) => boolean
}

export type Authenticator = {
  /** The key's owner, if memory alone knows it. */
  recall(key: string): Identity | undefined
  /**
   * The key's owner; undefined when the key is invalid. Rejects with `unavailable` when the database is away and the entry in memory
   * is too old: no key is accepted then.
   */
  authenticate(key: string): Promise<Identity | undefined>
  /** Notes that the key was used now. */
  noteUse(identity: Identity): void
  /** Ends the work in the background. */
  close(): Promise<void>
}

export type AuthenticatorOptions = {
  readonly sql: Sql
  readonly pepper: KeyRing
  readonly log: Log
  /** The most keys in memory; the one unused for longest is dropped first. */
  readonly keysMax?: number
  /** Monotonic milliseconds, for the age of entries. Default: those of this machine. */
  readonly elapsedMs?: () => number
  /** Whether this process has the keys of its database. If not, no key is called invalid. Default: it has. */
  readonly isFit?: () => Promise<boolean>
  /** How often the last uses of keys are written. Default: once a minute. */
  readonly usesEveryMs?: number
}

/**
 * A key as it was sent. The key itself is not kept: `name` finds it in memory, `digests` find it in the database. There is one digest for
 * each of our keys, while the master key is being changed.
 */
type Presented = { readonly name: string; readonly digests: readonly Buffer[]; readonly mode: Mode }

type Entry = {
  readonly name: string
  readonly digests: readonly Buffer[]
  readonly mode: Mode
  readonly identity: Identity
  /** When the key expires, on the monotonic clock; absent: never. */
  readonly endsAtMs?: number
  /** When the database was queried, on the monotonic clock. */
  readonly queriedAtMs: number
}

/** No older entry is used. With the time of a query this stays within a second. */
const freshMs = 900
const refreshEveryMs = 300
/** A key that was used within this span is kept fresh. */
const inUseMs = 5_000

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { sql, pepper, elapsedMs = monotonicMs } = options
  const { keysMax = 10_000, log } = options
  const memory = createMemory(keysMax, elapsedMs)
  const renewals = createKeyRenewals({ sql, pepper, log, elapsedMs, keysMax })
  const digestsOf = (key: string) => keysOf(pepper).map((each) => digestApiKey(each, key))
  const closing = new AbortController()
  const { usesEveryMs: everyMs } = options
  const uses = createKeyUses({
    sql,
    log,
    elapsedMs,
    ...given({ everyMs }),
  })

  const lookups = createLane<Presented, Entry | undefined>({
    name: 'key look-up',
    itemsMax: 500,
    bytesMax: 1_048_576,
    queueMax: 10_000,
    bytesOf: () => 64,
    commit: async (keys) => {
      const found = await lookUp({ sql, memory, renewals }, keys)
      return keys.map(({ name }) => ({ ok: true, verdict: found.get(name) }))
    },
  })

  async function keepFresh(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(refreshEveryMs, closing.signal)
      const keys = memory.inUse()
      if (keys.length === 0 || closing.signal.aborted) continue
      await lookUp({ sql, memory, renewals }, keys).catch((error: unknown) => {
        log.debug({ error: messageOf(error) }, 'the keys in use could not be looked up')
      })
      await renewals.write()
    }
  }
  const background = keepFresh()

  function identityOf(entry: Entry | undefined): Identity | undefined {
    return entry !== undefined && elapsedMs() < (entry.endsAtMs ?? Infinity) ? entry.identity : undefined
  }

  /** The answer to a key that is not found. A process with the pepper of another database finds none. */
  async function invalid(): Promise<undefined> {
    const isFit = await (options.isFit?.() ?? true)
    if (!isFit) throw unavailable(new Error('this process does not have the keys of its database'))
    return undefined
  }

  return {
    recall: (key) => (key.length === keyLength ? identityOf(memory.fresh(nameOf(key))) : undefined),
    async authenticate(key) {
      const parsed = parseApiKey(key)
      if (parsed === undefined) return undefined
      const name = nameOf(key)
      const entry = memory.fresh(name)
      if (entry !== undefined) return identityOf(entry)
      if (memory.isWrong(name)) return invalid()
      const found = await lookups.submit({ name, digests: digestsOf(key), mode: parsed.mode })
      memory.use(name)
      return found === undefined ? invalid() : identityOf(found)
    },
    noteUse: ({ merchant, parentId = merchant.id, keyId }) => uses.note(parentId, keyId),
    async close() {
      closing.abort()
      await Promise.all([background, lookups.close(), uses.close()])
    },
  }
}

/**
 * Queries the database for these keys and keeps the result in memory. A key that is no longer in the database is dropped; a key whose
 * mode is not its merchant's is invalid.
 */
async function lookUp(
  { sql, memory, renewals }: { readonly sql: Sql; readonly memory: Memory; readonly renewals: KeyRenewals },
  keys: readonly Presented[],
): Promise<ReadonlyMap<string, Entry>> {
  const queriedAtMs = memory.elapsedMs()
  const digests = keys.flatMap((key) => key.digests)
  let rows: readonly KnownKey[]
  try {
    rows = await selectByDigests(sql, digests)
  } catch (error) {
    throw classify(error) === 'poison' ? error : unavailable(error)
  }
  const byDigest = new Map(rows.map((row) => [row.digest.toString('latin1'), row]))
  const found = new Map<string, Entry>()
  for (const key of keys) {
    const row = key.digests
      .map((each) => byDigest.get(each.toString('latin1')))
      .find((each) => each !== undefined)
    if (row !== undefined && isOneOf(key.digests, row.digest) && row.mode === key.mode) {
      renewals.note(row, key.digests)
      const entry = toEntry(key, row, queriedAtMs, memory.insideOf)
      found.set(key.name, entry)
      memory.keep(entry)
    } else {
      memory.forget(key.name, queriedAtMs)
    }
  }
  return found
}

function isOneOf(digests: readonly Buffer[], digest: Buffer): boolean {
  return digests.some((each) => equalSecrets(each, digest))
}

type Memory = ReturnType<typeof createMemory>

function createMemory(keysMax: number, elapsedMs: () => number) {
  const remembered = createRecent<string, { entry: Entry; usedAtMs: number }>(keysMax)
  // Invalid keys, with the time of the query for each: repeating one costs at most one query a second.
  const wrong = createRecent<string, number>(keysMax)

  // Keys in use are looked up all the time; their lists of networks rarely change.
  const networks = createRecent<string, (address: string) => boolean>(keysMax)

  function use(name: string): Entry | undefined {
    const kept = remembered.get(name)
    if (kept !== undefined) kept.usedAtMs = elapsedMs()
    return kept?.entry
  }

  return {
    elapsedMs,
    use,
    insideOf(cidrs: readonly string[]): (address: string) => boolean {
      const name = cidrs.join(' ')
      const isInside = networks.get(name) ?? insideOf(readCidrs(cidrs))
      networks.set(name, isInside)
      return isInside
    },
    isWrong(name: string): boolean {
      const queriedAtMs = wrong.peek(name)
      return queriedAtMs !== undefined && elapsedMs() - queriedAtMs <= freshMs
    },
    /** The entry of the key, if it is fresh. Counts as a use. */
    fresh(name: string): Entry | undefined {
      const entry = remembered.peek(name)?.entry
      return entry === undefined || elapsedMs() - entry.queriedAtMs > freshMs ? undefined : use(name)
    },
    /** Results may come out of order: that of the latest query counts. A look-up does not count as a use of the key. */
    keep(entry: Entry): void {
      const kept = remembered.peek(entry.name)
      if (kept === undefined) remembered.set(entry.name, { entry, usedAtMs: entry.queriedAtMs })
      else if (kept.entry.queriedAtMs <= entry.queriedAtMs) kept.entry = entry
    },
    forget(name: string, queriedAtMs: number): void {
      const kept = remembered.peek(name)
      if (kept !== undefined && kept.entry.queriedAtMs <= queriedAtMs) remembered.delete(name)
      wrong.set(name, queriedAtMs)
    },
    inUse(): readonly Entry[] {
      const since = elapsedMs() - inUseMs
      return [...remembered.values()].flatMap(({ entry, usedAtMs }) => (usedAtMs > since ? [entry] : []))
    },
  }
}

function toEntry(
  { name, digests, mode }: Presented,
  row: KnownKey,
  queriedAtMs: number,
  inside: Memory['insideOf'],
): Entry {
  return {
    name,
    digests,
    mode,
    identity: {
      keyId: row.keyId,
      merchant: { id: row.merchantId, mode: row.mode },
      scopes: new Set(row.scopes),
      ...(row.allowedCidrs === null ? {} : { isAllowedFrom: inside(row.allowedCidrs) }),
    },
    ...(row.expiresInMs === null ? {} : { endsAtMs: queriedAtMs + row.expiresInMs }),
    queriedAtMs,
  }
}

/** The key's name in memory. A fast hash is enough, because it hashes 178 random bits. */
function nameOf(key: string): string {
  return hash('sha256', key, 'base64')
}
