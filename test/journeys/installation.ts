// A whole installation for one test: the program as a user starts it, with its own directory and ports.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { joinEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { freePorts } from '../ports.ts'
import { copyPreparedDatabase } from './prepared-database.ts'

/** The program, for tests that run it without an installation. */
export const main = new URL('../../src/main.ts', import.meta.url).pathname

export type Installation = AsyncDisposable & {
  readonly dataDir: string
  readonly port: number
  /** The server's process, while it runs. */
  readonly pid: () => number | undefined
  /** sandbox.json of the running server. */
  readonly sandbox: () => SandboxFile
  /** Starts the server and waits until it is ready. By npm, `pid` is npm's, which leads a process group of its own. */
  readonly start: (by?: 'npm') => Promise<void>
  /** SIGKILL to the server alone: its children live on, as after a real crash. */
  readonly kill: () => Promise<void>
  /** Sends Ctrl-C and waits for the end. Returns the exit code. */
  readonly stop: () => Promise<number | null>
  /** Runs another command of the program in this installation. */
  readonly run: (...args: readonly string[]) => Promise<{ code: number | null; output: string }>
  /** The application's URL of its database. */
  readonly databaseUrl: () => Promise<string>
  /** The server's output so far. */
  readonly output: () => string
}

/** What the load of a crash journey needs of the installation under it. */
export type LoadedInstallation = Pick<Installation, 'sandbox' | 'run' | 'databaseUrl' | 'output'>

export type Env = Readonly<Record<string, string>>

export type InstallationOptions = {
  /** The first start creates the database, as a user's does, even if the run has a prepared one to copy. */
  readonly first?: boolean
  /** More settings of the server alone. */
  readonly ofServer?: Env
  /** The umask of the shell that starts the server, such as 077. */
  readonly umask?: string
  /** The data folder, below the one that the test makes. Absent: that one itself. */
  readonly folder?: string
}

export async function createInstallation(
  env: Env = {},
  { first = false, ofServer = {}, umask, folder = '' }: InstallationOptions = {},
): Promise<Installation> {
  const place = await mkdtemp(path.join(tmpdir(), 'vintem-journey-'))
  const dataDir = path.join(place, folder)
  if (!first) copyPreparedDatabase(dataDir)
  const port = await freePorts([0, 1, 2, 3, 4, 10, 11, 12, 13, 20, 21])
  const settings = { ...process.env, ...env, PORT: String(port), VINTEM_DATA_DIR: dataDir }
  const underUmask = umask === undefined ? [] : ['/bin/sh', '-c', `umask ${umask} && exec "$0" "$@"`]
  const launch = (args: readonly string[], more: Env = {}) => {
    const [program = '', ...rest] = [...underUmask, process.execPath, main, ...args]
    return spawn(program, rest, { env: { ...settings, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  }
  let server: ChildProcess | undefined
  let sandbox: SandboxFile | undefined
  let printed = ''
  let wasKilled = false
  /** How the server ended, if the test did not end it. */
  let died: string | undefined

  async function start(by?: 'npm'): Promise<void> {
    const child = by === 'npm' ? launchByNpm({ ...settings, ...ofServer }) : launch(['start'], ofServer)
    server = child
    wasKilled = false
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
    child.once('exit', (code, signal) => {
      if (server === child)
        died = `the server ended by itself with ${code ?? signal}: ${printed.slice(-4_000)}`
    })
    while (true) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${printed}`)
      const text = await readFile(path.join(dataDir, 'sandbox.json'), 'utf8').catch(() => undefined)
      if (text !== undefined) sandbox = JSON.parse(text) as SandboxFile
      if (sandbox !== undefined && text !== undefined && (await isReady(sandbox.apiUrl))) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const child = server
    server = undefined
    if (child === undefined) return null
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const gone = once(child, 'exit')
    child.kill(signal)
    const [code] = (await gone) as [number | null]
    return code
  }

  async function run(...args: readonly string[]) {
    const child = launch(args)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => (output += part.toString('utf8')))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }

  return {
    dataDir,
    port,
    sandbox: () => {
      if (sandbox === undefined) throw new Error('the installation was not started')
      return sandbox
    },
    pid: () => server?.pid,
    start,
    kill: async () => {
      await end('SIGKILL')
      wasKilled = true
    },
    stop: () => end('SIGINT'),
    run,
    databaseUrl: async () =>
      env['DATABASE_URL'] ??
      (await joinEmbeddedPostgres({ dataDir, port: port + 20, log: silentLog })).appUrl,
    output: () => printed,
    [Symbol.asyncDispose]: async () => {
      // After a kill only another start can find and end the surviving children.
      if (wasKilled) await start().catch(() => {})
      await end('SIGINT')
      await rm(place, { recursive: true, force: true, maxRetries: 5 })
      if (died !== undefined) throw new Error(died)
    },
  }
}

function launchByNpm(env: NodeJS.ProcessEnv) {
  return spawn('npm', ['start'], {
    cwd: path.join(import.meta.dirname, '../..'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

async function isReady(apiUrl: string): Promise<boolean> {
  const answer = await fetch(`${apiUrl}/health/ready`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}
