// Reads a unit of systemd, and starts its service as the unit says: the program with its arguments, its environment, its folders, and at the
// end its signal and how long that may take. What only systemd does (users, a file system of its own, filters) is not done.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the units expect Vintem. */
const installed = '/opt/vintem'

export type Unit = {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stopSignal: NodeJS.Signals
  readonly stopSeconds: number
  /** Folders that systemd makes for the service, with their modes, as absolute paths. */
  readonly folders: Readonly<Record<string, number>>
}

export type Service = {
  readonly child: ChildProcess
  output(): string
  /** Sends the unit's signal, and SIGKILL where systemd would. Returns the exit code and the seconds that it took. */
  stop(): Promise<{ readonly code: number | null; readonly seconds: number }>
}

/** `instance`: what stands for `%i`. Drop-ins come after the unit. */
export function readUnit(paths: readonly string[], instance = ''): Unit {
  const lines = paths
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .map((line) => line.trim().replaceAll('%i', instance))
    .filter((line) => line.includes('=') && !/^[#;]/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
  const all = (name: string) => lines.filter(([key]) => key === name).map(([, value]) => value)
  const last = (name: string) => all(name).at(-1)
  const folder = (kind: 'State' | 'Runtime', place: string) => {
    const name = last(`${kind}Directory`)
    // 0755: the default of systemd.exec(5).
    return name === undefined
      ? []
      : [[`${place}/${name}`, Number.parseInt(last(`${kind}DirectoryMode`) ?? '755', 8)] as const]
  }
  return {
    command: (last('ExecStart') ?? assert.fail('nothing is started')).split(' '),
    env: Object.fromEntries(
      all('Environment')
        .flatMap((value) => value.split(' '))
        .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    ),
    // The defaults of systemd.kill(5) and systemd.service(5).
    stopSignal: (last('KillSignal') ?? 'SIGTERM') as NodeJS.Signals,
    stopSeconds: Number(last('TimeoutStopSec') ?? 90),
    folders: Object.fromEntries([...folder('State', '/var/lib'), ...folder('Runtime', '/run')]),
  }
}

type Options = {
  /** The tree that is installed. */
  readonly root: string
  /** What stands for `/` of the service's folders. */
  readonly system: string
  /** What the unit's environment files would hold. */
  readonly settings: Readonly<Record<string, string>>
}

/** Where a path of the unit lies below `system`. */
export function inside(system: string, text: string): string {
  return text.replaceAll(/(?<=^|=)\/(?=var\/lib\/|run\/)/g, `${system}/`)
}

/** Starts the service of a unit. */
export function startService(unit: Unit, { root, system, settings }: Options): Service {
  for (const [path, mode] of Object.entries(unit.folders))
    mkdirSync(inside(system, path), { recursive: true, mode })
  const [program = '', ...args] = unit.command
  assert.ok(program.startsWith(`${installed}/`), program)
  const env = Object.fromEntries(
    Object.entries(unit.env).map(([name, value]) => [name, inside(system, value)]),
  )
  const child = spawn(join(root, program.slice(installed.length)), args, {
    cwd: root,
    // Nothing of the environment of the tests, but what systemd gives: a PATH.
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, seconds: 0 }
    const gone = once(child, 'exit')
    const beganAt = performance.now()
    child.kill(unit.stopSignal)
    const killing = setTimeout(() => child.kill('SIGKILL'), unit.stopSeconds * 1_000)
    await gone
    clearTimeout(killing)
    return { code: child.exitCode, seconds: (performance.now() - beganAt) / 1_000 }
  }
  return { child, output: () => printed, stop }
}
