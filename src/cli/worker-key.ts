// The worker's key and the database: its public half is published at each start of a process that has it.
import { ConfigError, type Config } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import { deriveSealingPair } from '#/kernel/seal-to.ts'
import { firstKey, keysOf } from '#/kernel/secret.ts'
import { workerKeyMac } from '#/merchants/connections.ts'
import { isPublished, publishWorkerKey, type PublishDeps, type Published } from '#/merchants/worker-key.ts'
import type { Keys } from './keys.ts'

/** Publishes the public half of the worker's key at a start. Throws ConfigError when another key is published. */
export async function publishAtStart(
  sql: Sql,
  config: Config,
  keys: Required<Pick<Keys, 'masterKey' | 'workerKey'>>,
): Promise<Exclude<Published, 'other'>> {
  const published = await publishWorkerKey(publishDeps(sql, config, keys, { kind: 'SYSTEM', id: 'start' }))
  if (published !== 'other') return published
  // While the worker's key is being changed, the published key is one of ours until `./vintem rekey` publishes the other.
  for (const key of keysOf(keys.workerKey))
    if (await isPublished(sql, deriveSealingPair(key).publicKey)) return 'unchanged'
  throw new ConfigError(
    'VINTEM_WORKER_KEY is not the key whose public half is in the database: this process could not open what others seal.',
    'Set the key that the other workers have. If it was changed on purpose: docs/operating.md, "Changing keys".',
  )
}

/** What publishing needs. A key that is not in the settings was made by a sandbox. */
export function publishDeps(
  sql: Sql,
  config: Config,
  { masterKey, workerKey }: Required<Pick<Keys, 'masterKey' | 'workerKey'>>,
  by: PublishDeps['by'],
): PublishDeps {
  return {
    sql,
    macKey: workerKeyMac(masterKey),
    publicKey: deriveSealingPair(firstKey(workerKey)).publicKey,
    origin: config.VINTEM_WORKER_KEY === '' ? 'SANDBOX' : 'OPERATOR',
    by,
  }
}
