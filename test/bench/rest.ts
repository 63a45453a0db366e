// What an installation of `npm start` takes while nobody uses it: statements a second, and the share of a processor core of all its
// processes with PostgreSQL, the chain and the simulators.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Sql } from '#/db/client.ts'
import { homeOf } from '#/db/embedded-place.ts'
import { must } from '#/kernel/check.ts'
import { freePorts } from '../ports.ts'
import { installationWorkedMs } from './processor.ts'
import { header } from './report.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
/** The chain makes blocks at full pace for half a minute after the start; the pages are built meanwhile. */
const calmMs = 60_000
const aims = { statements: 5, core: 0.01 }

/** Starts an installation, waits until it is at rest, and counts for so many seconds. */
export async function measureRest(seconds: number): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vintem-bench-rest-'))
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const data = path.join(folder, 'data')
  const port = await freePorts([0, 1, 2, 3, 4, 10, 11, 12, 13, 20, 21])
  const env = { ...process.env, PORT: String(port), VINTEM_DATA_DIR: data, BROWSER: 'none' }
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: 'ignore', detached: true })
  const gone = once(child, 'exit')
  stack.defer(async () => {
    // npm leads a group of its own.
    process.kill(-must(child.pid, 'it was started'), 'SIGINT')
    await gone
  })
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    await sleep(100)
  }
  await sleep(calmMs)
  const home = must(homeOf(data), 'the installation has a database')
  const { admin } = JSON.parse(await readFile(path.join(home, 'passwords.json'), 'utf8')) as { admin: string }
  const databasePort = (await readFile(path.join(home, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3]
  const url = `postgres://postgres:${admin}@127.0.0.1:${databasePort}/postgres`
  const sql = connect(url, { max: 1 })
  stack.defer(() => sql.end())
  const log = path.join(home, 'cluster', 'log')
  const [before, workedBefore] = [await countStatements(log), await installationWorkedMs(data)]
  await logStatements(sql, 'all')
  await sleep(seconds * 1_000)
  await logStatements(sql, 'none')
  const statements = ((await countStatements(log)) - before) / seconds
  const core = ((await installationWorkedMs(data)) - workedBefore) / (seconds * 1_000)
  return [
    `${await header(url)}\n`,
    '| at rest, `npm start` | | aim |',
    '|---|--:|---|',
    `| statements a second | ${statements.toFixed(1)} | ≤ ${aims.statements}: ${verdict(statements, aims.statements)} |`,
    `| of a processor core | ${(core * 100).toFixed(1)} % | ≤ ${aims.core * 100} %: ${verdict(core, aims.core)} |`,
    `\nover ${seconds} s, after ${calmMs / 1_000} s of rest; statements as the log of PostgreSQL counts them, begin and commit included`,
  ].join('\n')
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}

async function logStatements(sql: Sql, which: 'all' | 'none'): Promise<void> {
  await sql.unsafe(`alter system set log_statement = '${which}'`)
  await sql`select pg_reload_conf()`
}

/** The statements in the server's log so far. */
async function countStatements(log: string): Promise<number> {
  const texts = await Promise.all((await readdir(log)).map((name) => readFile(path.join(log, name), 'utf8')))
  return texts.reduce(
    (sum, text) => sum + (text.match(/LOG: {2}(?:execute [^:\n]*|statement): /g)?.length ?? 0),
    0,
  )
}

function verdict(value: number, aim: number): string {
  return value <= aim ? 'met' : `missed: ${(value / aim).toFixed(1)} ×`
}
