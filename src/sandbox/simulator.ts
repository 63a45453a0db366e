// A simulator as a child of this process: starts it, keeps it alive, and ends it with this process in every case.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { StartError } from '#/db/failure.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, sleep } from '#/kernel/time.ts'

export type SimulatorOptions = {
  /** Its name for people, and its folder under simulators/. */
  readonly name: string
  readonly args: readonly string[]
  /** The program and its environment. Default: the simulator of this name, with our own environment. */
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
  /** The folder for its state and its output. */
  readonly folder: string
  /** Named in the error when it does not start. */
  readonly ports: readonly number[]
  readonly log: Log
  /** Aborts the start: the simulator is not needed any more. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a simulator with a start function of its own. */
export type SimulatorPlace = Pick<SimulatorOptions, 'log' | 'signal'> & {
  readonly dataDir: string
  readonly port: number
}

export type Simulator = { readonly stop: () => Promise<void> }

const stopMs = 3 * secondMs
/** An earlier process that is just ending may still hold the ports. */
const triesMax = 10
const retryMs = 300

/** Resolves when it is ready; from then on it is started again whenever it ends. Throws a StartError. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  // Its keys are there.
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const stopping = new AbortController()
  const first = await launch(options, options.signal ?? stopping.signal)
  const kept = keep(options, first, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await kept
    },
  }
}

async function keep(options: SimulatorOptions, first: ChildProcess, signal: AbortSignal): Promise<void> {
  const { name, log } = options
  let child: ChildProcess | undefined = first
  while (child !== undefined) {
    await untilGone(child, signal)
    child = undefined
    while (child === undefined && !signal.aborted) {
      log.warn({ name }, 'a child ended and is started again')
      child = await launch(options, signal).catch((error: unknown) => {
        log.error({ name, error: messageOf(error) }, 'a child does not start')
        return undefined
      })
      if (child === undefined) await sleep(secondMs, signal)
    }
  }
}

/** Resolves when the child has ended, by itself or because we stop it. */
async function untilGone(child: ChildProcess, signal: AbortSignal): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let killer: NodeJS.Timeout | undefined
  const end = () => {
    child.kill('SIGTERM')
    killer = setTimeout(() => child.kill('SIGKILL'), stopMs)
  }
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  await gone
  signal.removeEventListener('abort', end)
  clearTimeout(killer)
}

async function launch(options: SimulatorOptions, signal: AbortSignal): Promise<ChildProcess> {
  for (let tries = 1; tries <= triesMax && !signal.aborted; tries++) {
    const child = await launchOnce(options)
    if (child !== undefined) return child
    await sleep(retryMs, signal)
  }
  const { name, ports } = options
  const ifInUse =
    ports.length === 0 ? '' : `; if port ${ports.join(' or ')} is taken, set PORT to move all ports`
  const remedy = `See ${outputOf(options)}${ifInUse}.`
  throw new StartError(`The sandbox's ${name} did not start.`, remedy)
}

/** The child when it reports that it is ready, or undefined when it ended before. */
async function launchOnce(options: SimulatorOptions): Promise<ChildProcess | undefined> {
  const simulator = path.resolve(import.meta.dirname, '../../simulators', options.name, 'main.ts')
  const { program = simulator, env } = options
  const output = openSync(outputOf(options), 'a', 0o600)
  const child = spawn(process.execPath, [program, ...options.args, '--die-with-parent'], {
    stdio: ['pipe', 'pipe', output],
    // Ctrl-C at a terminal reaches its whole process group. The child is not in that group: we end it after everything that needs
    // it has ended.
    detached: true,
    ...given({ env }),
  })
  closeSync(output)
  const stdout = must(child.stdout, 'its output is a pipe')
  const isReady = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', () => resolve(false))
    createInterface({ input: stdout }).once('line', () => resolve(true))
  })
  stdout.resume()
  return isReady ? child : undefined
}

function outputOf({ folder, name }: SimulatorOptions): string {
  return path.join(folder, `${name}.log`)
}
