// Events in their order, without gaps and without a public address: docs/events.md.
import { pause, type CallOptions } from './call.ts'
import { VintemConnectionError, VintemProblem } from './errors.ts'
import type { EventType, Open, WebhookEvent } from './generated/types.ts'

export type FollowOptions = {
  /** The position up to which you have read: `sequence` of the last event that you handled, or `readTo`. 0 is before the first one. */
  readonly after: number
  /** Only these types. Default: all. */
  readonly types?: readonly Open<EventType>[]
  /** Ends the iteration. */
  readonly signal?: AbortSignal
  /** Seconds that the service may wait for an event before it answers, at most 30. */
  readonly waitSeconds?: number
  /** Events in one answer, at most 100. */
  readonly limit?: number
}

/** Events that were read together. Store `readTo` in the transaction of their effects, and begin there the next time. */
export type EventBatch = {
  readonly events: readonly WebhookEvent[]
  readonly readTo: number
}

export type ReadEvents = (
  query: { readonly after: number; readonly wait: number; readonly limit: number; readonly types?: string },
  options: CallOptions,
) => Promise<{ readonly data: readonly unknown[]; readonly readTo: number }>

const pauseMs = 1_000

/**
 * Yields every event once, in the order of `sequence`, and waits for the next ones until the signal aborts. A request without an answer is
 * sent again, without a limit. A refusal (a wrong key, a missing scope) is thrown.
 */
export async function* follow(
  read: ReadEvents,
  options: FollowOptions,
): AsyncGenerator<WebhookEvent, void, void> {
  for await (const { events } of followBatches(read, options)) yield* events
}

/** The same in batches, which are never empty: for effects that are written with the position in one transaction. */
export async function* followBatches(
  read: ReadEvents,
  { after, types, signal, waitSeconds = 30, limit = 100 }: FollowOptions,
): AsyncGenerator<EventBatch, void, void> {
  let position = after
  for (;;) {
    if (signal?.aborted === true) return
    const query = {
      after: position,
      wait: waitSeconds,
      limit,
      ...(types === undefined ? {} : { types: types.join(',') }),
    }
    const page = await readPage(read, query, signal)
    if (page === undefined) continue
    position = page.readTo
    if (page.data.length > 0) yield { events: page.data as readonly WebhookEvent[], readTo: page.readTo }
  }
}

/** One answer; undefined when there was none, or when the iteration was ended. */
async function readPage(
  read: ReadEvents,
  query: Parameters<ReadEvents>[0],
  signal: AbortSignal | undefined,
): Promise<Awaited<ReturnType<ReadEvents>> | undefined> {
  try {
    return await read(query, {
      timeoutMs: (query.wait + 15) * 1_000,
      maxRetries: 0,
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) return undefined
    if (!isPassing(error)) throw error
    const waitMs = error instanceof VintemProblem ? (error.retryAfterMs ?? pauseMs) : pauseMs
    await pause(waitMs * (1 + Math.random() / 4), signal).catch(() => {})
    return undefined
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof VintemProblem) return error.status === 429 || error.status >= 500
  return error instanceof VintemConnectionError
}
