// Programs that run beside us: started so that they can outlive us, found again, and kept alive while we live.
import { spawn, type SpawnOptions } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, sleep } from '#/kernel/time.ts'
import { isRunning, identityOf, sendSignal, type ProcessIdentity } from './embedded-process.ts'

/** A program that we started, or found running. */
export type Child = {
  readonly mark: ProcessIdentity
  /** Resolves when it has ended, with its exit code where that can be known. */
  readonly gone: Promise<number | null>
}

/**
 * Starts a program in a session of its own, so that Ctrl-C in the terminal reaches us alone and we stop it in our
 * order, and without our environment, which holds secrets. What it prints goes to the file `output`, not to a pipe,
 * so that it can outlive us. `farewell` is sent to it when we end before it does, by exit() or an exception: it lives on
 * only when we are killed.
 */
export async function startChild(
  command: string,
  args: readonly string[],
  options: {
    readonly output: string
    readonly farewell: NodeJS.Signals
    readonly uid?: number
    readonly gid?: number
  },
): Promise<Child> {
  const { output, farewell, ...user } = options
  // Removed first: the last start may have been another user's.
  rmSync(output, { force: true })
  const file = openSync(output, 'w', 0o600)
  const how: SpawnOptions = {
    detached: true,
    cwd: '/',
    env: { LC_ALL: 'C' },
    stdio: ['ignore', file, file],
    ...user,
  }
  try {
    const child = spawn(command, args, how)
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    const pid = must(child.pid, 'a process that was started has a number')
    // One that has ended already has no mark; `gone` tells.
    return withFarewell({ mark: identityOf(pid) ?? { pid, startedAt: '' }, gone }, farewell)
  } finally {
    closeSync(file)
  }
}

/** A program that an earlier process of ours started. It tells nobody when it ends, so it is looked at. */
export function adoptChild(mark: ProcessIdentity, farewell: NodeJS.Signals): Child {
  const gone = async () => {
    while (isRunning(mark)) await sleep(200)
    return null
  }
  return withFarewell({ mark, gone: gone() }, farewell)
}

function withFarewell(child: Child, farewell: NodeJS.Signals): Child {
  const say = () => sendSignal(child.mark, farewell)
  process.once('exit', say)
  void child.gone.then(() => process.removeListener('exit', say))
  return child
}

export type KeptChild = {
  pid(): number
  /** Tells after each unasked end, when another one has taken its place and is ready. */
  onRestarted(callback: () => void): void
  /** Resolves when it runs no more. Stopping twice is no error. */
  stop(): Promise<void>
}

const restartWaitMaxMs = 5 * secondMs

/**
 * Starts a program and starts it again whenever it ends unasked, with growing pauses while that fails. `start` resolves
 * when the program is ready and gives up when its signal is aborted. Rejects when the first start fails.
 */
export async function keepAlive(options: {
  readonly name: string
  readonly start: (signal: AbortSignal) => Promise<Child>
  readonly stop: (mark: ProcessIdentity) => Promise<void>
  /** Called once, when it was stopped. */
  readonly released: () => void
  readonly log: Log
}): Promise<KeptChild> {
  const { name, start, log } = options
  const stopping = new AbortController()
  const told = new Promise<void>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const callbacks: (() => void)[] = []
  let child = await start(stopping.signal)

  async function restart(): Promise<void> {
    for (let waitMs = 100; !stopping.signal.aborted; waitMs = Math.min(2 * waitMs, restartWaitMaxMs)) {
      try {
        child = await start(stopping.signal)
        log.warn({ pid: child.mark.pid }, `${name} is back`)
        for (const callback of callbacks) callback()
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        log.error({ reason: messageOf(error) }, `${name} cannot be started again yet`)
        await sleep(waitMs, stopping.signal)
      }
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await Promise.race([child.gone, told])
      if (stopping.signal.aborted) return
      log.error({ pid: child.mark.pid }, `${name} ended unasked and is started again`)
      await restart()
    }
  }
  const watching = watch()

  async function stop(): Promise<void> {
    stopping.abort()
    await watching
    await options.stop(child.mark)
    options.released()
  }
  let stopped: Promise<void> | undefined

  return {
    pid: () => child.mark.pid,
    onRestarted: (callback) => void callbacks.push(callback),
    stop: () => (stopped ??= stop()),
  }
}
