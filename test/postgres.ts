// Databases for tests: one cluster for a whole run, one database for each test that needs one, copied from a template.
import { spawn, type SpawnOptions } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Sql } from '#/db/client.ts'
import { startCluster } from '#/db/embedded.ts'
import { migrate } from '#/db/migrate.ts'
import { silentLog } from '#/kernel/log.ts'
import { sleep } from '#/kernel/time.ts'
import { isSoak } from './counts.ts'
import { onKeptConnection } from './kept-connection.ts'
import { freePort } from './ports.ts'

export type TestDatabase = AsyncDisposable & {
  /** Owns the tables: may do everything in this database. */
  readonly ownerUrl: string
  /** The role that the application has. */
  readonly appUrl: string
}

/**
 * A new, migrated, empty database. `of`: a database to copy, to which nobody is connected. With `await using` the database is dropped at
 * the end of the block. It is in the cluster that `VINTEM_TEST_DATABASE` names (the URL of a superuser), which `npm test` starts. A test
 * file that is run by hand starts a cluster of its own.
 */
export async function testDatabase(of?: TestDatabase): Promise<TestDatabase> {
  const given = process.env['VINTEM_TEST_DATABASE']
  const cluster = given === undefined ? await borrowCluster() : { url: given, giveBack: () => {} }
  try {
    const template = of === undefined ? await templateOf(cluster.url) : new URL(of.ownerUrl).pathname.slice(1)
    const name = `test_${randomBytes(6).toString('hex')}`
    // Who has just closed a connection may still be leaving.
    if (of !== undefined)
      await onKeptConnection(
        cluster.url,
        (sql) =>
          sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${template}`,
      )
    // Copying files is four times faster here than writing the copy to the log first.
    await onKeptConnection(
      cluster.url,
      (sql) =>
        sql`create database ${sql(name)} template ${sql(template)} owner ${sql(owner)} strategy file_copy`,
    )
    return {
      ownerUrl: urlFor(cluster.url, owner, name),
      appUrl: urlFor(cluster.url, app, name),
      [Symbol.asyncDispose]: async () => {
        await onKeptConnection(cluster.url, (sql) => sql`drop database if exists ${sql(name)} with (force)`)
        cluster.giveBack()
      },
    }
  } catch (error) {
    cluster.giveBack()
    throw error
  }
}

export type TestCluster = {
  /** As the superuser, who can make databases and roles. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * An empty cluster on a port that the system chooses, in a directory of its own that is removed at the end. The cluster does not wait for
 * the disk, because nothing in it has to survive. It ends even when this process is killed.
 */
export async function startTestCluster(): Promise<TestCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vintem-test-'))
  const release = leash(dataDir)
  try {
    const cluster = await startCluster({
      dataDir,
      port: await freePort(),
      log: silentLog,
      settings: { ...forgetful, ...(dataDir.length <= dataDirMax ? { unix_socket_directories: '.' } : {}) },
    })
    const stop = async () => {
      await cluster.stop()
      rmSync(dataDir, { recursive: true, force: true })
      release()
    }
    return { url: cluster.urlOf('admin', 'postgres'), stop }
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    release()
    throw error
  }
}

/** The path of a Unix socket has at most 103 bytes on macOS, and the socket is two folders deeper. */
const dataDirMax = 65

const forgetful = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  // A statement runs a few times for each connection here, on small tables: planning it each time costs more than it saves. The
  // soak has the usual setting, because it tests what depends on plans.
  ...(isSoak ? {} : { plan_cache_mode: 'force_generic_plan' }),
  wal_compression: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // In memory a read costs less than asking another process for it.
  io_method: 'sync',
  // For each database in turn; there are hundreds here, and in the quick run each is gone before it would be cleaned.
  ...(isSoak ? { autovacuum_naptime: '1min' } : { autovacuum: 'off' }),
}
const owner = 'vintem_owner'
const app = 'vintem_app'
const migrationsFolder = new URL('../migrations/', import.meta.url)
/** Any constant will do: it keeps the files of one run from making the template twice. */
const templateLock = 5_117_401
/** How long a cluster of one file's own waits for the next test before it ends. */
const lingerMs = 300

let borrowed: { readonly cluster: Promise<TestCluster>; users: number } | undefined

async function borrowCluster(): Promise<{ readonly url: string; readonly giveBack: () => void }> {
  const loan = (borrowed ??= { cluster: startTestCluster(), users: 0 })
  loan.users += 1
  const giveBack = async () => {
    loan.users -= 1
    await sleep(lingerMs)
    if (loan.users > 0 || borrowed !== loan) return
    borrowed = undefined
    await (await loan.cluster).stop()
  }
  return { url: (await loan.cluster).url, giveBack: () => void giveBack() }
}

const templates = new Map<string, Promise<string>>()

function templateOf(url: string): Promise<string> {
  const template = templates.get(url) ?? makeTemplate(url)
  templates.set(url, template)
  return template
}

/**
 * The name of the migrated template database for exactly this set of migrations. Makes the template when it is missing. The template gets
 * its name only when it is complete, so that a run that was killed leaves no incomplete template under that name.
 */
function makeTemplate(url: string): Promise<string> {
  const hash = createHash('sha256').update(ownClock)
  for (const name of readdirSync(migrationsFolder).sort())
    hash.update(name).update(readFileSync(new URL(name, migrationsFolder)))
  const template = `template_${hash.digest('hex').slice(0, 12)}`
  const draft = `${template}_draft`

  return asAdmin(url, async (sql) => {
    await sql`select pg_advisory_lock(${templateLock})`
    const [found] = await sql`select from pg_database where datname = ${template}`
    if (found !== undefined) return template
    await makeRoles(sql, decodeURIComponent(new URL(url).password))
    await sql`drop database if exists ${sql(draft)} with (force)`
    await sql`create database ${sql(draft)} template template0 owner ${sql(owner)}`
    await migrate(urlFor(url, owner, draft), { appRole: app })
    await asAdmin(urlFor(url, owner, draft), (client) => client.unsafe(ownClock))
    await sql`alter database ${sql(draft)} rename to ${sql(template)}`
    return template
  })
}

/** The clock of a test's database, which can be wrong by `clock_shift()`, zero at first, or stand still. */
const ownClock = ['clock_timestamp', 'statement_timestamp', 'now'].reduce(
  (text, name) =>
    `${text};
    create function ${name}() returns timestamptz language sql ${name === 'clock_timestamp' ? 'volatile' : 'stable'}
      as $$ select coalesce(clock_stopped(), pg_catalog.${name}() + clock_shift()) $$`,
  `create function clock_shift() returns interval language sql stable as $$ select interval '0' $$;
   create function clock_stopped() returns timestamptz language sql stable as $$ select null::timestamptz $$`,
)

/** The two roles with the superuser's own password, so that one URL serves all three. */
async function makeRoles(sql: Sql, password: string): Promise<void> {
  const found = await sql<
    { name: string }[]
  >`select rolname as name from pg_roles where rolname in (${owner}, ${app})`
  for (const role of [owner, app]) {
    if (!found.some(({ name }) => name === role)) await sql`create role ${sql(role)} login`
    // In this order a function of ours hides PostgreSQL's function of the same name.
    await sql.unsafe(`alter role ${role} set search_path = public, pg_catalog`)
    await sql.unsafe(`alter role ${role} password '${password.replaceAll("'", "''")}'`)
  }
}

function urlFor(clusterUrl: string, role: string, database: string): string {
  const url = new URL(clusterUrl)
  url.username = role
  url.pathname = `/${database}`
  return url.href
}

/** One connection as the superuser. Its locks are released when it ends. */
async function asAdmin<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connect(url, { max: 1, applicationName: 'vintem-test' })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Starts a small process that waits for the end of this process, however it ends: then its standard input closes, and it stops the cluster
 * and removes the directory. Returns a function that ends the small process.
 */
function leash(dataDir: string): () => void {
  const script = `
    read -r _
    pid=$(head -n 1 "$1/postgres/cluster/postmaster.pid") && kill -INT "$pid"
    for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.5; done
    rm -rf "$1" || { sleep 2; rm -rf "$1"; }`
  const options: SpawnOptions = {
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  }
  const child = spawn('/bin/sh', ['-c', script, 'sh', dataDir], options)
  child.unref()
  return () => void child.kill('SIGKILL')
}
