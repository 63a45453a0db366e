// Contenders run in processes of their own, so that none shares an event loop with what it is compared to. The parent
// says `open` once, `run` for each round, and `close`; a child whose parent is gone ends itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { must } from '#/kernel/check.ts'
import { sampleOf, type Sample } from './stats.ts'

export type Child = {
  /** What opening it answered. */
  readonly opened: unknown
  readonly pid: number
  run(spanMs: number): Promise<Sample>
  close(): Promise<void>
}

type Ask = { readonly open: unknown } | { readonly run: number } | { readonly close: true }
type Answer = { readonly ok: unknown } | { readonly failed: string }

/** Beyond the span of a round itself. Nothing takes so long unless it hangs. */
const patienceMs = 60_000

/** Starts the script, which calls `beChild`, and opens it. */
export async function startChild(script: string, options: unknown): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), { serialization: 'advanced' })
  const gone = once(child, 'exit')

  async function ask(question: Ask, spanMs = 0): Promise<unknown> {
    const late = AbortSignal.timeout(spanMs + patienceMs)
    const answered = once(child, 'message', { signal: late }) as Promise<[Answer]>
    const ended = gone.then(([code]) => [{ failed: `${script} ended with code ${code}` }] as const)
    child.send(question)
    const [answer] = await Promise.race([answered, ended])
    if ('failed' in answer) throw new Error(answer.failed)
    return answer.ok
  }

  return {
    opened: await ask({ open: options }),
    pid: must(child.pid, 'a child that answers has a number'),
    run: async (spanMs) => (await ask({ run: spanMs }, spanMs)) as Sample,
    async close() {
      if (child.connected) await ask({ close: true })
      await gone
    },
  }
}

export type Served = {
  /** What the parent is told. */
  readonly answer?: unknown
  run(spanMs: number): Promise<Sample>
  close(): Promise<void>
}

/** The child's side: does what the parent says. */
export function beChild(open: (options: never) => Promise<Served>): void {
  let served: Served | undefined
  const obey = async (question: Ask): Promise<unknown> => {
    if ('open' in question) {
      served = await open(question.open as never)
      return served.answer
    }
    if ('run' in question) return served?.run(question.run)
    await served?.close()
    setImmediate(() => process.exit(0))
    return undefined
  }
  process.on('message', (question: Ask) => {
    obey(question).then(
      (ok) => process.send?.({ ok }),
      (error: unknown) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(1))
}

/**
 * So many clients, each asking again as soon as it is answered, until the round is over. What is still asked then is waited
 * for and counts too, with the time that it takes.
 */
export async function drive(clients: number, spanMs: number, ask: () => Promise<unknown>): Promise<Sample> {
  const latencies: number[] = []
  const startedAt = performance.now()
  async function client(): Promise<void> {
    for (let askedAt = startedAt; askedAt < startedAt + spanMs;) {
      await ask()
      const now = performance.now()
      latencies.push(now - askedAt)
      askedAt = now
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return sampleOf(latencies, performance.now() - startedAt)
}
