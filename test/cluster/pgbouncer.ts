// PgBouncer before a PostgreSQL: 1.18 of Debian 12's package, and 1.24, built from Debian 13's source because Debian 12 has no newer one. Both
// refuse to run as root: then they run as the user postgres.
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '#/db/client.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../ports.ts'
import { libraries, place, program, programEnv } from './debian.ts'
import { ownedFolder, type serverUser } from './single-server.ts'

const run = promisify(execFile)

/** 1.18 loses the names of prepared statements, 1.21 and newer keep them (`max_prepared_statements`). */
export type PoolerVersion = '1.18' | '1.24'

const newer = {
  version: '1.24.1',
  url: 'http://deb.debian.org/debian/pool/main/p/pgbouncer/pgbouncer_1.24.1.orig.tar.gz',
  /** As Debian 13's index of sources says. */
  sha256: 'da72a3aba13072876d055a3e58dd4aba4a5de4ed6148e73033185245598fd3e0',
}

/** The path of the program. The newer one is built once; later calls return at once. It needs a C compiler and `make`. */
export async function poolerProgram(version: PoolerVersion): Promise<string> {
  if (version === '1.18') return program('pgbouncer')
  const built = join(place, `pgbouncer-${newer.version}`)
  if (!existsSync(built)) await build(built)
  return join(built, 'pgbouncer')
}

async function build(target: string): Promise<void> {
  const answer = await fetch(newer.url)
  if (!answer.ok) throw new Error(`${newer.url} answers ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (digest !== newer.sha256) throw new Error(`${newer.url} has another content: ${digest}`)
  await mkdir(place, { recursive: true })
  const folder = await mkdtemp(join(place, 'pgbouncer-'))
  try {
    await writeFile(join(folder, 'source.tar.gz'), bytes)
    await run('tar', ['-xzf', 'source.tar.gz', '--strip-components=1'], { cwd: folder })
    const { headers, folder: libs } = libraries
    const libevent = [
      `LIBEVENT_CFLAGS=${headers.map((path) => `-I${path}`).join(' ')}`,
      `LIBEVENT_LIBS=-L${libs} -levent`,
    ]
    const without = ['cares', 'pam', 'openssl'].map((name) => `--without-${name}`)
    const quiet = { cwd: folder, maxBuffer: 50_000_000 }
    await run('./configure', ['--disable-debug', ...without, ...libevent], quiet)
    await run('make', ['pgbouncer'], quiet)
    // The user postgres runs it.
    await chmod(folder, 0o755)
    await rename(folder, target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export type Pooler = AsyncDisposable & {
  /** The URL through the pooler. */
  readonly through: (url: string) => string
}

/** PgBouncer in transaction mode, with few server connections, so that clients change them all the time. */
export async function startPooler(
  version: PoolerVersion,
  folder: string,
  user: ReturnType<typeof serverUser>,
  serverPort: number,
): Promise<Pooler> {
  const own = ownedFolder(folder, 'pgbouncer', user)
  const port = await freePort()
  const users = ['postgres', 'place_owner', 'place_app'].map((name) => `"${name}" "unused"`)
  writeFileSync(join(own, 'users.txt'), `${users.join('\n')}\n`, { mode: 0o644 })
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(own, 'users.txt')}`,
    'pool_mode = transaction',
    'default_pool_size = 12',
    'max_client_conn = 500',
    ...(version === '1.18' ? [] : ['max_prepared_statements = 200']),
    `logfile = ${join(own, 'log')}`,
  ]
  writeFileSync(join(own, 'pgbouncer.ini'), `${lines.join('\n')}\n`, { mode: 0o644 })
  const child = spawn(await poolerProgram(version), [join(own, 'pgbouncer.ini')], {
    env: { ...process.env, ...programEnv() },
    cwd: '/',
    stdio: 'ignore',
    ...user,
  })
  const through = (url: string) => {
    const at = new URL(url)
    at.port = String(port)
    return at.href
  }
  const log = () => (existsSync(join(own, 'log')) ? readFileSync(join(own, 'log'), 'utf8') : '')
  await eventually(
    () => `PgBouncer answers: ${log()}`,
    async () => {
      const url = through(`postgres://postgres:unused@127.0.0.1:${serverPort}/postgres?prepare=false`)
      const sql = connect(url, { max: 1 })
      return sql`select 1`.then(
        () => sql.end({ timeout: 1 }).then(() => true),
        () => sql.end({ timeout: 0 }).then(() => false),
      )
    },
  )
  return {
    through,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
