// The runner of work that has no claims: what it does may be done twice at the same time, because each piece decides in its own transaction
// whether it is still to be done.
import type { IsDue } from '#/db/due.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs } from '#/kernel/time.ts'
import { createWakeUp } from '#/kernel/wake-up.ts'
import type { DueWorker } from './worker.ts'

export type Polling = {
  /** In the log. */
  readonly name: string
  readonly log: Log
  /** Does what is due, up to a limit, and returns how much that was. */
  readonly poll: () => Promise<number>
  /** What the glance asks for it. Absent: it polls by itself. */
  readonly isDue?: IsDue
  /** How often to poll without a wake-up. Default: 1 s. */
  readonly pollMs?: number
}

export type Poller = Pick<DueWorker, 'run' | 'wake'> & { readonly isDue: IsDue | undefined }

/** Polls again without a pause while there was something to do. A poll that fails is tried again after the pause. */
export function createPoller({ name, log, poll, isDue, pollMs = secondMs }: Polling): Poller {
  const wakeUp = createWakeUp()
  return {
    isDue,
    wake: wakeUp.wake,
    async run(signal, restMs = pollMs) {
      signal.addEventListener('abort', wakeUp.wake, { once: true })
      while (!signal.aborted) {
        wakeUp.reset()
        const found = await poll().catch((error: unknown) => {
          log.warn({ part: name, error: messageOf(error) }, 'cannot poll for work')
          return 0
        })
        if (found === 0 && !signal.aborted) await wakeUp.wait(restMs)
      }
    },
  }
}
