// Who a key is. Answers come from memory, and nothing in memory is believed for longer than a second: keys in use are
// looked up again in the background, all in one query, so a revocation counts on every process within a second.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { createLane } from '#/db/lane.ts'
import { unavailable } from '#/db/persist.ts'
import { messageOf } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { equalSecrets } from '#/kernel/secret.ts'
import { monotonicMs, sleep, type Clock } from '#/kernel/time.ts'
import { digestApiKey, parseApiKey, type MerchantMode, type Scope } from './api-key.ts'
import { selectByDigests, type KnownKey } from './key-queries.ts'

export type Identity = {
  readonly keyId: ApiKeyId
  readonly merchant: { readonly id: MerchantId; readonly mode: MerchantMode }
  readonly scopes: ReadonlySet<Scope>
}

export type Authenticator = {
  /** Whom the key belongs to, if memory alone can tell. */
  recall(key: string): Identity | undefined
  /**
   * Whom the key belongs to; undefined when it is not a valid one. Rejects with `unavailable` when the database is away
   * and what is remembered is too old: no key is believed then.
   */
  authenticate(key: string): Promise<Identity | undefined>
  /** Ends the looks in the background. */
  close(): Promise<void>
}

export type AuthenticatorOptions = {
  readonly sql: Sql
  readonly pepper: Buffer
  readonly clock: Clock
  readonly log: Log
  /** At most this many keys are remembered; the one unused for longest goes first. */
  readonly keysMax?: number
}

type Entry = {
  readonly digest: Buffer
  readonly identity: Identity
  readonly expiresAt: Date | null
  /** When the database was asked, on the monotonic clock. */
  readonly askedAtMs: number
  usedAtMs: number
}

/** Nothing older is believed. With the time that an answer takes this stays within a second. */
const freshMs = 900
const refreshEveryMs = 300
/** A key that was used within this span is kept fresh. */
const inUseMs = 5_000

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { sql, pepper, clock } = options
  const memory = createMemory(options.keysMax ?? 10_000)
  const closing = new AbortController()

  const lookups = createLane<Buffer, Entry | undefined>({
    name: 'key look-up',
    itemsMax: 500,
    bytesMax: 1_048_576,
    queueMax: 10_000,
    bytesOf: () => 64,
    commit: async (digests) => {
      const found = await lookUp(sql, memory, digests)
      return digests.map((digest) => ({ ok: true, verdict: found.get(nameOf(digest)) }))
    },
  })

  async function keepFresh(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(refreshEveryMs, closing.signal)
      const digests = memory.inUse()
      if (digests.length === 0 || closing.signal.aborted) continue
      await lookUp(sql, memory, digests).catch((error: unknown) => {
        options.log.debug({ error: messageOf(error) }, 'the keys in use could not be looked up')
      })
    }
  }
  const background = keepFresh()

  /** The identity behind the entry, when the key is that entry's, is not over, and says the merchant's own mode. */
  function identityOf(entry: Entry | undefined, digest: Buffer, mode: MerchantMode): Identity | undefined {
    if (entry === undefined || !equalSecrets(entry.digest, digest)) return undefined
    if (entry.expiresAt !== null && entry.expiresAt <= clock.now()) return undefined
    return entry.identity.merchant.mode === mode ? entry.identity : undefined
  }

  return {
    recall(key) {
      const parsed = parseApiKey(key)
      if (parsed === undefined) return undefined
      const digest = digestApiKey(pepper, key)
      return identityOf(memory.fresh(digest), digest, parsed.mode)
    },
    async authenticate(key) {
      const parsed = parseApiKey(key)
      if (parsed === undefined) return undefined
      const digest = digestApiKey(pepper, key)
      const entry = memory.fresh(digest) ?? (await lookups.submit(digest))
      if (entry !== undefined) entry.usedAtMs = monotonicMs()
      return identityOf(entry, digest, parsed.mode)
    },
    async close() {
      closing.abort()
      await Promise.all([background, lookups.close()])
    },
  }
}

/** Asks the database for these keys and remembers what it says: a key that is not there any more is forgotten. */
async function lookUp(
  sql: Sql,
  memory: Memory,
  digests: readonly Buffer[],
): Promise<ReadonlyMap<string, Entry>> {
  const askedAtMs = monotonicMs()
  let rows: readonly KnownKey[]
  try {
    rows = await selectByDigests(sql, digests)
  } catch (error) {
    throw classify(error) === 'poison' ? error : unavailable(error)
  }
  const found = new Map(rows.map((row) => [nameOf(row.digest), toEntry(row, askedAtMs)]))
  for (const digest of digests) {
    const entry = found.get(nameOf(digest))
    if (entry === undefined) memory.forget(digest, askedAtMs)
    else memory.keep(entry)
  }
  return found
}

type Memory = ReturnType<typeof createMemory>

function createMemory(keysMax: number) {
  // In the order of use, so the first is the one unused for longest.
  const entries = new Map<string, Entry>()
  return {
    /** What is known of the digest, if it is fresh. Counts as a use. */
    fresh(digest: Buffer): Entry | undefined {
      const name = nameOf(digest)
      const entry = entries.get(name)
      const nowMs = monotonicMs()
      if (entry === undefined || nowMs - entry.askedAtMs > freshMs) return undefined
      entry.usedAtMs = nowMs
      entries.delete(name)
      entries.set(name, entry)
      return entry
    },
    /** Answers may overtake one another: the one that was asked for last counts. */
    keep(entry: Entry): void {
      const name = nameOf(entry.digest)
      const known = entries.get(name)
      if (known !== undefined && known.askedAtMs > entry.askedAtMs) return
      if (known !== undefined) entry.usedAtMs = known.usedAtMs
      entries.set(name, entry)
      for (const first of entries.keys()) {
        if (entries.size <= keysMax) break
        entries.delete(first)
      }
    },
    forget(digest: Buffer, askedAtMs: number): void {
      const known = entries.get(nameOf(digest))
      if (known !== undefined && known.askedAtMs <= askedAtMs) entries.delete(nameOf(digest))
    },
    inUse(): readonly Buffer[] {
      const since = monotonicMs() - inUseMs
      return [...entries.values()].filter((entry) => entry.usedAtMs > since).map((entry) => entry.digest)
    },
  }
}

function toEntry(row: KnownKey, askedAtMs: number): Entry {
  return {
    digest: row.digest,
    identity: {
      keyId: row.keyId,
      merchant: { id: row.merchantId, mode: row.mode },
      scopes: new Set(row.scopes),
    },
    expiresAt: row.expiresAt,
    askedAtMs,
    usedAtMs: askedAtMs,
  }
}

function nameOf(digest: Buffer): string {
  return digest.toString('latin1')
}
