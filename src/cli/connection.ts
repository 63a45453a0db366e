// `connection`: an operator's and merchants' credentials at providers. They come from a file and are encrypted; none is
// ever printed.
import { ConfigError, type Config } from '#/config.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { printable } from '#/kernel/terminal.ts'
import { selectChanged, selectConnection, type ConnectionRow } from '#/merchants/connection-queries.ts'
import { connectionKeys, connectionSeal, openConnectionBook } from '#/merchants/connections.ts'
import {
  addConnectionAs,
  replaceConnectionAs,
  switchConnection,
  type ConnectionDeps,
} from '#/operator/connections.ts'
import { connectionNames, findType, registerCallbacks, typeNamed, typeOf } from '#/rails/connection-types.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { ConnectionType } from '#/rails/kit/connection-type.ts'
import { audited, operatorHere } from './audited.ts'
import { claimAccounts } from './cell-claims.ts'
import {
  group,
  sayDone,
  showNext,
  refusing,
  UsageError,
  type Call,
  type Command,
  type Office,
  FoundFault,
} from './command.ts'
import { readConnectionFile, type ConnectionFile } from './connection-file.ts'
import { publishKey, reseal } from './connection-reseal.ts'
import { columns, labels, recordOf } from './connection-table.ts'
import { commandLog } from './decision.ts'
import { masterKeys, workerKeyOf } from './keys.ts'
import { listing } from './listing.ts'
import { merchantIdIn, merchantNamed, requireOwnKeys, within } from './office.ts'
import { printRecord } from './table.ts'

const fileOption = {
  value: 'settings.json',
  meaning: 'Provider, settings and secrets; docs/rails has a page for each method, which shows one',
}

const add: Command = {
  summary: 'Adds credentials at a provider, encrypted: of one merchant, or shared by all of a mode',
  positionals: ['method'],
  options: {
    merchant: { value: 'merchant-id', meaning: 'Whose it is' },
    shared: {
      meaning: 'Instead of --merchant: for all merchants of this mode that have no connection of their own',
    },
    mode: { value: 'LIVE|SANDBOX', meaning: 'With --shared: whose money it moves' },
    file: fileOption,
  },
  async run(call) {
    const [text = ''] = call.given
    const type = typeNamed(text)
    if (type === undefined)
      throw new UsageError(`${text} has no connection.`, `These have one: ${connectionNames.join(', ')}.`)
    const owner = ownerOf(call)
    const file = await readFileOf(call, type)
    await within(call, async (office) => {
      const mode = 'mode' in owner ? owner.mode : await modeOf(office, owner.merchantId)
      const deps = await connectionDeps(call.deps.config(), office, mode)
      await claimAccounts(call.deps.config(), mode, type, file)
      const id = await refusing(addConnectionAs(deps, operatorHere(), type, { ...file, owner }))
      const row = must(await selectConnection(office.sql, id), 'what was added is there')
      show(call, row)
      warn(call, type, file)
      if (!call.json) showNext(call.terminal, `./vintem connection test ${id}`)
    })
  },
}

const list = listing({
  summary: 'Lists all connections, without their secrets',
  rows: async (sql) => (await selectChanged(sql, undefined)).map(recordOf),
  columns: () => columns,
  empty: 'There are no connections yet. ./vintem connection add pix adds one.',
  needs: 'keys',
})

const test: Command = {
  summary:
    'Gets a token from the provider and tries a harmless read, with the credentials for receiving and for refunding',
  positionals: ['connection-id'],
  async run(call) {
    const { terminal, json } = call
    await within(call, async (office) => {
      const connection = await openedOf(call, office)
      const deps = { clock: office.clock, log: commandLog(call.deps.config()) }
      const type = typeOf(connection)
      const probes = await type.probe(deps, connection)
      const { good, bad } = terminal.paint
      if (json) terminal.out(JSON.stringify(probes))
      else
        for (const { what, ok, said } of probes) {
          const mark = ok ? good(terminal.symbols.done) : bad(terminal.symbols.fail)
          terminal.out(`${mark} ${printable(what)}: ${printable(said)}`)
        }
      if (probes.some(({ ok }) => !ok)) throw notWorking('The connection does not work as it is.', type)
      // The provider may not have answered when the connection was added, or there was no directory then.
      await claimAccounts(call.deps.config(), connection.mode, type, connection)
    })
  },
}

