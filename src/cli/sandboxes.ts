// `sandbox`: the operator makes further sandboxes in an installation, lists them, and archives them.
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#/config.ts'
import { acquireLock } from '#/db/embedded-process.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { secondMs } from '#/kernel/time.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { connectOwner, providersAt } from '#/sandbox/methods/all.ts'
import { readSandboxFile, type SandboxFile } from '#/sandbox/provision.ts'
import {
  archiveSandbox,
  createSandbox,
  listSandboxes,
  type NewSandbox,
  type Note,
  type OneSandbox,
} from '#/sandbox/sandboxes.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import { endSchedules } from '#/withdrawals/schedule-queries.ts'
import { byOperator } from './audited.ts'
import { group, showNext, UsageError, type Call, type Command } from './command.ts'
import { whoDecides } from './decision.ts'
import { allKeys } from './keys.ts'
import { listing } from './listing.ts'
import { within } from './office.ts'
import { connectDeps } from './sandbox.ts'
import { dateText, printRecord, type Column } from './table.ts'
import { withCore } from './with-core.ts'

/** The shortest limit of the simulated providers, for the name of an account. */
const nameMax = 64
/** The running server learns of a new connection within a second, unless its machine is busy. */
const patienceMs = 20 * secondMs

const create: Command = {
  summary: 'Makes a sandbox with a key, wallets and accounts of its own; shows the key, this once',
  options: {
    name: { value: 'text', meaning: `What it is for, 1 to ${nameMax} characters; no two in use share one` },
  },
  async run(call) {
    const name = call.option('name')?.trim() ?? ''
    if (name === '' || name.length > nameMax || /\p{Cc}/u.test(name) || !name.isWellFormed())
      throw new UsageError(`--name is missing, or has not 1 to ${nameMax} characters.`, seeHelp)
    const config = call.deps.config()
    const file = await runningSandbox(config)
    const release = holdSandboxes(config)
    try {
      await withCore(config, async (core) => show(call, await make(core, config, file, name)), 'asWorker')
    } finally {
      release()
    }
  },
}

type Core = Parameters<Parameters<typeof withCore>[1]>[0]

async function make(core: Core, config: Config, file: SandboxFile, name: string): Promise<NewSandbox> {
  const connecting = connectDeps(core, await allKeys(config))
  const { sql, clock, masterKey } = core
  return createSandbox(
    {
      sql,
      clock,
      sealKey: deriveKey(masterKey, 'webhook secrets'),
      pepper: deriveKey(masterKey, 'api keys'),
      cell: config.VINTEM_CELL,
      openWallets: openStartingWallets,
      note: noteOfOperator,
      madeBy: whoDecides(),
      connect: (owner) => connectOwner(providersAt(file), { ...connecting, owner, patienceMs }),
    },
    name,
  )
}

function show(call: Call, { webhookSecret, ...made }: NewSandbox): void {
  const { terminal, json } = call
  printRecord(terminal, { ...made, webhookSecret: showWebhookSecret(webhookSecret) }, { labels, json })
  if (json) return
  terminal.out()
  terminal.out('Keep the key: it is shown only here.')
  showNext(terminal, `VINTEM_API_KEY=${made.apiKey} ./vintem listen`)
}

const list = listing({
  summary: 'Lists the sandboxes that were made beside the first one, oldest first',
  rows: listSandboxes,
  columns: () => columns,
  empty: 'There are no further sandboxes. ./vintem sandbox create --name <text> makes one.',
  needs: 'keys',
})

const archive: Command = {
  summary: 'Ends the keys of a sandbox and takes nothing new in it; its books and records stay',
  positionals: ['sandbox-id'],
  async run(call) {
    const id = (call.given[0] ?? '').toLowerCase()
    if (!isUuid(id)) throw new UsageError(`There is no sandbox ${id}.`, 'See ./vintem sandbox list.')
    await within(call, async ({ sql, clock }) => {
      const deps = { sql, clock, note: noteOfOperator, endSchedules }
      const archived = await archiveSandbox(deps, id as MerchantId)
      printRecord(call.terminal, archived, { labels, json: call.json })
    })
  },
}

export const sandboxCommand = group('sandbox', { create, list, archive })

const noteOfOperator: Note = (tx, { action, id, name }) =>
  writeAudit(tx, [byOperator({ action, subject: `merchant:${id}`, merchantId: id, after: { name } })])

/** The sandbox that runs in the data directory: its providers are needed. */
async function runningSandbox({ dataDir }: Config): Promise<SandboxFile> {
  const file = await readSandboxFile(dataDir)
  if (file !== undefined) return file
  const remedy = 'Run npm start, or set VINTEM_DATA_DIR to the directory of the one that runs.'
  throw new UsageError(`No sandbox is running in ${dataDir}.`, remedy)
}

/** Only one process at a time makes a sandbox. */
function holdSandboxes({ dataDir }: Config): () => void {
  const file = path.join(dataDir, 'sandboxes.lock')
  const holder = acquireLock(file)
  if (holder === undefined) return () => rmSync(file, { force: true })
  throw new UsageError(`Process ${holder.pid} is making a sandbox.`, 'Try again when it has ended.')
}

const columns: readonly Column<OneSandbox>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'State', value: ({ state }) => state },
  { name: 'Created', value: ({ createdAt }) => dateText(createdAt) },
  { name: 'Name', value: ({ name }) => name },
]

const labels: Readonly<Record<string, string>> = {
  id: 'Sandbox',
  name: 'Name',
  state: 'State',
  createdAt: 'Created',
  archivedAt: 'Archived',
  apiKey: 'API key',
  webhookSecret: 'Webhook secret',
}

const seeHelp = 'See ./vintem sandbox create --help.'
