// Contenders run in processes of their own, so that no contender shares an event loop with the one that it is compared to. The parent
// sends `open` once, `run` for each round, `set` between rounds, and `close`. A child whose parent is gone ends itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { must } from '#/kernel/check.ts'
import { boundGarbage } from '#/kernel/garbage.ts'
import { startFlags } from '../start-flags.ts'
import { sampleOf, type Sample } from './stats.ts'

export type Child = {
  /** What the child returned from `open`. */
  readonly opened: unknown
  readonly pid: number
  run(spanMs: number): Promise<Sample>
  /** Changes what the rounds to come measure. */
  set(value: number): Promise<void>
  close(): Promise<void>
}

type Request =
  | { readonly open: unknown }
  | { readonly run: number }
  | { readonly set: number }
  | { readonly close: true }
type Answer = { readonly ok: unknown } | { readonly failed: string }

/** Added to the span of a round. A child that takes longer hangs. */
const patienceMs = 60_000

/** Starts the script, which calls `beChild`, and opens it: with the flags of a process of the script's own release. */
export async function startChild(script: string, options: unknown): Promise<Child> {
  const place = new URL(script, import.meta.url)
  const execArgv = [...process.execArgv, ...startFlags(fileURLToPath(new URL('../..', place)))]
  const child = fork(place, { serialization: 'advanced', execArgv })
  const gone = once(child, 'exit')

  async function call(question: Request, spanMs = 0): Promise<unknown> {
    const late = AbortSignal.timeout(spanMs + patienceMs)
    const answered = once(child, 'message', { signal: late }) as Promise<[Answer]>
    const ended = gone.then(([code]) => [{ failed: `${script} ended with code ${code}` }] as const)
    child.send(question)
    const [answer] = await Promise.race([answered, ended])
    if ('failed' in answer) throw new Error(answer.failed)
    return answer.ok
  }

  return {
    opened: await call({ open: options }).catch((error: unknown) => {
      child.kill()
      throw error
    }),
    pid: must(child.pid, 'a child that answers has a number'),
    run: async (spanMs) => (await call({ run: spanMs }, spanMs)) as Sample,
    async set(value) {
      await call({ set: value })
    },
    async close() {
      // It may end before its answer is read.
      if (child.connected) await Promise.race([gone, call({ close: true })])
      await gone
    },
  }
}

export type Served = {
  /** The answer to the parent. */
  readonly answer?: unknown
  run(spanMs: number): Promise<Sample>
  set?(value: number): void
  close(): Promise<void>
}

/** The child's side: does what the parent requests. */
export function beChild<Options>(open: (options: Options) => Promise<Served>): void {
  boundGarbage()
  let served: Served | undefined
  const obey = async (question: Request): Promise<unknown> => {
    if ('open' in question) {
      served = await open(question.open as Options)
      return served.answer
    }
    if ('run' in question) return served?.run(question.run)
    if ('set' in question) return served?.set?.(question.set)
    await served?.close()
    setImmediate(() => process.exit(0))
    return undefined
  }
  process.on('message', (question: Request) => {
    obey(question).then(
      (ok) => process.send?.({ ok }),
      (error: unknown) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(1))
}

/**
 * Runs a number of clients until the round is over. Each client calls again as soon as its last call was answered. Calls that are still
 * running at the end are awaited; they count too, with the time that they take.
 */
export async function drive(clients: number, spanMs: number, call: () => Promise<unknown>): Promise<Sample> {
  const latencies: number[] = []
  const startedAt = performance.now()
  async function client(): Promise<void> {
    for (let sentAt = startedAt; sentAt < startedAt + spanMs;) {
      await call()
      const now = performance.now()
      latencies.push(now - sentAt)
      sentAt = now
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return sampleOf(latencies, performance.now() - startedAt)
}