const register: Command = {
  summary: 'Registers the callback URL at the provider: VINTEM_CALLBACK_URL and the path of this connection',
  positionals: ['connection-id'],
  async run(call) {
    const { terminal, json, deps } = call
    await within(call, async (office) => {
      const connection = await openedOf(call, office)
      const config = deps.config()
      const found = await registerCallbacks(
        { clock: office.clock, log: commandLog(call.deps.config()) },
        connection,
        {
          certified: config.VINTEM_CALLBACK_URL,
          api: config.VINTEM_API_URL,
        },
      )
      if (found.kind === 'receives_nothing')
        throw new UsageError('It receives no money.', 'Callbacks go to the connection that receives money.')
      const { url } = found
      if (found.kind === 'refused')
        throw notWorking(`The provider refuses ${url}: ${found.why}.`, typeOf(connection))
      if (found.kind === 'by_hand') return showCallbackUrl(call, connection, url)
      await audited(office.sql, async (_tx, note) =>
        note({ action: 'connection.register', ...subjectOf(connection), after: { callbackUrl: url } }),
      )
      if (json) printRecord(terminal, { id: connection.id, callbackUrl: url }, { labels, json })
      else sayDone(terminal, `The provider will send its callbacks to ${url}/pix.`)
    })
  },
}

const replace: Command = {
  summary: 'Replaces the settings and secrets of a connection: for a renewed certificate',
  positionals: ['connection-id'],
  options: { file: fileOption },
  async run(call) {
    await within(call, async (office) => {
      const row = await rowOf(call, office)
      const type = typeOf(row)
      const file = await readFileOf(call, type)
      if (row.provider !== file.provider)
        throw new UsageError(
          `The connection is at ${row.provider}, the file says ${file.provider}.`,
          'Add another connection, and disable this one.',
        )
      const deps = await connectionDeps(call.deps.config(), office, row.mode)
      await claimAccounts(call.deps.config(), row.mode, type, file)
      await refusing(replaceConnectionAs(deps, operatorHere(), { type, row }, file))
      show(call, await rowOf(call, office))
      warn(call, type, file)
      if (!call.json) showNext(call.terminal, `./vintem connection test ${row.id}`)
    })
  },
}

const disable = switching(false, 'Gives a connection no new payments; what still arrives by it is credited')
const enable = switching(true, 'Gives a connection new payments again')

const commands = {
  add,
  list,
  test,
  register,
  replace,
  disable,
  enable,
  reseal,
  'publish-key': publishKey,
} as const satisfies Record<string, Command>

export const connectionCommand = group('connection', commands)

/** The provider did not do what was requested. */
function notWorking(message: string, { page }: ConnectionType): FoundFault {
  return new FoundFault(message, `${page} says what to check.`)
}

/** Only a person can enter the address at such a provider. */
function showCallbackUrl({ terminal, json }: Call, { id }: ProviderConnection, callbackUrl: string): void {
  if (json) printRecord(terminal, { id, callbackUrl }, { labels, json })
  else terminal.out(`Enter this address at the provider, as the webhook's: ${callbackUrl}`)
}

function switching(isActive: boolean, summary: string): Command {
  return {
    summary,
    positionals: ['connection-id'],
    async run(call) {
      await within(call, async (office) => {
        const row = await rowOf(call, office)
        await refusing(switchConnection(office, operatorHere(), row, { isActive }))
        show(call, await rowOf(call, office))
      })
    },
  }
}

function subjectOf({
  id,
  merchantId,
}: {
  readonly id: ConnectionId
  readonly merchantId?: MerchantId | null
}) {
  return { subject: `connection:${id}`, ...(merchantId ? { merchantId } : {}) }
}

type Owner = { readonly merchantId: MerchantId } | { readonly mode: Mode }

