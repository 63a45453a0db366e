// Three servers of Debian's PostgreSQL 15 under Patroni, which keeps its state in etcd, with `synchronous_mode_strict`. With two servers,
// nothing would be acknowledged after a failover until the lost server is back.
import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, closeSync, readFileSync, writeFileSync, chmodSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect, type Sql } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'
import { must } from '#/kernel/check.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../ports.ts'
import { program, programEnv } from './debian.ts'
import { ownedFolder, serverUser } from './single-server.ts'

const run = promisify(execFile)
const startMs = 120_000

/** Never `first`: in `synchronous_standby_names` that is a keyword, and Patroni 3.0 does not quote it. */
const names = ['north', 'south', 'east'] as const
type Name = (typeof names)[number]

export type PatroniMember = {
  readonly name: Name
  readonly port: number
  start(): void
  /** SIGKILL to Patroni and to the postmaster: the machine is gone. */
  kill(): Promise<void>
}

export type PatroniCluster = AsyncDisposable & {
  member(name: string): PatroniMember
  urlOf(role: 'vintem_app' | 'vintem_owner'): string
  /** Which member is the leader, and which one its synchronous standby; undefined unless all three run. */
  roles(): Promise<{ readonly leader: string; readonly standby: string } | undefined>
  /** A planned change of the leader, by `patronictl`. */
  switchTo(name: string): Promise<void>
  /** What `patronictl list` says. */
  state(): Promise<string>
}

/** Both members run, and the database is migrated. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-patroni-'))
  chmodSync(folder, 0o755)
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const etcd = await startEtcd(folder, stack)
  const members: Awaited<ReturnType<typeof createMember>>[] = []
  for (const name of names) members.push(await createMember(name, folder, etcd))
  stack.defer(async () => void (await Promise.all(members.map((member) => member.kill()))))
  const servers = members.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const ctl = async (...args: readonly string[]) =>
    (await run(program('patronictl'), ['-c', join(folder, 'north.yml'), ...args], { env: patroniEnv() }))
      .stdout
  const cluster = {
    member: (name: string) =>
      must(
        members.find((each) => each.name === name),
        'a member',
      ),
    urlOf: (role: string) => `postgres://${role}@${servers}/vintem`,
    roles: () => rolesOf(ctl),
    async switchTo(name: string) {
      const { leader } = must(await rolesOf(ctl), 'all members run')
      await ctl('switchover', '--leader', leader, '--candidate', name, '--force')
    },
    state: () => ctl('list'),
  }
  for (const member of members) member.start()
  const logs = () => members.map(({ log }) => readFileSync(log, 'utf8').slice(-2_000)).join('\n')
  await eventually(() => `a leader and its synchronous standby run: ${logs()}`, cluster.roles, startMs)
  const sql = connect(`postgres://postgres@${servers}/postgres`, { max: 1 })
  try {
    await createDatabase(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
  await migrate(cluster.urlOf('vintem_owner'), { appRole: 'vintem_app' })
  const kept = stack.move()
  return { ...cluster, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function createDatabase(sql: Sql): Promise<void> {
  await sql`create role vintem_owner login`
  await sql`create role vintem_app login`
  await sql`create database vintem owner vintem_owner`
}

type Listed = { readonly Member: string; readonly Role: string; readonly State: string }

async function rolesOf(ctl: (...args: readonly string[]) => Promise<string>) {
  const listed = await ctl('list', '-f', 'json').catch(() => '[]')
  const rows = JSON.parse(listed) as readonly Listed[]
  const nameOf = (role: string) =>
    rows.find((row) => row.Role === role && /running|streaming/.test(row.State))
  const [leader, standby] = [nameOf('Leader')?.Member, nameOf('Sync Standby')?.Member]
  const isComplete =
    rows.length === names.length && rows.every(({ State }) => /running|streaming/.test(State))
  return leader === undefined || standby === undefined || !isComplete ? undefined : { leader, standby }
}

function patroniEnv() {
  return { ...programEnv(), LC_ALL: 'C.UTF-8', HOME: '/' }
}

/** Starts a program whose output goes to a file of the folder. */
function launch(path: string, args: readonly string[], log: string): ChildProcess {
  const file = openSync(log, 'a')
  try {
    return spawn(path, args, { ...serverUser(), cwd: '/', env: patroniEnv(), stdio: ['ignore', file, file] })
  } finally {
    closeSync(file)
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The place of the members' state. Returns its address. */
async function startEtcd(folder: string, stack: AsyncDisposableStack): Promise<string> {
  const data = ownedFolder(folder, 'etcd', serverUser())
  const [client, peer] = [await freePort(), await freePort()]
  const urls = [client, peer].map((port) => `http://127.0.0.1:${port}`)
  const args = ['--data-dir', data, '--listen-client-urls', urls[0], '--advertise-client-urls', urls[0]]
  args.push('--listen-peer-urls', urls[1], '--initial-advertise-peer-urls', urls[1])
  args.push('--initial-cluster', `default=${urls[1]}`)
  const child = launch(program('etcd'), args as string[], join(folder, 'etcd.log'))
  stack.defer(() => end(child))
  await eventually(
    'etcd answers',
    () =>
      fetch(`${urls[0]}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    startMs,
  )
  return `127.0.0.1:${client}`
}

async function createMember(name: Name, folder: string, etcd: string) {
  const home = ownedFolder(folder, name, serverUser())
  const [port, api] = [await freePort(), await freePort()]
  const data = join(home, 'data')
  const [config, log] = [join(folder, `${name}.yml`), join(folder, `${name}.log`)]
  // YAML takes JSON.
  writeFileSync(config, JSON.stringify(configOf({ name, etcd, port, api, data }), undefined, 2))
  let patroni: ChildProcess | undefined
  return {
    name,
    port,
    config,
    log,
    start() {
      patroni = launch(program('patroni'), [config], log)
    },
    async kill() {
      await end(patroni)
      const [pid] = readPid(data)
      if (pid === undefined) return
      process.kill(pid, 'SIGKILL')
      await eventually('the postmaster is gone', () => !isAlive(pid))
    },
  }
}

/** The postmaster of this data directory, if it is alive. */
function readPid(data: string): readonly number[] {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    return isAlive(pid) ? [pid] : []
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

type Place = {
  readonly name: string
  readonly etcd: string
  readonly port: number
  readonly api: number
  readonly data: string
}

function configOf({ name, etcd, port, api, data }: Place) {
  const bin = program('postgresql/postgres').replace(/\/postgres$/, '')
  return {
    scope: 'vintem',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 200,
            shared_buffers: '64MB',
            wal_keep_size: '256MB',
            wal_log_hints: 'on',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: bin,
      pgpass: join(data, '..', 'pgpass'),
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'rewinder' },
      },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: '' },
    },
  }
}
