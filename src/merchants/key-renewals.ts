// Renews digests that were made under an earlier master key. While both master keys are set, a key that is used gets a new digest, because
// only its use shows the key itself. This does not delay requests. A round that fails is lost; the next use of the key renews the digest.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import { fingerprintOf, firstKey, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { minuteMs } from '#/kernel/time.ts'
import { renewDigests, type KnownKey, type Renewal } from './key-queries.ts'

export type KeyRenewals = {
  /** `digests`: of the key that was used, under each of our keys in their order. */
  note(row: Pick<KnownKey, 'merchantId' | 'keyId' | 'digest' | 'digestKey'>, digests: readonly Buffer[]): void
  write(): Promise<void>
}

const statementMax = 1_000
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
