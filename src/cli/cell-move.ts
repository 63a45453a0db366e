// `cell move`: a cell leaves its PostgreSQL server for another one while it is used.
import { checkedDatabaseServer } from '#/cells/cell.ts'
import type { Wish } from '#/cells/move-decision.ts'
import { moveServers } from '#/cells/move-servers.ts'
import { moveCell, type MoveDeps, type MoveReport } from '#/cells/move.ts'
import { selectIdentity, selectBooks, slotName } from '#/cells/server-queries.ts'
import { ConfigError, type Config } from '#/config.ts'
import { addressOf } from '#/db/address.ts'
import { connect, type Sql } from '#/db/client.ts'
import { exclusively } from '#/db/exclusive.ts'
import { loginOf } from '#/db/login.ts'
import { AppError } from '#/kernel/error.ts'
import { toJson } from '#/kernel/json.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { directoryOf } from './cell-directory.ts'
import { refusing, showNext, UsageError, type Call, type Command } from './command.ts'
import { whoDecides } from './decision.ts'

export const move: Command = {
  summary: 'Moves a cell to another PostgreSQL server while it is used, step by step; may be run again',
  positionals: ['code'],
  options: {
    to: { value: 'host:port', meaning: 'The new PostgreSQL; needed by the first run' },
    switch: { meaning: 'Switch to it, when it follows: callers get 503 for seconds' },
    cancel: { meaning: 'End the move; possible until the new server is promoted' },
  },
  async run(call) {
    const [code = ''] = call.given
    const config = call.deps.config()
    if (code !== config.VINTEM_CELL)
      throw new UsageError(
        `These are the settings of cell ${config.VINTEM_CELL}.`,
        `Run the command with those of cell ${code}.`,
      )
    const to = call.option('to')
    const target = to === undefined ? undefined : await refusing(serverOf(to))
    const report = await run(call, target, wishOf(call))
    if (call.json) call.terminal.out(toJson(report))
    else show(call.terminal, config, report)
  },
}

function wishOf({ flag }: Call): Wish {
  if (flag('switch') && flag('cancel'))
    throw new UsageError('--switch and --cancel exclude each other.', 'Give one of them.')
  return flag('switch') ? 'SWITCH' : flag('cancel') ? 'CANCEL' : 'FOLLOW'
}

async function serverOf(text: string): Promise<string> {
  return checkedDatabaseServer(text)
}

async function run(call: Call, target: string | undefined, wish: Wish): Promise<MoveReport> {
  const { terminal, json, deps } = call
  const config = deps.config()
  const { url, source } = sourceOf(config)
  const { database = '' } = loginOf(new URL(addressOf(config.DATABASE_URL).url))
  await using stack = new AsyncDisposableStack()
  const clients = new Map<string, Sql>()
  const clientOf = (at: string): Sql => {
    const client = clients.get(at) ?? openClient(at, stack)
    clients.set(at, client)
    return client
  }
  const directory = await directoryOf(config)
  stack.defer(directory.close)
  const moveDeps: MoveDeps = {
    directory,
    cell: config.VINTEM_CELL,
    who: whoDecides(),
    source,
    target,
    servers: moveServers((server) => clientOf(withHost(url, server)), database),
    readBooks: () => selectBooks(clientOf(config.DATABASE_URL)),
    isNamed: (startedAt) => isNamed(config.DATABASE_URL, startedAt),
    booksAt: (server, before) =>
      withHost(before ?? `postgres://${server}/${encodeURIComponent(database)}`, server),
    say: (text) => {
      if (!json) terminal.out(text)
    },
  }
  const { VINTEM_CELL: cell, VINTEM_DIRECTORY_URL: directoryUrl } = config
  const moved = await exclusively(directoryUrl, `cell move ${cell}`, () => moveCell(moveDeps, wish))
  if (moved !== undefined) return moved.result
  throw new AppError(
    'invalid_state',
    `Another ./vintem cell move of ${cell} runs. Wait until it has ended, or end it.`,
  )
}

/** `stack` ends the client. */
function openClient(url: string, stack: AsyncDisposableStack): Sql {
  const sql = connect(url, { max: 2, applicationName: 'vintem-move', connectTimeoutSeconds: 5 })
  stack.defer(() => sql.end({ timeout: 0 }))
  return sql
}

/** The server that the settings name for a superuser. Throws ConfigError unless it is one, in another database than the cell's. */
function sourceOf(config: Config): { readonly url: string; readonly source: string } {
  const remedy =
    'Set it to postgres://postgres:password@host:5432/postgres, the present PostgreSQL of this cell.'
  if (config.DATABASE_URL === '')
    throw new ConfigError('DATABASE_URL is not set.', 'Only a PostgreSQL of your own can be left by a cell.')
  if (config.VINTEM_MOVE_URL === '') throw new ConfigError('VINTEM_MOVE_URL is not set.', remedy)
  const { url, servers } = addressOf(config.VINTEM_MOVE_URL)
  const [server] = servers
  if (servers.length > 1 || 'path' in server)
    throw new ConfigError('VINTEM_MOVE_URL does not name one host.', remedy)
  const { pathname } = new URL(addressOf(config.DATABASE_URL).url)
  if (new URL(url).pathname === pathname)
    throw new ConfigError('VINTEM_MOVE_URL names the database of the cell, which will be closed.', remedy)
  const host = server.host.includes(':') ? `[${server.host}]` : server.host
  return { url, source: `${host}:${server.port}`.toLowerCase() }
}

function withHost(url: string, server: string): string {
  const own = new URL(url)
  own.host = server
  return own.href
}

/** Whether the URL leads to the server whose process has this start, for the role that it names. */
async function isNamed(url: string, startedAt: string): Promise<boolean> {
  const address = addressOf(url)
  for (const server of address.servers) {
    if ('path' in server) continue
    const host = server.host.includes(':') ? `[${server.host}]` : server.host
    await using stack = new AsyncDisposableStack()
    const sql = openClient(withHost(address.url, `${host}:${server.port}`), stack)
    const found = await selectIdentity(sql).catch(() => undefined)
    if (found?.startedAt === startedAt) return true
  }
  return false
}

function show(terminal: Terminal, config: Config, report: MoveReport): void {
  const { cell, source, target, state, behindBytes, closedMs } = report
  const command = `./vintem cell move ${cell}`
  if (state === 'CANCELED') return terminal.out(`The move is ended. Cell ${cell} stays at ${source}.`)
  if (state === 'DONE') {
    const span = closedMs === undefined ? '' : ` Nobody could write for ${(closedMs / 1_000).toFixed(1)} s.`
    terminal.out(`Cell ${cell} is at ${target}.${span} ${source} stays closed.`)
    return
  }
  if (behindBytes !== undefined) {
    terminal.out(`${target} follows ${source}, ${Math.ceil(behindBytes / 1_024)} kB behind.`)
    return showNext(terminal, `${command} --switch`)
  }
  const { hostname, port, username } = new URL(sourceOf(config).url)
  terminal.out(`On the host of ${target}, as PostgreSQL's user, into an empty data folder:`)
  terminal.out(
    `  pg_basebackup -h ${hostname} -p ${port || '5432'} -U ${username} -S ${slotName} -X stream -c fast -R -P -D <data folder>`,
  )
  terminal.out('Then start PostgreSQL there.')
  showNext(terminal, command)
}
