// Running the parts of a process, and ending them in the order in which they must end.
import type { Part } from '#/app-work.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'

/** Things to end, the last opened first. One that fails does not keep the others open. */
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
 * Begins works side by side. When one fails the others are told by the signal, and all are waited for, so that the closer knows
 * whatever came up before anything is ended. Rejects as the first in their order that failed.
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

/** Starts the parts. Answers how to end them: each is told, and waited for. */
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

/** How a process is told to end. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** At a terminal Ctrl-C reaches us and npm, which hands it on to us once more: within this time that is one Ctrl-C. */
const sameTellingMs = secondMs

/**
 * The first Ctrl-C, SIGTERM or SIGHUP: the promise resolves, and the signal is aborted. One that comes later ends the process
 * by exit(), which still tells our children to end. A signal that nobody listens to would end us alone, and leave them.
 */
export function untilTerminated(): { readonly promise: Promise<void>; readonly signal: AbortSignal } {
  const told = new AbortController()
  let notifiedAt: number | undefined
  const promise = new Promise<void>((resolve) => {
    for (const name of endSignals)
      process.on(name, () => {
        notifiedAt ??= monotonicMs()
        if (monotonicMs() - notifiedAt > sameTellingMs) process.exit(1)
        told.abort()
        resolve()
      })
  })
  return { promise, signal: told.signal }
}