function ownerOf({ option, flag }: Call): Owner {
  const merchant = option('merchant')
  if ((merchant === undefined) !== flag('shared'))
    throw new UsageError(
      'Give --merchant or --shared.',
      'Give either --merchant <merchant-id> or --shared --mode LIVE|SANDBOX.',
    )
  if (merchant !== undefined) {
    if (option('mode') !== undefined)
      throw new UsageError(
        '--mode goes with --shared.',
        "A merchant's connection has the mode of its merchant.",
      )
    return { merchantId: merchantIdIn(merchant) }
  }
  const mode = option('mode')?.toUpperCase()
  if (mode !== 'LIVE' && mode !== 'SANDBOX')
    throw new UsageError('--mode is missing or unknown.', 'It is LIVE or SANDBOX.')
  return { mode }
}

async function modeOf({ sql }: Office, id: MerchantId): Promise<Mode> {
  return (await merchantNamed(sql, id)).mode
}

/** The content of the file. Prints all of its faults, one on a line. */
async function readFileOf({ option, terminal }: Call, type: ConnectionType): Promise<ConnectionFile> {
  const file = option('file')
  if (file === undefined) throw new UsageError('--file is missing.', `${type.page} shows what it holds.`)
  const read = await readConnectionFile(type, file)
  if (read.ok) return read.connection
  for (const { pointer, message } of read.faults) terminal.err(`  ${printable(`${pointer}: ${message}`)}`)
  const count = read.faults.length === 1 ? '1 fault' : `${read.faults.length} faults`
  throw new UsageError(`${file} has ${count}; nothing was changed.`, 'Correct it and try again.')
}

async function rowOf({ given }: Call, { sql }: Office): Promise<ConnectionRow> {
  const [text = ''] = given
  const row = await selectConnection(sql, text.toLowerCase() as ConnectionId)
  if (row === undefined)
    throw new UsageError(`There is no connection ${text}.`, 'See ./vintem connection list.')
  if (findType(row) === undefined)
    throw new UsageError(`${text} is of ${row.method}.`, 'Its settings are its own: see ./vintem chain list.')
  return row
}

/** The connection with all its secrets. */
async function openedOf(call: Call, office: Office): Promise<ProviderConnection> {
  const { id, mode } = await rowOf(call, office)
  const book = await openConnectionBook({
    sql: office.sql,
    keys: await openingKeys(call.deps.config(), mode),
    log: commandLog(call.deps.config()),
  })
  book.close()
  const found = book.find(id)
  if (found === undefined)
    throw new ConfigError(
      'The connection cannot be opened.',
      'Set the VINTEM_MASTER_KEY and VINTEM_WORKER_KEY under which it was encrypted.',
    )
  return found
}

/** A live connection must not depend on keys that a sandbox made for itself and that `reset` removes. */
async function openingKeys(config: Config, mode: Mode) {
  requireOwnKeys(config, mode)
  const [{ masterKey }, workerKey] = await Promise.all([masterKeys(config), workerKeyOf(config)])
  return connectionKeys(masterKey, workerKey)
}

/** What seals needs no worker's key, only its public half in the database. */
async function connectionDeps(config: Config, { sql, cell }: Office, mode: Mode): Promise<ConnectionDeps> {
  requireOwnKeys(config, mode)
  const { masterKey } = await masterKeys(config)
  const sealFor: ConnectionDeps['sealFor'] = (tx, of) => connectionSeal(tx, masterKey, of)
  return { sql, cell, sealFor, hasOwnKeys: true, usesDirectory: config.VINTEM_DIRECTORY_URL !== '' }
}

/** Warns about files that work and are seldom intended. */
function warn({ terminal, json }: Call, type: ConnectionType, file: ConnectionFile): void {
  // A connection that only sends has no secrets for receiving, and gets no callbacks.
  if (json || type.refundSecrets === undefined) return
  const { out, paint } = terminal
  if (file.refundSecrets === undefined)
    out(paint.accent('There are no refundSecrets: refunds of its payments wait until there are.'))
  for (const remark of type.remarks?.(file) ?? []) out(paint.accent(remark))
}

function show({ terminal, json }: Call, row: ConnectionRow): void {
  printRecord(terminal, recordOf(row), { labels, json })
}
