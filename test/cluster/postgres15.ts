// Servers of Debian's PostgreSQL 15, each in a folder of its own that is removed at the end. PostgreSQL refuses to run as root, so root
// runs it as the user `postgres`.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '#/db/client.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../ports.ts'
import { program, programEnv } from './debian.ts'

const run = promisify(execFile)

export type Server = {
  readonly url: string
  readonly folder: string
  stop(how: 'fast' | 'immediate'): Promise<void>
}

/** A folder in which servers and their archives lie. It is gone at the end of the block. */
export function serverFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'vintem-cluster-'))
  own(path)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A folder in it that belongs to PostgreSQL's user. */
export function ownFolder(parent: string, name: string): string {
  const path = join(parent, name)
  mkdirSync(path, { mode: 0o700 })
  own(path)
  return path
}

export async function initServer(folder: string): Promise<void> {
  await pg('initdb', [
    '-D',
    folder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
  ])
}

/** A copy of a base backup that recovers from the archive when it starts. Returns its folder. */
export function copyServer(base: string, path: string): string {
  execFileSync('cp', ['-a', base, path])
  const signal = join(path, 'recovery.signal')
  writeFileSync(signal, '')
  own(signal)
  return path
}

/** Runs one of PostgreSQL's programs to its end. */
export async function pg(name: string, args: readonly string[]): Promise<void> {
  await run(program(`postgresql/${name}`), [...args], { ...asUser(), env: environment(), cwd: '/' })
}

/** Starts the server of this folder with these settings, and waits until it takes writes. */
export async function startServer(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await freePort()
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
  appendFileSync(join(folder, 'postgresql.conf'), lines.join(''))
  const output = openSync(join(folder, 'output'), 'a')
  const child = spawn(program('postgresql/postgres'), ['-D', folder], {
    ...asUser(),
    env: environment(),
    cwd: '/',
    stdio: ['ignore', output, output],
  })
  const ended = once(child, 'exit')
  const url = `postgres://postgres:x@127.0.0.1:${port}/postgres`
  await eventually('the server takes writes', async () => {
    if (child.exitCode !== null) throw new Error(`the server ended: see ${join(folder, 'output')}`)
    return takesWrites(url)
  })
  return {
    url,
    folder,
    async stop(how) {
      if (child.exitCode === null) child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await ended
    },
  }
}

async function takesWrites(url: string): Promise<boolean> {
  const sql = connect(url, { max: 1, transactionSeconds: 0 })
  try {
    const [row] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`
    return row?.standby === false
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function environment(): Readonly<Record<string, string>> {
  return { ...programEnv(), LC_ALL: 'C', HOME: '/' }
}

function asUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function own(path: string): void {
  const { uid, gid } = asUser()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  chmodSync(path, 0o700)
}
