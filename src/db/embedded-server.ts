// Creates, starts, finds and stops one PostgreSQL server.
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { connect } from './client.ts'
import { adoptChild, startChild, type Child } from './embedded-keep.ts'
import type { Place } from './embedded-place.ts'
import {
  commandLineOf,
  isCode,
  isNumberInUse,
  isPortFree,
  identityOf,
  sendSignal,
  waitUntilGone,
  type ProcessIdentity,
} from './embedded-process.ts'
import { StartError } from './failure.ts'

/** `admin` is the superuser and stays in this folder; `owner` owns the database; `app` may use what it is granted. */
export const roles = { admin: 'postgres', owner: 'vintem_owner', app: 'vintem_app' } as const
export type Role = keyof typeof roles
export type Passwords = Readonly<Record<Role, string>>
export type Settings = Readonly<Record<string, string>>

/** For a machine with two cores that runs other programs too. Durability stays on. */
const defaults: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  wal_compression: 'on',
  // After a checkpoint each changed page is written to the WAL whole once, so fewer checkpoints write less.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // In a new database every table is empty for the planner, and a prepared statement keeps the index that was chosen then,
  // which may read all of a merchant's history. Analysing a growing table early corrects that.
  autovacuum_naptime: '2s',
  jit: 'off',
  // The passwords of our roles have 192 random bits and cannot be guessed, so iterations would only slow down new connections.
  scram_iterations: '1',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  cluster_name: 'vintem',
  // A file for each day of the week, overwritten a week later.
  logging_collector: 'on',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_line_prefix: '%m [%p] %q%u@%d ',
}

/** Much longer than a crash recovery, which reads at most the WAL since the last checkpoint. */
const readyTimeoutMs = 300 * secondMs
const releaseTimeoutMs = 20 * secondMs

