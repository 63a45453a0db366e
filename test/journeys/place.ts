// An installation of several processes on one database, each started as an operator starts it.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '#/db/client.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { freePorts } from '../ports.ts'
import { startFlags } from '../start-flags.ts'

/** This release. */
export const root = join(import.meta.dirname, '../..')

type Env = Readonly<Record<string, string>>

export type Running = {
  readonly url: string
  readonly port: number
  readonly pid: number
  isReady(): Promise<boolean>
  output(): string
  /** Ends the process as an operator does. Returns the exit code. */
  stop(): Promise<number | null>
  /** Sends the signal, and waits for nothing. */
  signal(name: NodeJS.Signals): void
  /** Resolves when the process is gone. */
  ended(): Promise<void>
}

/** The offsets of the ports that a process of any role may use. */
export const offsets = [0, 1, 2, 3, 4, 10, 11, 12, 13, 20, 21]

/**
 * A new database in the cluster of `adminUrl`, and keys that all processes share. `urlOf`: makes, of the direct URL, the URL by which a
 * process reaches the database, such as a pooler's. `folder`: may be empty.
 */
export async function openPlace(
  { folder, adminUrl, env: more = {}, urlOf = (url) => url }: PlaceOptions,
  stack: AsyncDisposableStack,
) {
  const databases = await makeDatabase(adminUrl)
  const dataDir = join(folder, 'data')
  const key = () => randomBytes(32).toString('hex')
  const shared: Env = {
    ...databases,
    DATABASE_URL: urlOf(databases.DATABASE_URL),
    VINTEM_DATA_DIR: dataDir,
    VINTEM_MASTER_KEY: key(),
    VINTEM_WORKER_KEY: key(),
    VINTEM_AUDIT_KEY: key(),
    VINTEM_RECONCILE_SECONDS: '2',
    ...more,
  }
  // A release before may not have the newest setting of our own runs, and refuses what it does not know.
  const { VINTEM_DATABASE_PATIENCE: _newest, ...older } = process.env
  const begin = (release: string, args: readonly string[], env: Env) => {
    const child = spawn(process.execPath, [...startFlags(release), join(release, 'src/main.ts'), ...args], {
      cwd: release,
      env: { ...(release === root ? process.env : older), ...shared, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => printed.push(part.toString('utf8')))
    return { child, output: () => printed.join('') }
  }

  const runWith = async (env: Env, release: string, args: readonly string[]) => {
    const { child, output } = begin(release, args, env)
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output: output() }
  }

  return {
    dataDir,
    databases,
    /** Runs a command of the release to its end. */
    run: (release: string, ...args: readonly string[]) => runWith({}, release, args),
    /** The same with further settings. */
    runWith,
    /** `at`: the port of a process that it replaces. */
    async launch(release: string, role: string, env: Env = {}, at?: number): Promise<Running> {
      const port = at ?? (await freePorts(offsets))
      const { child, output } = begin(release, role.split(' '), { PORT: String(port), ...env })
      const stop = () => end(child)
      stack.defer(async () => {
        // One that a test stopped hears no other signal.
        child.kill('SIGCONT')
        await stop()
      })
      const url = `http://127.0.0.1:${port}`
      const isReady = async () => {
        assert.equal(child.exitCode, null, `${role} ended: ${output()}`)
        const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
        await answer?.body?.cancel()
        return answer?.status === 200
      }
      const ended = async () => {
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      const signal = (name: NodeJS.Signals) => void child.kill(name)
      return { url, port, pid: child.pid ?? 0, isReady, output, stop, signal, ended }
    },
    /** The content of the sandbox's file; undefined until the file is written. */
    sandbox: () => {
      const file = join(dataDir, 'sandbox.json')
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SandboxFile) : undefined
    },
  }
}

type PlaceOptions = {
  readonly folder: string
  /** Of a superuser. */
  readonly adminUrl: string
  /** Further settings of all processes. */
  readonly env?: Env
  readonly urlOf?: (url: string) => string
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  return child.exitCode
}

/** An empty database with an owner, and the role of the application. */
async function makeDatabase(adminUrl: string) {
  const sql = connect(adminUrl, { max: 1 })
  const urlOf = (role: string) => {
    const url = new URL(adminUrl)
    url.username = role
    url.pathname = '/place'
    return url.href
  }
  try {
    const password = decodeURIComponent(new URL(adminUrl).password).replaceAll("'", "''")
    for (const role of ['place_owner', 'place_app']) {
      await sql.unsafe(`create role ${role} login password '${password}'`)
    }
    await sql`create database place template template0 owner place_owner`
  } finally {
    await sql.end()
  }
  return { DATABASE_URL: urlOf('place_app'), DATABASE_OWNER_URL: urlOf('place_owner') }
}
