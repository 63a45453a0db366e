// The database for a machine without one: PostgreSQL from npm, in the data directory, kept running while we run. When we are
// killed, it continues to run and the next start finds it. When it is killed, it is started again.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { connect } from './client.ts'
import { keepAlive, type KeptChild } from './embedded-keep.ts'
import { findPlace, homeOf, removeHome, type Place } from './embedded-place.ts'
import { isCode, acquireLock } from './embedded-process.ts'
import {
  findOrStartServer,
  findRunning,
  keepPasswords,
  makeCluster,
  roles,
  stopServer,
  type Passwords,
  type Role,
  type Settings,
} from './embedded-server.ts'
import { StartError } from './failure.ts'

/** `pid` is the postmaster's. After a restart all connections are lost. */
export type EmbeddedPostgres = KeptChild & {
  /** For migrations: owns the database `vintem` and everything in it. */
  readonly ownerUrl: string
  /** For everything else: no DDL, and only the privileges that migrations grant. */
  readonly appUrl: string
}

type Options = { readonly dataDir: string; readonly port: number; readonly log: Log }

const databaseName = 'vintem'

/**
 * Starts the database of `dataDir` on `port` of the loopback address, and creates it the first time. Resolves when it
 * accepts connections. Throws a StartError when the platform, the port or the directory does not allow it.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { urlOf, ...kept } = await startCluster({ ...options, settings: {} })
  return { ...kept, ownerUrl: urlOf('owner', databaseName), appUrl: urlOf('app', databaseName) }
}

/**
 * The database of `dataDir` for a command: the one of a running Vintem, or one that is started until `stop` is called.
 */
export async function joinEmbeddedPostgres(
  options: Options,
): Promise<Pick<EmbeddedPostgres, 'ownerUrl' | 'appUrl' | 'stop'>> {
  try {
    return await startEmbeddedPostgres(options)
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error
    const place = findPlace(options.dataDir, options.log)
    const passwords = keepPasswords(place)
    // The process that runs it may have another port than this one.
    const port = findRunning(place)?.port ?? options.port
    const urlOf = (role: Role) => databaseUrl(passwords, role, port, databaseName)
    return { ownerUrl: urlOf('owner'), appUrl: urlOf('app'), stop: async () => {} }
  }
}

/**
 * Removes the database of `dataDir` for good, and stops a server that an earlier, killed process left running. Throws a
 * StartError while another process uses the database.
 */
export async function forgetEmbeddedPostgres(dataDir: string, log: Log): Promise<void> {
  if (homeOf(dataDir) === undefined) return
  const { place } = lockPlace(dataDir, log)
  const found = findRunning(place)
  if (found !== undefined) await stopServer(found.mark)
  removeHome(dataDir)
}

export type Cluster = KeptChild & { readonly urlOf: (role: Role, database: string) => string }

/**
 * The same with other settings and with the superuser's URL too: for tests. If the settings name `.` as folder of its Unix socket,
 * the cluster's own folder, the URLs use that socket: a statement costs a quarter less than over TCP.
 */
export async function startCluster(options: Options & { readonly settings: Settings }): Promise<Cluster> {
  const { dataDir, port, log, settings } = options
  const { place, unlock } = lockPlace(dataDir, log)
  let kept: KeptChild | undefined
  try {
    const passwords = keepPasswords(place)
    await makeCluster(place, passwords)
    const socket =
      settings['unix_socket_directories'] === '.' ? `?host=${encodeURIComponent(place.cluster)}` : ''
    const urlOf = (role: Role, database: string) => `${databaseUrl(passwords, role, port, database)}${socket}`
    const adminUrl = urlOf('admin', 'postgres')
    kept = await keepAlive({
      name: 'PostgreSQL',
      start: (signal) => findOrStartServer({ place, port, settings, adminUrl, log }, signal),
      stop: stopServer,
      released: unlock,
      log,
    })
    await provide(adminUrl, passwords)
    return { ...kept, urlOf }
  } catch (error) {
    if (kept === undefined) unlock()
    else await kept.stop()
    throw error
  }
}

function databaseUrl(passwords: Passwords, role: Role, port: number, database: string): string {
  return `postgres://${roles[role]}:${passwords[role]}@127.0.0.1:${port}/${database}`
}

/** Another process keeps the database of this data directory. */
class AlreadyRunning extends StartError {}

/** Locks the place of the database for this process. The lock of a process that has ended is ignored. */
function lockPlace(dataDir: string, log: Log): { readonly place: Place; readonly unlock: () => void } {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const place = findPlace(dataDir, log)
    const file = join(place.home, 'lock')
    const holder = acquireLock(file)
    if (holder === undefined) return { place, unlock: () => rmSync(file, { force: true }) }
    const remedy = 'Stop it first, or set VINTEM_DATA_DIR and PORT to run a second one beside it.'
    throw new AlreadyRunning(`Vintem is already running with this data (process ${holder.pid}).`, remedy)
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].some((code) => isCode(error, code))) throw error
    const remedy = 'Start as the user who owns it, or set VINTEM_DATA_DIR to another directory.'
    throw new StartError(`The data directory ${dataDir} cannot be used: ${messageOf(error)}.`, remedy, error)
  }
}

/** Creates the two roles and the database if they are missing. Migrations create tables and their grants. */
async function provide(adminUrl: string, passwords: Passwords): Promise<void> {
  const sql = connect(adminUrl, { max: 1, applicationName: 'vintem start' })
  try {
    const [found] = await sql<{ roles: string[]; database: boolean }[]>`
      select
        array(select rolname::text from pg_roles where rolname in (${roles.owner}, ${roles.app})) as roles,
        exists (select from pg_database where datname = ${databaseName}) as database`
    // Failed statements must not be logged, because they contain a password.
    await sql`set log_min_error_statement = panic`
    for (const role of ['owner', 'app'] as const) {
      if (found?.roles.includes(roles[role])) continue
      await sql.unsafe(`create role ${roles[role]} login password '${passwords[role]}'`)
    }
    if (!found?.database) await sql.unsafe(`create database ${databaseName} owner ${roles.owner}`)
    await sql.unsafe(`revoke all on database ${databaseName} from public`)
    await sql.unsafe(`grant connect on database ${databaseName} to ${roles.app}`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