/** The passwords of this cluster. They are stored before the cluster is created, so that no cluster exists without them. */
export function keepPasswords(place: Place): Passwords {
  const file = join(place.home, 'passwords.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Passwords
  if (existsSync(place.cluster)) {
    const remedy = 'Put the file back, or forget the data with "npm run reset".'
    throw new StartError(`${file} is missing, so no user can log in to the database beside it.`, remedy)
  }
  const random = () => randomBytes(24).toString('base64url')
  const passwords: Passwords = { admin: random(), owner: random(), app: random() }
  const draft = `${file}.draft`
  writeFileSync(draft, JSON.stringify(passwords), { mode: 0o600 })
  renameSync(draft, file)
  return passwords
}

/** Creates the cluster when there is none. It gets its name only when it is complete. */
export async function makeCluster(place: Place, passwords: Passwords): Promise<void> {
  if (existsSync(place.cluster)) return
  const draft = `${place.cluster}.draft`
  const passwordFile = join(place.home, 'initdb-password')
  const output = join(place.home, 'initdb.log')
  rmSync(draft, { recursive: true, force: true })
  rmSync(passwordFile, { force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, `${passwords.admin}\n`, { mode: 0o600 })
  if (place.user !== undefined) {
    for (const path of [draft, passwordFile]) chownSync(path, place.user.uid, place.user.gid)
  }
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${roles.admin}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const args = [`--pgdata=${draft}`, '--data-checksums', ...locale, ...access]
  const initdb = await startChild(join(place.bin, 'initdb'), args, {
    output,
    farewell: 'SIGTERM',
    ...place.user,
  })
  const code = await initdb.gone
  rmSync(passwordFile, { force: true })
  if (code !== 0) {
    const reason = readFileSync(output, 'utf8').trim().split('\n').at(-1) ?? ''
    throw new StartError(`The database could not be made: ${reason}`, `See ${output}.`)
  }
  renameSync(draft, place.cluster)
}

export type ServerOptions = {
  readonly place: Place
  readonly port: number
  readonly settings: Settings
  readonly adminUrl: string
  readonly log: Log
}

/**
 * Returns the server of this place: the server that an earlier, killed process of ours left running with the same settings,
 * else a new one. Resolves when it accepts connections. Throws a StartError, or the signal's reason once aborted.
 */
export async function findOrStartServer(options: ServerOptions, signal: AbortSignal): Promise<Child> {
  const { place, port, log } = options
  const settings = Object.entries({ ...defaults, ...options.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const args = ['-D', place.cluster, '-p', String(port), ...settings]

  const found = findRunning(place)
  if (found !== undefined) {
    const command = [join(place.bin, 'postgres'), ...args].join(' ')
    if (!found.isStopping && commandLineOf(found.mark.pid) === command) {
      const server = adoptChild(found.mark, fastShutdown)
      await waitUntilReady(server, options.adminUrl, signal)
      log.info({ child: found.mark.pid }, 'PostgreSQL was still running and is used again')
      return server
    }
    await stopServer(found.mark)
  }

  const deadline = monotonicMs() + releaseTimeoutMs
  for (;;) {
    if (!(await isPortFree(port))) throw portTaken(port)
    try {
      return await startServer(args, options, signal)
    } catch (error) {
      // After a kill -9 of the server its sessions finish their statements, and hold its shared memory until then.
      if (!messageOf(error).includes('shared memory block') || monotonicMs() > deadline) throw error
      await sleep(100, signal)
      signal.throwIfAborted()
    }
  }
}

const fastShutdown = 'SIGINT'

/** Requests a fast shutdown; after 10 s an immediate one, from which the next start recovers. */
export async function stopServer(mark: ProcessIdentity): Promise<void> {
  for (const signal of [fastShutdown, 'SIGQUIT', 'SIGKILL'] as const) {
    sendSignal(mark, signal)
    if (await waitUntilGone(mark, 10 * secondMs)) return
  }
}

/** The postmaster that runs on this cluster, if any. */
export function findRunning(
  place: Place,
):
  | { readonly mark: ProcessIdentity; readonly isStopping: boolean; readonly port: number | undefined }
  | undefined {
  const file = join(place.cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  // Line 1 is the process, line 2 its data directory, line 4 its port, line 8 its status.
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  const mark = pid > 0 ? identityOf(pid) : undefined
  if (mark !== undefined && commandLineOf(pid).includes(`postgres -D ${lines[1]} `)) {
    return { mark, isStopping: lines[7]?.trim() === 'stopping', port: Number(lines[3]) || undefined }
  }
  // PostgreSQL removes the file of a dead server, but it takes a zombie, or another process with the same number, for a live
  // server. It still finds running sessions of the dead server by their shared memory.
  if (isNumberInUse(pid)) rmSync(file)
  return undefined
}

async function startServer(
  args: readonly string[],
  options: ServerOptions,
  signal: AbortSignal,
): Promise<Child> {
  const { place, port } = options
  const output = join(place.home, 'postgres.log')
  const server = await startChild(join(place.bin, 'postgres'), args, {
    output,
    farewell: fastShutdown,
    ...place.user,
  })
  try {
    await waitUntilReady(server, options.adminUrl, signal)
    return server
  } catch (error) {
    await stopServer(server.mark)
    signal.throwIfAborted()
    if (!(await isPortFree(port))) throw portTaken(port, error)
    const reason = reasonOf(place, output, server.mark.pid) ?? messageOf(error)
    throw new StartError(
      `PostgreSQL did not start: ${reason}`,
      `See ${output} and ${join(place.cluster, 'log')}.`,
      error,
    )
  }
}

function portTaken(port: number, cause?: unknown): StartError {
  return new StartError(
    `Port ${port}, for PostgreSQL, is taken.`,
    'Stop what uses it, or set PORT to move all ports.',
    cause,
  )
}

/** The server is ready when it answers a query of ours; its log is not parsed. */
async function waitUntilReady(server: Child, adminUrl: string, signal: AbortSignal): Promise<void> {
  const deadline = monotonicMs() + readyTimeoutMs
  let hasEnded = false
  void server.gone.then(() => {
    hasEnded = true
  })
  while (!(await answers(adminUrl))) {
    signal.throwIfAborted()
    if (hasEnded) throw new Error('it ended before it was ready')
    if (monotonicMs() > deadline) throw new Error(`it was not ready after ${readyTimeoutMs / secondMs} s`)
    await sleep(20, signal)
  }
}

async function answers(adminUrl: string): Promise<boolean> {
  const sql = connect(adminUrl, { max: 1, connectTimeoutSeconds: 5, applicationName: 'vintem start' })
  try {
    await sql`select 1`
    return true
  } catch (error) {
    if (!isCode(error, '28P01')) return false
    const remedy =
      'Put the right passwords.json of this database back, or forget the data with "npm run reset".'
    throw new StartError('PostgreSQL does not accept our password.', remedy, error)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The last reason that this postmaster gave for its end, in its output or its log. */
function reasonOf(place: Place, output: string, pid: number): string | undefined {
  const folder = join(place.cluster, 'log')
  const logs = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  const lines = [output, ...logs].flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const ownLines = lines.filter((line) => line.includes(`[${pid}]`))
  return ownLines
    .map((line) => /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1])
    .findLast((reason) => reason !== undefined)
}
