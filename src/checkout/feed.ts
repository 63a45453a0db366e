// Keeps open pages current by server-sent events (HTML, 9.2). Every event carries the whole state, so a browser that missed some is
// current again with the next. One query serves all open pages of this process.
import type { FastifyReply } from 'fastify'
import { messageOf } from '#/kernel/error.ts'
import { startEventStream, type EventStream } from '#/kernel/event-stream.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { PageState } from './page-state.ts'
import type { PageVersion } from './queries.ts'
import { isRestless, refOf, type Snapshot } from './snapshot.ts'

export type FeedDeps = {
  readonly log: Log
  /** The versions of all these payments, in one cheap query: a new version means that the page may have changed. */
  readonly versions: (refs: readonly PaymentRef[]) => Promise<readonly PageVersion[]>
  readonly snapshots: (refs: readonly PaymentRef[]) => Promise<ReadonlyMap<PaymentId, Snapshot>>
  readonly stateOf: (snapshot: Snapshot, locale: Locale) => Promise<PageState>
  /** Called at each poll for a page that is still `preparing`, so that the caller can request what it lacks. */
  readonly onSnapshot: (snapshot: Snapshot, locale: Locale) => void
  readonly tickMs?: number
}

export type Feed = {
  /** Answers with a stream that lasts until nothing can change any more, or the browser disconnects. */
  join(reply: FastifyReply, snapshot: Snapshot, locale: Locale): Promise<void>
  /** Polls now. Reads this payment even if its version has not changed. */
  wake(paymentId?: PaymentId): void
  close(): void
}

/** The most streams of one payment (tabs of its payer), and of the process. */
const streamsOfOneMax = 8
const streamsMax = 10_000
/** The least time between two polls: each commit wakes the feed. */
const leastMs = 200
const pingEveryMs = 15 * secondMs

type Stream = { readonly events: EventStream; readonly locale: Locale; sent: string }

type OpenPage = {
  readonly ref: PaymentRef
  readonly streams: Set<Stream>
  version: string
  /** To be read at the next poll even if its version has not changed. */
  isDue: boolean
}

export function createFeed(deps: FeedDeps): Feed {
  const { log, tickMs = secondMs } = deps
  const pages = new Map<PaymentId, OpenPage>()
  const closing = new AbortController()
  let nap = new AbortController()
  let count = 0
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    let pingedAt = monotonicMs()
    while (pages.size > 0 && !closing.signal.aborted) {
      await sleep(leastMs, closing.signal)
      if (!nap.signal.aborted) await sleep(tickMs - leastMs, AbortSignal.any([closing.signal, nap.signal]))
      nap = new AbortController()
      await poll(deps, pages).catch((error: unknown) => {
        log.warn({ error: messageOf(error) }, 'open pages cannot be brought up to date')
      })
      if (monotonicMs() - pingedAt <= pingEveryMs) continue
      for (const { streams } of pages.values()) for (const { events } of streams) events.ping()
      pingedAt = monotonicMs()
    }
    isRunning = false
  }

  function enter(ref: PaymentRef, stream: Stream): void {
    const { paymentId } = ref
    const page = pages.get(paymentId) ?? { ref, streams: new Set(), version: '', isDue: true }
    pages.set(paymentId, page)
    page.streams.add(stream)
    // The payment may have changed since its first state was read, so the next poll reads it again.
    page.isDue = true
    count += 1
    stream.events.onEnd(() => {
      if (!page.streams.delete(stream)) return
      count -= 1
      if (page.streams.size === 0 && pages.get(paymentId) === page) pages.delete(paymentId)
    })
    if (!isRunning) void run()
  }

  return {
    async join(reply, snapshot, locale) {
      const { payment } = snapshot
      const tabs = pages.get(payment.id)?.streams.size ?? 0
      if (tabs >= streamsOfOneMax || count >= streamsMax || closing.signal.aborted) {
        const text = reply.code(429).header('retry-after', '30').type('text/plain; charset=utf-8')
        await text.send('Too many pages are open.\n')
        return
      }
      const state = await deps.stateOf(snapshot, locale)
      const stream = startStream(reply, locale)
      send(stream, state)
      if (state.isFinal) stream.events.end()
      else enter(refOf(payment), stream)
    },
    wake(paymentId) {
      const page = paymentId === undefined ? undefined : pages.get(paymentId)
      if (page !== undefined) page.isDue = true
      nap.abort()
    },
    close() {
      closing.abort()
      for (const { streams } of pages.values()) for (const { events } of streams) events.end()
      pages.clear()
    },
  }
}

type Pages = ReadonlyMap<PaymentId, OpenPage>

/** One cheap query of all pages, and one read of those that may have changed. */
async function poll(deps: FeedDeps, pages: Pages): Promise<void> {
  const versions = await deps.versions([...pages.values()].map(({ ref }) => ref))
  const due: OpenPage[] = []
  for (const { paymentId, version, opened } of versions) {
    const page = pages.get(paymentId)
    const current = `${version}/${opened}`
    if (page === undefined || (page.version === current && !page.isDue)) continue
    page.version = current
    page.isDue = false
    due.push(page)
  }
  if (due.length === 0) return
  try {
    const snapshots = await deps.snapshots(due.map(({ ref }) => ref))
    for (const page of due) {
      const snapshot = snapshots.get(page.ref.paymentId)
      if (snapshot !== undefined) await notify(deps, page, snapshot)
    }
  } catch (error) {
    // All of these pages are read again at the next poll. Streams that already have the state are skipped then.
    for (const page of due) page.isDue = true
    throw error
  }
}

async function notify(deps: FeedDeps, page: OpenPage, snapshot: Snapshot): Promise<void> {
  const states = new Map<Locale, PageState>()
  page.isDue ||= isRestless(snapshot)
  for (const stream of page.streams) {
    const state = states.get(stream.locale) ?? (await deps.stateOf(snapshot, stream.locale))
    states.set(stream.locale, state)
    if (state.step === 'preparing') {
      page.isDue = true
      deps.onSnapshot(snapshot, stream.locale)
    }
    // A stream that is behind gets the newest state later, when it accepts more.
    if (stream.events.isBehind()) page.isDue = true
    else send(stream, state)
    if (state.isFinal) stream.events.end()
  }
}

/** Takes the answer over from Fastify, which writes nothing to it from now on. */
function startStream(reply: FastifyReply, locale: Locale): Stream {
  reply.hijack()
  return { events: startEventStream(reply.raw, reply.getHeaders()), locale, sent: '' }
}

/** Sends the whole state if it differs from the last one that was sent; the server's time alone does not count. */
function send(stream: Stream, state: PageState): void {
  const content = JSON.stringify({ ...state, now: '' })
  if (stream.sent === content) return
  stream.sent = content
  stream.events.send(JSON.stringify(state), String(state.version))
}
