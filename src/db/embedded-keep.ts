// Programs that run beside our process: they can outlive it, are found again by the next start, and are restarted while we run.
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
 * Starts a program:
 * - in a session of its own, so that Ctrl-C in the terminal reaches only us, and we stop our programs in our order;
 * - without our environment, which holds secrets;
 * - with its output in the file `output`, not in a pipe, so that it can outlive us.
 * When we end first, by exit() or an exception, it gets the signal `farewell`. It continues to run only when we are killed.
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
  // Removed first, because the file of the last start may belong to another user.
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
    // A process that has ended already has no identity; `gone` resolves then.
    return withFarewell({ mark: identityOf(pid) ?? { pid, startedAt: '' }, gone }, farewell)
  } finally {
    closeSync(file)
  }
}

/** A program that an earlier process of ours started. It is no child of ours, so its end is found by polling. */
export function adoptChild(mark: ProcessIdentity, farewell: NodeJS.Signals): Child {
  const gone = async () => {
    while (isRunning(mark)) await sleep(200)
    return null
  }
  return withFarewell({ mark, gone: gone() }, farewell)
}

function withFarewell(child: Child, farewell: NodeJS.Signals): Child {
  const signalEnd = () => sendSignal(child.mark, farewell)
  process.once('exit', signalEnd)
  void child.gone.then(() => process.removeListener('exit', signalEnd))
  return child
}

export type KeptChild = {
  pid(): number
  /** Adds a callback that is called after each unexpected end, as soon as the program runs again and is ready. */
  onRestarted(callback: () => void): void
  /** Resolves when it has ended. May be called twice. */
  stop(): Promise<void>
}

const restartWaitMaxMs = 5 * secondMs

/**
 * Starts a program, and starts it again whenever it ends unexpectedly, with growing pauses while that fails. `start` resolves
 * when the program is ready, and stops trying when its signal is aborted. Rejects when the first start fails.
 */
export async function keepAlive(options: {
  readonly name: string
  readonly start: (signal: AbortSignal) => Promise<Child>
  readonly stop: (mark: ProcessIdentity) => Promise<void>
  /** Called once, after it was stopped. */
  readonly released: () => void
  readonly log: Log
}): Promise<KeptChild> {
  const { name, start, log } = options
  const stopping = new AbortController()
  const stopRequested = new Promise<void>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const callbacks: (() => void)[] = []
  let child = await start(stopping.signal)

  async function restart(): Promise<void> {
    for (let waitMs = 100; !stopping.signal.aborted; waitMs = Math.min(2 * waitMs, restartWaitMaxMs)) {
      try {
        child = await start(stopping.signal)
        log.warn({ pid: child.mark.pid }, `${name} runs again`)
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
      await Promise.race([child.gone, stopRequested])
      if (stopping.signal.aborted) return
      log.error({ pid: child.mark.pid }, `${name} ended unexpectedly and is started again`)
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
