// When keys were last used: counted in memory, and written once a minute, so that no request waits for it. A process that is killed
// loses the uses of its last minute.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import { fingerprintOf, firstKey, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { minuteMs, sleep } from '#/kernel/time.ts'
import { writeUses, renewDigests, type KnownKey, type Renewal } from './key-queries.ts'

type KeyUses = {
  note(merchantId: MerchantId, id: ApiKeyId): void
  /** Writes what is left. */
  close(): Promise<void>
}

/** The most keys of one round; the others are written when they are used again. */
const keysMax = 20_000
const statementMax = 1_000

export function createKeyUses({
  sql,
  log,
  elapsedMs,
  everyMs = minuteMs,
}: {
  readonly sql: Sql
  readonly log: Log
  readonly elapsedMs: () => number
  readonly everyMs?: number
}): KeyUses {
  const closing = new AbortController()
  const lastUses = new Map<ApiKeyId, { readonly merchantId: MerchantId; atMs: number }>()

  async function write(): Promise<void> {
    const entries = [...lastUses]
    lastUses.clear()
    const nowMs = elapsedMs()
    const uses = entries.map(([id, { merchantId, atMs }]) => ({ merchantId, id, agoMs: nowMs - atMs }))
    for (let from = 0; from < uses.length; from += statementMax)
      await writeUses(sql, uses.slice(from, from + statementMax), everyMs - everyMs / 10)
  }

  /** A round that fails is lost: the next use of the key is written instead. */
  const tryToWrite = () =>
    write().catch((error: unknown) => {
      log.debug({ error: messageOf(error) }, 'the last uses of keys could not be written')
    })

  async function keepWriting(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(everyMs, closing.signal)
      await tryToWrite()
    }
  }
  const background = keepWriting()

  return {
    note(merchantId, id) {
      const use = lastUses.get(id)
      if (use !== undefined) use.atMs = elapsedMs()
      else if (lastUses.size < keysMax) lastUses.set(id, { merchantId, atMs: elapsedMs() })
    },
    async close() {
      closing.abort()
      await background
      // What was noted while the last round was written.
      await tryToWrite()
    },
  }
}

// Renews digests that were made under an earlier master key. While both master keys are set, a key that is used gets a new digest, because
// only its use shows the key itself. This does not delay requests. A round that fails is lost; the next use of the key renews the digest.

export type KeyRenewals = {
  /** `digests`: of the key that was used, under each of our keys in their order. */
  note(row: Pick<KnownKey, 'merchantId' | 'keyId' | 'digest' | 'digestKey'>, digests: readonly Buffer[]): void
  write(): Promise<void>
}

/** A key is tried again only after this time: `./vintem rekey` may not have run yet. */
const againMs = minuteMs

export function createKeyRenewals({
  sql,
  pepper,
  log,
  elapsedMs,
  keysMax,
}: {
  readonly sql: Sql
  readonly pepper: KeyRing
  readonly log: Log
  readonly elapsedMs: () => number
  readonly keysMax: number
}): KeyRenewals {
  const isChanging = keysOf(pepper).length > 1
  const digestKey = fingerprintOf(firstKey(pepper))
  const triedMs = createRecent<ApiKeyId, number>(keysMax)
  const queue = new Map<ApiKeyId, Renewal>()
  return {
    note({ merchantId, keyId, digest: before, digestKey: madeWith }, [digest]) {
      if (!isChanging || digest === undefined || madeWith?.equals(digestKey) === true) return
      if (queue.size >= statementMax || elapsedMs() - (triedMs.get(keyId) ?? -Infinity) < againMs) return
      triedMs.set(keyId, elapsedMs())
      queue.set(keyId, { merchantId, id: keyId, before, digest })
    },
    async write() {
      if (queue.size === 0) return
      const renewals = [...queue.values()]
      queue.clear()
      await renewDigests(sql, renewals, digestKey).catch((error: unknown) => {
        log.debug({ error: messageOf(error) }, 'digests of keys could not be renewed')
      })
    },
  }
}
