// `connection reseal`, `connection publish-key`: the worker's public key, and what is sealed to it.
import { readFile } from 'node:fs/promises'
import { ConfigError } from '#/config.ts'
import { messageOf } from '#/kernel/error.ts'
import { toJson } from '#/kernel/json.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { connectionKeys, type WorkerKeys } from '#/merchants/connections.ts'
import { resealConnections, type ResealCounts } from '#/merchants/reseal.ts'
import { publishWorkerKey } from '#/merchants/worker-key.ts'
import { operator } from './audited.ts'
import { sayDone, UsageError, type Call, type Command, FoundFault } from './command.ts'
import { allKeys } from './keys.ts'
import { within } from './office.ts'
import { publishAtStart, publishDeps } from './worker-key.ts'

export const publishKey: Command = {
  summary: "Publishes the worker's public key in the database, as each start of a worker does",
  options: {
    replace: { meaning: 'Also instead of another key; then run connection reseal with the earlier key' },
  },
  async run(call) {
    const { terminal, deps, flag, json } = call
    const config = deps.config()
    const keys = await allKeys(config)
    await within(call, async ({ sql }) => {
      const publishing = publishDeps(sql, config, keys, operator())
      const published = await publishWorkerKey(publishing, { replace: flag('replace') })
      if (published === 'other')
        throw new ConfigError(
          'Another key is published, and what is sealed to it cannot be opened with this one.',
          'Set VINTEM_WORKER_KEY to the key of the workers, or say --replace.',
        )
      const publicKey = publishing.publicKey.toString('hex')
      if (json) terminal.out(toJson({ publicKey, published }))
      else sayDone(terminal, `${publicKey} is ${published}.`)
    })
  },
}

export const reseal: Command = {
  summary: "Seals credentials that send money out again, to the worker's public key; may be run again",
  options: {
    'previous-key-file': {
      value: 'file',
      meaning: 'Holds the earlier worker key, 64 hexadecimal digits: also what was sealed under it',
    },
  },
  async run(call) {
    const { terminal, deps, json } = call
    const config = deps.config()
    const keys = await allKeys(config)
    const earlier = await earlierKeys(call, keys.masterKey)
    await within(call, async ({ sql }) => {
      await publishAtStart(sql, config, keys)
      // The published key is ours since the line before.
      const { worker, otherWorkers, sealForWorker } = connectionKeys(keys.masterKey, keys.workerKey)
      const counts = await resealConnections({
        sql,
        workers: [worker, ...otherWorkers, ...earlier],
        sealForWorker,
        by: operator(),
        onProgress: ({ read, resealed }) =>
          terminal.progress(`${read} connections read, ${resealed} sealed again`),
      })
      if (json) terminal.out(toJson({ ...counts }))
      else show(call, counts)
      const count = counts.unopened.length
      if (count > 0)
        throw new FoundFault(
          count === 1
            ? 'The credentials of 1 connection stay as they are.'
            : `Those of ${count} connections stay as they are.`,
          'Give the key under which they were sealed with --previous-key-file, or enter them again: connection replace.',
        )
    })
  },
}

async function earlierKeys({ option }: Call, masterKey: KeyRing): Promise<readonly WorkerKeys[]> {
  const file = option('previous-key-file')
  if (file === undefined) return []
  const remedy = 'It holds the earlier worker key: 64 hexadecimal digits.'
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}.`, remedy)
  })
  if (!/^[0-9a-f]{64}$/i.test(text.trim())) throw new UsageError(`${file} holds no key.`, remedy)
  return [connectionKeys(masterKey, Buffer.from(text.trim(), 'hex')).worker]
}

function show({ terminal }: Call, { read, resealed, unopened }: ResealCounts): void {
  const { out, paint, symbols } = terminal
  out(`${paint.good(symbols.done)} ${read} connections read, ${resealed} sealed again.`)
  for (const id of unopened) out(`${paint.bad(symbols.fail)} ${id} cannot be opened`)
}
