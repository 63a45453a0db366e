import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { eventually } from '../../test/eventually.ts'
import { freePort } from '../../test/ports.ts'
import { connect, type Sql } from './client.ts'
import { isRunning, identityOf, waitUntilGone, type ProcessIdentity } from './embedded-process.ts'
import { forgetEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts'
import { StartError } from './failure.ts'

// Creating a cluster takes most of the time, so all tests share one, each in the state that the test before it left.
const dataDir = mkdtempSync(join(tmpdir(), 'vintem-embedded-'))
const port = await freePort()
const keepers: ChildProcess[] = []

async function start(): Promise<EmbeddedPostgres & AsyncDisposable> {
  const postgres = await startEmbeddedPostgres({ dataDir, port, log: silentLog })
  return { ...postgres, [Symbol.asyncDispose]: postgres.stop }
}

after(() => {
  for (const keeper of keepers) keeper.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function query<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connect(url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const identityOfServer = (postgres: EmbeddedPostgres) => must(identityOf(postgres.pid()), 'the server runs')

test('the owner creates tables, the application has only its grants, and a second start finds the data', async () => {
  await using first = await start()
  await query(first.ownerUrl, (sql) => sql`create table note (text text not null)`)
  await query(first.ownerUrl, (sql) => sql`grant select, insert on note to vintem_app`)
  await query(first.appUrl, (sql) => sql`insert into note values ('kept')`)
  for (const forbidden of [
    'create table other (id int)',
    'create temporary table other (id int)',
    'delete from note',
    'drop table note',
  ]) {
    await assert.rejects(
      query(first.appUrl, (sql) => sql.unsafe(forbidden)),
      { code: '42501' },
      forbidden,
    )
  }
  const identity = identityOfServer(first)
  await first.stop()
  assert.equal(isRunning(identity), false)

  await using second = await start()
  assert.deepEqual([...(await query(second.appUrl, (sql) => sql`select text from note`))], [{ text: 'kept' }])
})

test('a table that starts to fill is analyzed at once', async () => {
  await using postgres = await start()
  await query(postgres.ownerUrl, async (sql) => {
    await sql`create table growing (id int primary key)`
    await sql`insert into growing select generate_series(1, 1000)`
    await eventually('it was analyzed', async () => {
      const [table] = await sql<{ at: Date | null }[]>`
        select last_autoanalyze as at from pg_stat_user_tables where relname = 'growing'`
      return (table?.at ?? null) !== null
    })
  })
})

test('passwords are in a file that only its owner can read, and in no argument', async () => {
  await using postgres = await start()
  const { mode } = statSync(join(dataDir, 'postgres', 'passwords.json'))
  assert.equal(mode & 0o777, 0o600)
  const settings = await query(
    postgres.ownerUrl,
    (sql) => sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums', 'TimeZone')`,
  )
  assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    data_checksums: 'on',
    TimeZone: 'UTC',
  })
  const stranger = new URL(postgres.appUrl)
  stranger.password = 'guessed'
  await assert.rejects(
    query(stranger.href, (sql) => sql`select 1`),
    { code: '28P01' },
  )
})

test('a killed server comes back by itself with all that was acknowledged', async () => {
  await using postgres = await start()
  const sql = connect(postgres.appUrl, { max: 1 })
  const acknowledged: string[] = []
  const back = new Promise<void>((resolve) => postgres.onRestarted(resolve))
  const killed = identityOfServer(postgres)
  const writing = (async () => {
    for (let number = 1; ; number++) {
      await sql`insert into note values (${`note ${number}`})`
      acknowledged.push(`note ${number}`)
      if (number === 50) process.kill(killed.pid, 'SIGKILL')
    }
  })()
  await assert.rejects(writing)
  await back
  assert.notEqual(postgres.pid(), killed.pid)
  const found = new Set((await sql<{ text: string }[]>`select text from note`).map(({ text }) => text))
  assert.deepEqual(
    acknowledged.filter((text) => !found.has(text)),
    [],
  )
  await sql.end({ timeout: 1 })
})

test('a server that a killed process left running is used again, and stopped in the end', async () => {
  const keeper = startKeeper()
  const left = await serverOf(keeper)
  await assert.rejects(start(), {
    name: 'StartError',
    message: `Vintem is already running with this data (process ${keeper.pid}).`,
  })
  const gone = once(keeper, 'exit')
  keeper.kill('SIGKILL')
  await gone
  assert.equal(isRunning(left), true)

  await using postgres = await start()
  assert.equal(postgres.pid(), left.pid)
  await query(postgres.appUrl, (sql) => sql`select from note`)
  await postgres.stop()
  assert.equal(isRunning(left), false)
})

test('the server stops when its process ends without stopping it', async () => {
  const keeper = startKeeper('setTimeout(() => process.exit(3), 50)')
  const left = await serverOf(keeper)
  await once(keeper, 'exit')
  assert.equal(await waitUntilGone(left, 10_000), true)
})

test('a pid file that names another process does not prevent the start', async () => {
  const lines = [
    process.pid,
    join(dataDir, 'postgres', 'cluster'),
    1,
    port,
    '',
    '127.0.0.1',
    '  1 1',
    'ready   ',
    '',
  ]
  writeFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), lines.join('\n'))
  await using postgres = await start()
  await query(postgres.appUrl, (sql) => sql`select from note`)
})

test('a port in use is reported in one line, with the remedy', async () => {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  await assert.rejects(start(), (error) => {
    assert.ok(error instanceof StartError)
    assert.equal(error.message, `Port ${port}, for PostgreSQL, is taken.`)
    assert.match(error.remedy, /PORT/)
    return true
  })
  await new Promise((resolve) => server.close(resolve))
})

test('a forgotten database leaves nothing, not even a server that a killed process left running', async () => {
  const keeper = startKeeper()
  const left = await serverOf(keeper)
  await assert.rejects(forgetEmbeddedPostgres(dataDir, silentLog), { name: 'StartError' })
  const gone = once(keeper, 'exit')
  keeper.kill('SIGKILL')
  await gone
  await forgetEmbeddedPostgres(dataDir, silentLog)
  assert.equal(isRunning(left), false)
  assert.equal(existsSync(join(dataDir, 'postgres')), false)
  await forgetEmbeddedPostgres(dataDir, silentLog)
})

/** The server of a keeper. */
async function serverOf(keeper: ChildProcess): Promise<ProcessIdentity> {
  const [line] = (await once(must(keeper.stdout, 'its output is read'), 'data')) as [Buffer]
  return must(identityOf(Number(String(line))), 'the server runs')
}

/** Starts another process that runs this database. It prints the server's number when the server is ready. */
function startKeeper(then = ''): ChildProcess {
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const program = `
    const { startEmbeddedPostgres } = await import(${module('./embedded.ts')})
    const { silentLog } = await import(${module('../kernel/log.ts')})
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, port: ${port}, log: silentLog })
    console.log(postgres.pid())
    ${then}`
  const keeper = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  keepers.push(keeper)
  return keeper
}
