// Keeps a page at what is true: a stream of whole states, and questions where streams are cut off.
import type { PageState } from '#/checkout/page-state.ts'

const firstWaitMs = 2_000
const longestWaitMs = 30_000
/** Browsers know no longer spans, and would end a longer one at once. */
const longestTimerMs = 2 ** 31 - 1

export type Follower = {
  /** Asks the server to ask the provider: the payer says that it is done there. */
  readonly check: () => void
}

/**
 * Calls `show` with every state newer than the one before, until one is final, and again whenever the page is cut off or no
 * longer is: when the browser says so, or a question has failed while no stream is open. While the stream is not open, because something
 * on the way refuses, cuts or swallows it, `/state` is asked every 2 s, and after 2 s, 4 s, … at most 30 s while there is no answer; while it
 * is open every 30 s, because something on the way may keep back what it carries. A tab that comes to the front asks once: phones put tabs to
 * sleep while another app is open.
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
  const take = (text: string): void => {
    const next = JSON.parse(text) as PageState
    const newerMs = Date.parse(next.now) - Date.parse(current.now)
    if (next.version < current.version || newerMs < 0) return
    if (next.version === current.version && newerMs === 0) return
    current = next
    show(next, isCut)
    if (next.isFinal) stop()
    else deadline.watch(next)
  }
  const ask = async (query = ''): Promise<boolean> => {
    try {
      const answer = await fetch(current.links.state + query, { cache: 'no-store' })
      reach(answer.status < 500)
      if (answer.ok) take(await answer.text())
      return answer.ok
    } catch {
      reach(isStreaming && navigator.onLine)
      return false
    }
  }
  const check = () => void ask('?check=1')
  if (first.isFinal) return { check }

  const poll = startablePoll(() => ask())
  const stream = openStream(first.links.events, take, poll)
  stream.addEventListener('open', () => {
    isStreaming = true
    reach(true)
  })
  stream.addEventListener('error', () => {
    isStreaming = false
  })
  const endWatch = onNetwork((isThere) => {
    if (isThere) void ask()
    else reach(false)
  })
  const deadline = deadlineWatch(check)
  const endWakes = onWake(() => void ask())
  const stop = (): void => {
    stream.close()
    for (const end of [poll.stop, deadline.stop, endWakes, endWatch]) end()
  }
  deadline.watch(first)
  return { check }
}

/** Browsers open a stream that broke again by themselves, and may try for ever. */
function openStream(url: string, take: (text: string) => void, poll: Poll): EventSource {
  const stream = new EventSource(url)
  poll.often()
  const onState = ({ data }: MessageEvent<string>) => take(data)
  stream.addEventListener('message', onState)
  stream.addEventListener('state', onState)
  stream.addEventListener('open', poll.seldom)
  stream.addEventListener('error', poll.often)
  return stream
}

type Poll = { readonly often: () => void; readonly seldom: () => void; readonly stop: () => void }

/** Asks again and again. `often`: more and more seldom while there is no answer. */
function startablePoll(ask: () => Promise<boolean>): Poll {
  let timer: number | undefined
  let state: 'often' | 'seldom' | 'over' | undefined
  /** An answer that comes when another round has begun begins none of its own. */
  let round = 0
  const next = (waitMs: number): void => {
    const own = ++round
    timer = window.setTimeout(async () => {
      const isAnswered = await ask()
      if (own !== round) return
      if (state === 'often') next(isAnswered ? firstWaitMs : Math.min(2 * waitMs, longestWaitMs))
      else next(longestWaitMs)
    }, waitMs)
  }
  const begin = (as: 'often' | 'seldom', waitMs: number) => () => {
    if (state === as || state === 'over') return
    state = as
    clearTimeout(timer)
    next(waitMs)
  }
  return {
    often: begin('often', firstWaitMs),
    seldom: begin('seldom', longestWaitMs),
    stop: () => {
      state = 'over'
      round += 1
      clearTimeout(timer)
    },
  }
}

/** Nothing need arrive at the moment when the time is over: the page asks what has become of the payment. */
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

/** When the device loses its network, and has one again. Answers how to end it. */
function onNetwork(tell: (isThere: boolean) => void): () => void {
  const onChange = ({ type }: Event) => tell(type === 'online')
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** When the tab comes to the front, or back out of the browser's memory. Answers how to end it. */
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
