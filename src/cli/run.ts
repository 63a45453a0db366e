// Runs the parts of a process, and ends them in the order in which they must end.
import type { Core } from '#/app/core.ts'
import type { Part } from '#/app/work.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'

/** Things to close, the last opened first. A failing close does not keep the others open. */
export type Closer = {
  readonly add: (name: string, close: () => Promise<unknown>) => void
  readonly closeAll: () => Promise<void>
}

export function createCloser(log: Log): Closer {
  const open: { name: string; close: () => Promise<unknown> }[] = []
  let closing: Promise<void> | undefined
  async function closeEach(): Promise<void> {
    for (const { name, close } of open.toReversed()) {
      await close().catch((error: unknown) =>
        log.error({ part: name, error: messageOf(error) }, 'did not end well'),
      )
    }
  }
  return {
    add: (name, close) => open.push({ name, close }),
    closeAll: () => (closing ??= closeEach()),
  }
}

/**
 * Starts works side by side. When one fails, the signal is aborted for the others, and all are waited for, so that everything that
 * was opened is registered with the closer before it closes. Rejects as the first in their order that failed.
 */
export async function allOf<Works extends readonly Promise<unknown>[]>(
  begin: (failing: AbortSignal) => readonly [...Works],
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  const failing = new AbortController()
  const works = begin(failing.signal)
  for (const work of works) void work.catch(() => failing.abort())
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** Starts the parts. Returns a function that asks each to stop and waits for all. */
export function runParts(parts: readonly Part[], log: Log): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController()
  const running = parts.map(async ({ name, run }) => {
    try {
      await run(stopping.signal)
    } catch (error) {
      log.fatal({ part: name, error: messageOf(error) }, 'a part ended: the process must be started again')
      process.exitCode = 1
      process.kill(process.pid, 'SIGTERM')
    }
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** The signals that ask a process to stop. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** At a terminal Ctrl-C reaches us and npm, which sends it to us again: within this time both count as one Ctrl-C. */
const sameSignalMs = secondMs

/**
 * The first Ctrl-C, SIGTERM or SIGHUP: the promise resolves, and the signal is aborted. A later one ends the process
 * by exit(), which still stops our children. Without a handler, the signal would end only us and leave them running.
 */
export function untilTerminated(): { readonly promise: Promise<void>; readonly signal: AbortSignal } {
  const termination = new AbortController()
  let firstAt: number | undefined
  const promise = new Promise<void>((resolve) => {
    for (const name of endSignals)
      process.on(name, () => {
        firstAt ??= monotonicMs()
        if (monotonicMs() - firstAt > sameSignalMs) process.exit(1)
        termination.abort()
        resolve()
      })
  })
  return { promise, signal: termination.signal }
}

/** Longer than the longest request that does not wait for something (15 s), and longer than load balancers take to notice. */
export const usualDrainSeconds = 20

/**
 * Waits until the process is told to end, and then until its servers have ended. `usualSeconds`: how long the servers go on when the
 * settings do not say. A process that was told to end before it was ready has got no requests, so it ends at once.
 */
export async function untilEnd(
  { config, drain, log }: Core,
  { promise, signal }: ReturnType<typeof untilTerminated>,
  usualSeconds: number,
): Promise<void> {
  const given = config.VINTEM_DRAIN_SECONDS
  const seconds = signal.aborted ? 0 : given === '' ? usualSeconds : given
  await promise
  log.info({ seconds }, 'ending')
  await drain
    .run(seconds)
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'a server did not end well'))
}
