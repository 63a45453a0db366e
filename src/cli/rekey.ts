// `rekey`: seals everything under the keys of the settings instead of the previous ones, and puts those keys in force.
import type { Core } from '#/app/core.ts'
import { newestBatchFits } from '#/audit/ledger-chain.ts'
import { ConfigError, type Config } from '#/config.ts'
import { given } from '#/kernel/given.ts'
import { toJson } from '#/kernel/json.ts'
import { deriveSealingPair } from '#/kernel/seal-to.ts'
import { keysOf } from '#/kernel/secret.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { connectionKeys, workerKeyMac } from '#/merchants/connections.ts'
import { resealConnections } from '#/merchants/reseal.ts'
import { isPublished, publishWorkerKey, renewWorkerKeyMac } from '#/merchants/worker-key.ts'
import { listUnrenewed, putAuditKeyInForce, putMasterInForce } from '#/rekey/fit.ts'
import { resealUnderMaster } from '#/rekey/reseal.ts'
import { createSealer } from '#/sealing/seal.ts'
import { operator } from './audited.ts'
import { single, type Call, type Command, FoundFault } from './command.ts'
import { workerKeyOf, type Keys } from './keys.ts'
import { dateText } from './table.ts'
import { withCore } from './with-core.ts'
import { publishDeps } from './worker-key.ts'

/** The most keys, and the most users, that are named. */
const namedMax = 1_000

const rekey: Command = {
  summary:
    'Changes the keys in use to those of the settings: seals again what is sealed under VINTEM_…_KEY_PREVIOUS; may be run again',
  options: {
    list: { meaning: 'Only list the API keys and recovery codes that still need the previous master key' },
    'audit-key-lost': {
      meaning:
        'Change the audit key without the previous one: the batches until now cannot be checked any more',
    },
  },
  async run(call) {
    const config = call.deps.config()
    const workerKey = await workerKeyOf(config).catch((error: unknown) => {
      // An installation that sends no money has none, and nothing that is sealed to it is changed.
      if (error instanceof ConfigError) return undefined
      throw error
    })
    await withCore(
      config,
      async (core) => {
        const done = call.flag('list') ? {} : await change(call, core, config, workerKey)
        const remaining = await listUnrenewed(core.sql, core.masterKey, namedMax)
        if (call.json) call.terminal.out(toJson({ ...done, unrenewed: remaining }))
        else showLeft(call.terminal, remaining)
      },
      'asRekey',
    )
  },
}

/** Changes the keys in use. */
export const rekeyCommand = single('rekey', rekey)

async function change(call: Call, core: Core, config: Config, workerKey: Keys['workerKey']) {
  const master = await changeMaster(call, core)
  const worker = workerKey === undefined ? undefined : await changeWorker(call, core, config, workerKey)
  const audit = await changeAudit(call, core)
  return { master, ...given({ worker }), audit }
}

async function changeMaster(call: Call, { sql, masterKey }: Core) {
  const { terminal } = call
  const counts = await resealUnderMaster({
    sql,
    masterKey,
    onProgress: ({ read, resealed }) => terminal.progress(`${read} secrets read, ${resealed} sealed again`),
  })
  requireOpened(call, counts.unopened, 'VINTEM_MASTER_KEY_PREVIOUS')
  if (!(await renewWorkerKeyMac(sql, workerKeyMac(masterKey))))
    throw notOpened("the worker's public key", 'VINTEM_MASTER_KEY_PREVIOUS')
  const isNew = await putMasterInForce({ sql, masterKey, by: operator() })
  say(call, `Master key: ${counts.read} secrets read, ${counts.resealed} sealed again.`)
  return { read: counts.read, resealed: counts.resealed, isNew }
}

async function changeWorker(
  call: Call,
  { sql, masterKey }: Core,
  config: Config,
  workerKey: NonNullable<Keys['workerKey']>,
) {
  const publishing = publishDeps(sql, config, { masterKey, workerKey }, operator())
  let published = await publishWorkerKey(publishing)
  if (published === 'other') {
    const others = keysOf(workerKey).slice(1)
    const isOurs = await Promise.all(
      others.map((each) => isPublished(sql, deriveSealingPair(each).publicKey)),
    )
    if (!isOurs.includes(true)) throw notOpened("the worker's published key", 'VINTEM_WORKER_KEY_PREVIOUS')
    published = await publishWorkerKey(publishing, { replace: true })
  }
  const { worker, otherWorkers, sealForWorker } = connectionKeys(masterKey, workerKey)
  const counts = await resealConnections({
    sql,
    workers: [worker, ...otherWorkers],
    sealForWorker,
    by: operator(),
    onProgress: ({ read, resealed }) =>
      call.terminal.progress(`${read} connections read, ${resealed} sealed again`),
  })
  requireOpened(call, counts.unopened, 'VINTEM_WORKER_KEY_PREVIOUS')
  say(call, `Worker key: ${published}; ${counts.read} connections read, ${counts.resealed} sealed again.`)
  return { published, read: counts.read, resealed: counts.resealed }
}

async function changeAudit(call: Call, { sql, lane, auditKey, config }: Core) {
  const cell = config.VINTEM_CELL
  const isLost = call.flag('audit-key-lost')
  if (!isLost && !(await newestBatchFits(sql, cell, auditKey)))
    throw notOpened('the newest batch', 'VINTEM_AUDIT_KEY_PREVIOUS')
  const sealer = createSealer({ sql, lane })
  const sealAll = async () => {
    while ((await sealer.poll()) > 0);
  }
  // The previous key has made a batch, whatever happened before.
  if (!isLost) await sealAll()
  const changed = await putAuditKeyInForce({ sql, cell, auditKey, by: operator(), isLost })
  if (changed === 'missing') throw notOpened('the newest batches', 'VINTEM_AUDIT_KEY_PREVIOUS')
  // The first batch under the key: until there is one, verify cannot know that nobody moved the change.
  await sealAll()
  say(call, `Audit key: ${changed}.`)
  return changed
}

function say({ terminal, json }: Call, text: string): void {
  if (!json) terminal.out(`${terminal.paint.good(terminal.symbols.done)} ${text}`)
}

function requireOpened({ terminal }: Call, unopened: readonly string[], setting: string): void {
  for (const each of unopened) terminal.err(`${terminal.paint.bad(terminal.symbols.fail)} ${each}`)
  if (unopened.length > 0) throw notOpened(`${unopened.length} secrets`, setting)
}

function showLeft(
  { out, paint }: Terminal,
  { keys, users }: Awaited<ReturnType<typeof listUnrenewed>>,
): void {
  if (keys.length === 0 && users.length === 0)
    return out('Nothing needs the previous master key any more: it can be removed.')
  out()
  if (keys.length > 0)
    out(paint.strong('API keys that were not used since, and need the previous master key:'))
  for (const { merchantId, id, name, lastUsedAt } of keys)
    out(
      printable(
        `  ${merchantId} ${id} ${name}, last used ${lastUsedAt === null ? 'never' : dateText(lastUsedAt)}`,
      ),
    )
  if (users.length > 0) out(paint.strong('Users whose recovery codes need it, and who should make new ones:'))
  for (const email of users) out(printable(`  ${email}`))
}

/** None of our keys opens something. What was done until then stays done. */
function notOpened(what: string, setting: string): FoundFault {
  const remedy = `Set ${setting} to the key that was in use before, and run it again.`
  return new FoundFault(`None of the given keys opens ${what}.`, remedy)
}
