// Keeps a page current: by a stream of whole states, and by polls where streams are cut off.
import type { PageState } from '#/checkout/page-state.ts'

const firstWaitMs = 2_000
const longestWaitMs = 30_000
/** The longest timer of browsers: a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1

export type Follower = {
  /** Makes the server query the provider: the payer reports to have finished there. */
  readonly check: () => void
}

/**
 * Calls `show` with every state that is newer than the state before, until a state is final. Also calls `show` when the page loses its
 * connection or has it again. The connection is lost when the browser says so, or when a poll fails while no stream is open.
 *
 * Polls of `/state`:
 * - While the stream is not open, because a proxy refuses, cuts or blocks it: every 2 s, and without an answer after 2 s, 4 s, … up to
 *   30 s.
 * - While the stream is open: every 30 s, because a proxy may hold back its events.
 * - When a tab comes to the front: once, because phones suspend tabs while another app is open.
 */
export function follow(first: PageState, show: (state: PageState, isCut: boolean) => void): Follower {
  let current = first
  let isCut = false
  let isStreaming = false
  const reach = (isReached: boolean): void => {
    if (isCut === !isReached || current.isFinal) return
    isCut = !isReached
    show(current, isCut)
  }
  const accept = (text: string): void => {
    const next = JSON.parse(text) as PageState
    const newerMs = Date.parse(next.now) - Date.parse(current.now)
    if (next.version < current.version || newerMs < 0) return
    if (next.version === current.version && newerMs === 0) return
    current = next
    show(next, isCut)
    if (next.isFinal) stop()
    else deadline.watch(next)
  }
  const request = async (query = ''): Promise<boolean> => {
    try {
      const answer = await fetch(current.links.state + query, { cache: 'no-store' })
      reach(answer.status < 500)
      if (answer.ok) accept(await answer.text())
      return answer.ok
    } catch {
      reach(isStreaming && navigator.onLine)
      return false
    }
  }
  const check = () => void request('?check=1')
  if (first.isFinal) return { check }

  const poll = startablePoll(() => request())
  const stream = openStream(first.links.events, accept, poll)
  stream.addEventListener('open', () => {
    isStreaming = true
    reach(true)
  })
  stream.addEventListener('error', () => {
    isStreaming = false
  })
  const endWatch = onNetwork((isThere) => {
    if (isThere) void request()
    else reach(false)
  })
  const deadline = deadlineWatch(check)
  const endWakes = onWake(() => void request())
  const stop = (): void => {
    stream.close()
    for (const end of [poll.stop, deadline.stop, endWakes, endWatch]) end()
  }
  deadline.watch(first)
  return { check }
}

/** Browsers reopen a broken stream by themselves, and may go on trying for ever. */
function openStream(url: string, accept: (text: string) => void, poll: Poll): EventSource {
  const stream = new EventSource(url)
  poll.often()
  const onState = ({ data }: MessageEvent<string>) => accept(data)
  stream.addEventListener('message', onState)
  stream.addEventListener('state', onState)
  stream.addEventListener('open', poll.seldom)
  stream.addEventListener('error', poll.often)
  return stream
}

type Poll = { readonly often: () => void; readonly seldom: () => void; readonly stop: () => void }

/** Polls repeatedly. `often`: at growing intervals while there is no answer. */
function startablePoll(request: () => Promise<boolean>): Poll {
  let timer: number | undefined
  let state: 'often' | 'seldom' | 'over' | undefined
  /** An answer that arrives when a newer round has started starts no further poll. */
  let round = 0
  const next = (waitMs: number): void => {
    const ownRound = ++round
    timer = window.setTimeout(async () => {
      const isAnswered = await request()
      if (ownRound !== round) return
      if (state === 'often') next(isAnswered ? firstWaitMs : Math.min(2 * waitMs, longestWaitMs))
      else next(longestWaitMs)
    }, waitMs)
  }
  const start = (as: 'often' | 'seldom', waitMs: number) => () => {
    if (state === as || state === 'over') return
    state = as
    clearTimeout(timer)
    next(waitMs)
  }
  return {
    often: start('often', firstWaitMs),
    seldom: start('seldom', longestWaitMs),
    stop: () => {
      state = 'over'
      round += 1
      clearTimeout(timer)
    },
  }
}

/** No event need arrive at the deadline: the page polls the state of the payment then. */
function deadlineWatch(check: () => void): {
  readonly watch: (state: PageState) => void
  readonly stop: () => void
} {
  let timer: number | undefined
  const stop = () => clearTimeout(timer)
  const watch = ({ expires, now }: PageState): void => {
    stop()
    if (expires === undefined) return
    const leftMs = Date.parse(expires.at) - Date.parse(now)
    if (leftMs > 0 && leftMs < longestTimerMs - 500) timer = window.setTimeout(check, leftMs + 500)
  }
  return { watch, stop }
}

/** Calls back when the device loses its network, and when it has one again. Returns a function that stops this. */
function onNetwork(notify: (isThere: boolean) => void): () => void {
  const onChange = ({ type }: Event) => notify(type === 'online')
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Calls back when the tab comes to the front, or back from the browser's cache. Returns a function that stops this. */
function onWake(wake: () => void): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') wake()
  }
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) wake()
  }
  document.addEventListener('visibilitychange', onVisible)
  addEventListener('pageshow', onShow)
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    removeEventListener('pageshow', onShow)
  }
}
