// Two servers of Debian's PostgreSQL 15, of which one is the primary and the other its synchronous standby.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect, type Sql } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { freePort } from '../ports.ts'
import { program, programEnv } from './debian.ts'

const run = promisify(execFile)
const startMs = 60_000

export type PairServer = {
  readonly name: string
  readonly port: number
  /** The postmaster, while it was started here and has not ended. */
  readonly pid: number | undefined
  start(): Promise<void>
  /** A fast shutdown, or `kill -9` of the postmaster. */
  stop(how: 'fast' | 'kill'): Promise<void>
  promote(): Promise<void>
  /** Becomes a copy of `primary` and its standby: what it had is removed. */
  follow(primary: PairServer): Promise<void>
  /** Becomes what pg_basebackup with these arguments makes, and starts. `folder`: of the data. */
  copy(args: (folder: string) => readonly string[]): Promise<void>
  /** Runs a statement as the superuser, on a connection of its own. */
  ask<Row>(work: (sql: Sql) => Promise<Row>, database?: string): Promise<Row>
}

export type PostgresPair = AsyncDisposable & {
  readonly servers: readonly [PairServer, PairServer]
  /** The URL of one of the roles, with both servers or only those given. */
  urlOf(role: 'vintem_app' | 'vintem_owner', servers?: readonly PairServer[]): string
  /** `synchronous_standby_names` of a server: '*' waits for any standby, also while there is none, as `synchronous_mode_strict` does. */
  setSynchronous(server: PairServer, names: string): Promise<void>
  /** What the server says of its synchronous state, as one line for the log. */
  stateOf(server: PairServer): Promise<string>
}

/** A migrated database on the first server, with the second one as its synchronous standby. `isAlone`: the second one is not there yet. */
export async function startPostgresPair({ isAlone = false } = {}): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-pair-'))
  const user = serverUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const first = createServer('first', folder, await freePort(), user)
  const second = createServer('second', folder, await freePort(), user)
  const pair: PostgresPair = {
    servers: [first, second],
    urlOf: (role, servers = [first, second]) =>
      `postgres://${role}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/vintem`,
    setSynchronous: (server, names) =>
      server.ask(async (sql) => {
        await sql.unsafe(`alter system set synchronous_standby_names = '${names}'`)
        await sql`select pg_reload_conf()`
      }),
    stateOf,
    async [Symbol.asyncDispose]() {
      await Promise.all([first.stop('kill'), second.stop('kill')])
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await initialise(folder, first, user)
    await first.start()
    await first.ask(async (sql) => {
      await sql`create role vintem_owner login`
      await sql`create role vintem_app login`
      await sql`create database vintem owner vintem_owner`
    })
    await migrate(pair.urlOf('vintem_owner', [first]), { appRole: 'vintem_app' })
    if (isAlone) return pair
    await second.follow(first)
    await pair.setSynchronous(first, '*')
    return pair
  } catch (error) {
    await pair[Symbol.asyncDispose]()
    throw error
  }
}

type User = { readonly uid: number; readonly gid: number }

/** PostgreSQL does not run as root. */
function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function spawnOptions(user: User | undefined) {
  return { ...user, cwd: '/', env: { ...programEnv(), LC_ALL: 'C.UTF-8' } }
}

async function initialise(folder: string, server: PairServer, user: User | undefined): Promise<void> {
  const data = join(folder, server.name)
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  await run(program('postgresql/initdb'), args, spawnOptions(user))
  const settings = [
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    `max_connections = 200`,
    `shared_buffers = '64MB'`,
    `wal_keep_size = '256MB'`,
  ]
  await appendFile(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`)
}

function createServer(name: string, folder: string, port: number, user: User | undefined): PairServer {
  const data = join(folder, name)
  let child: ChildProcess | undefined
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const ask: PairServer['ask'] = async (work, database = 'postgres') => {
    const sql = connect(url(database), { max: 2, applicationName: 'pair' })
    try {
      return await work(sql)
    } finally {
      await sql.end({ timeout: 0 })
    }
  }
  const server: PairServer = {
    name,
    port,
    get pid() {
      return child?.pid
    },
    ask,
    async start() {
      for (const until = monotonicMs() + startMs; ; await sleep(200)) {
        child ??= startPostmaster(data, port, user, () => (child = undefined))
        if (await ask((sql) => sql`select 1`).catch(() => undefined)) return
        if (monotonicMs() > until) throw new Error(`PostgreSQL ${name} does not start: see ${data}.log`)
      }
    },
    async stop(how) {
      const ending = child
      if (ending === undefined) return
      const ended = once(ending, 'exit')
      ending.kill(how === 'kill' ? 'SIGKILL' : 'SIGINT')
      await ended
    },
    async promote() {
      await run(program('postgresql/pg_ctl'), ['promote', '-w', '-D', data], spawnOptions(user))
    },
    async follow(primary) {
      const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
      await server.copy((folder) => [
        '-D',
        folder,
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
        '--no-sync',
        ...source,
      ])
    },
    async copy(args) {
      await server.stop('fast')
      await rm(data, { recursive: true, force: true })
      await run(program('postgresql/pg_basebackup'), [...args(data)], spawnOptions(user))
      await server.start()
    },
  }
  return server
}

function startPostmaster(
  data: string,
  port: number,
  user: User | undefined,
  onExit: () => void,
): ChildProcess {
  const args = ['-D', data, '-p', String(port), '-c', 'logging_collector=off', '-c', 'log_destination=stderr']
  const child = spawn(program('postgresql/postgres'), args, { ...spawnOptions(user), stdio: 'ignore' })
  return child.once('exit', onExit)
}

async function stateOf(server: PairServer): Promise<string> {
  const [row] = await server.ask(
    (sql) => sql`
      select pg_is_in_recovery() as standby, current_setting('synchronous_standby_names') as names,
             coalesce((select string_agg(application_name || ' ' || state || ' ' || sync_state, ', ') from pg_stat_replication), 'none') as standbys`,
  )
  const { standby, names, standbys } = row ?? {}
  return `${server.name} (${standby === true ? 'standby' : 'primary'}): synchronous_standby_names '${names}', its standbys: ${standbys}`
}
