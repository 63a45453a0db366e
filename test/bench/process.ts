// Contenders run in processes of their own, so that none shares an event loop with what it is compared to. The parent
// says `open` once, `run` for each round, and `close`; a child whose parent is gone ends itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sampleOf, type Sample } from './stats.ts'

export type Child = {
  /** What opening it answered. */
  readonly opened: unknown
  run(spanMs: number): Promise<Sample>
  close(): Promise<void>
}

type Ask = { readonly open: unknown } | { readonly run: number } | { readonly close: true }
type Answer = { readonly ok: unknown } | { readonly failed: string }

/** Starts the script, which calls `beChild`, and opens it. */
export async function startChild(script: string, options: unknown): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), { serialization: 'advanced', ...(process.env['BENCH_PROF'] ? { execArgv: ['--cpu-prof', '--cpu-prof-dir=/tmp/bench-scratch/prof'] } : {}) })
  const gone = once(child, 'exit')

  async function ask(question: Ask): Promise<unknown> {
    const answered = once(child, 'message') as Promise<[Answer]>
    child.send(question)
    const ended = gone.then(([code]) => [{ failed: `${script} ended with code ${code}` }] as const)
    const [answer] = await Promise.race([answered, ended])
    if ('failed' in answer) throw new Error(answer.failed)
    return answer.ok
  }

  return {
    opened: await ask({ open: options }),
    run: async (spanMs) => (await ask({ run: spanMs })) as Sample,
    async close() {
      if (child.connected) await ask({ close: true })
      await gone
    },
  }
}

export type Contender = {
  readonly answer?: unknown
  run(spanMs: number): Promise<Sample>
  close(): Promise<void>
}

/** The child's side: waits for the parent's word. */
export function beChild<Options>(open: (options: Options) => Promise<Contender>): void {
  let contender: Contender | undefined
  const obey = async (question: Ask): Promise<unknown> => {
    if ('open' in question) {
      contender = await open(question.open as Options)
      return contender.answer
    }
    if ('run' in question) return contender?.run(question.run)
    await contender?.close()
    setImmediate(() => process.exit(0))
    return undefined
  }
  process.on('message', (question: Ask) => {
    obey(question).then(
      (ok) => process.send?.({ ok }),
      (error: unknown) => process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(1))
}

/** So many clients, each asking again as soon as it is answered, for as long as the round lasts. */
export async function drive(clients: number, spanMs: number, ask: () => Promise<unknown>): Promise<Sample> {
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + spanMs
  async function client(): Promise<void> {
    for (let askedAt = performance.now(); askedAt < endsAt; ) {
      await ask()
      const now = performance.now()
      if (now <= endsAt) latencies.push(now - askedAt)
      askedAt = now
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return sampleOf(latencies, spanMs)
}
