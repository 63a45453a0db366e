// One PostgreSQL 15 of Debian. It refuses to run as root: then it runs as the user postgres.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '#/db/client.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../ports.ts'
import { program, programEnv } from './debian.ts'

type User = { readonly uid: number; readonly gid: number }

/** As whom the servers run; undefined: as this process. */
export function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  if (spawnSync('id', ['postgres']).status !== 0)
    execFileSync('useradd', ['--system', '--no-create-home', '--user-group', 'postgres'])
  return { uid: id('-u'), gid: id('-g') }
}

/** A folder inside `folder` that only the servers' user may enter. */
export function ownedFolder(folder: string, name: string, user: User | undefined): string {
  const path = join(folder, name)
  mkdirSync(path, { mode: 0o700 })
  if (user !== undefined) {
    chmodSync(folder, 0o755)
    chownSync(path, user.uid, user.gid)
  }
  return path
}

export type SingleServer = AsyncDisposable & {
  readonly port: number
  /** Of the superuser. */
  readonly adminUrl: string
  /** The processes' and the server's own words. */
  readonly output: () => string
  /** SIGKILL to the postmaster, as `kill -9`. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
}

/**
 * Makes a cluster in the empty folder `data` and starts it. The cluster does not wait for the disk: tests kill it, but no machine loses
 * power.
 */
export async function startSingleServer(
  data: string,
  user: User | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<SingleServer> {
  const port = await freePort()
  const env = { ...process.env, ...programEnv(), LC_ALL: 'C' }
  const args = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(program('postgresql/initdb'), args, { env, cwd: '/', stdio: 'pipe', ...user })
  const conf = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    shared_buffers: '128MB',
    autovacuum_naptime: '2s',
    ...settings,
  }
  const lines = Object.entries(conf).map(([name, value]) => `${name} = '${value}'`)
  appendFileSync(join(data, 'postgresql.conf'), `\n${lines.join('\n')}\n`)
  let child: ChildProcess | undefined
  let printed = ''
  const adminUrl = `postgres://postgres:unused@127.0.0.1:${port}/postgres`

  async function start(): Promise<void> {
    const started = spawn(program('postgresql/postgres'), ['-D', data], {
      env,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
    await eventually(
      () => `PostgreSQL answers: ${printed.slice(-2_000)}`,
      async () => {
        const sql = connect(adminUrl, { max: 1, connectTimeoutSeconds: 2 })
        return sql`select 1`.then(
          () => sql.end({ timeout: 1 }).then(() => true),
          () => sql.end({ timeout: 0 }).then(() => false),
        )
      },
      120_000,
    )
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  await start()
  return {
    port,
    adminUrl,
    output: () => printed,
    kill: () => end('SIGKILL'),
    start,
    // Immediate shutdown: nothing of it is needed any more.
    [Symbol.asyncDispose]: () => end('SIGQUIT'),
  }
}
