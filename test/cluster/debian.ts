// Programs that run beside Vintem in production, from Debian's packages: unpacked into a folder, not installed into the machine.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Downloads stay from run to run. */
export const place = join(import.meta.dirname, '..', '..', 'dist', 'cluster')
const tree = join(place, 'tree')
const stamp = join(place, 'unpacked')

/** Debian 12: PostgreSQL 15, PgBouncer 1.18, Patroni 3.0, etcd 3.4, HAProxy 2.6, nginx 1.22, Prometheus 2.42. */
const packages = [
  'etcd-server',
  'haproxy',
  'libevent-dev',
  'libpq5',
  'nginx',
  'patroni',
  'pgbouncer',
  'postgresql-15',
  'postgresql-client-15',
  'prometheus',
  'python3-etcd',
  'python3-psycopg2',
]

/**
 * Downloads and unpacks the packages, with those of their dependencies that this machine lacks. Needs Debian 12's `apt-get` and `dpkg-deb`,
 * but no root rights. The work is done once: later calls return immediately.
 */
export async function unpackPackages(): Promise<void> {
  const wanted = packages.join('\n')
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return
  await rm(place, { recursive: true, force: true })
  const downloads = join(place, 'downloads')
  await mkdir(downloads, { recursive: true })
  const names = [...new Set([...packages, ...(await missingDependencies())])]
  await run('apt-get', ['download', ...names], { cwd: downloads, maxBuffer: 10_000_000 })
  const { stdout } = await run('ls', [downloads])
  for (const file of stdout.trim().split('\n')) await run('dpkg-deb', ['-x', join(downloads, file), tree])
  await rm(downloads, { recursive: true })
  await writeFile(stamp, wanted)
}

/** What apt would install beside the packages on this machine. */
async function missingDependencies(): Promise<readonly string[]> {
  const { stdout } = await run('apt-get', ['--simulate', '--no-install-recommends', 'install', ...packages])
  return [...stdout.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => (name === undefined ? [] : [name]))
}

/** The path of a program, such as `haproxy` or `postgresql/initdb`. */
export function program(name: string): string {
  const folders = name.startsWith('postgresql/')
    ? [`usr/lib/postgresql/15/bin/${name.slice('postgresql/'.length)}`]
    : ['bin', 'sbin'].map((folder) => `usr/${folder}/${name}`)
  const path = folders.map((folder) => join(tree, folder)).find((each) => existsSync(each))
  if (path === undefined) throw new Error(`no package contains the program ${name}`)
  return path
}

/** With what a program is built against them. */
export const libraries = {
  headers: ['usr/include', 'usr/include/x86_64-linux-gnu'].map((path) => join(tree, path)),
  folder: join(tree, 'usr/lib/x86_64-linux-gnu'),
}

/** The environment in which the programs find their libraries and Python modules. */
export function programEnv(): Readonly<Record<string, string>> {
  return {
    PATH: `${join(tree, 'usr/bin')}:${join(tree, 'usr/sbin')}:${process.env['PATH'] ?? ''}`,
    LD_LIBRARY_PATH: libraries.folder,
    PYTHONPATH: join(tree, 'usr/lib/python3/dist-packages'),
  }
}
