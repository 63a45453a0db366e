// What a browser measures while a page comes: the largest paint, and how much of what was shown already has moved.
import type { BrowserContext, Page } from 'playwright-core'

export type FirstView = {
  /** Milliseconds from the navigation to the largest paint. */
  readonly paintMs: number
  /** Cumulative layout shift, as the web vitals define it: the greatest sum of a window of shifts. */
  readonly shift: number
  /** What moved, for a person who looks for the cause. */
  readonly moved: readonly string[]
}

/** Before the pages of the context are opened. */
export async function measureViews(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    window.firstView = { paintMs: 0, shift: 0, moved: [] }
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) firstView.paintMs = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    // A window ends after a second without a shift, or after five seconds.
    let sum = 0, begin = 0, last = 0
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, startTime, sources } of list.getEntries()) {
        if (hadRecentInput) continue
        if (startTime - last > 1000 || startTime - begin > 5000) { sum = 0; begin = startTime }
        sum += value
        last = startTime
        firstView.shift = Math.max(firstView.shift, sum)
        for (const { node, previousRect, currentRect } of sources)
          firstView.moved.push([value.toFixed(4), node?.nodeName ?? '', (node?.textContent ?? '').slice(0, 40),
            JSON.stringify(previousRect), JSON.stringify(currentRect)].join(' '))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  `)
}

/** Since the page was opened, or loaded again. The browser reports a paint some time after it has painted: waits for the first report. */
export async function readView(page: Page): Promise<FirstView> {
  // A page behind another one may not paint.
  await page.bringToFront()
  await page.waitForFunction('firstView.paintMs > 0')
  return page.evaluate('firstView')
}

export type PageRequest = {
  readonly path: string
  /** Milliseconds after the page itself was asked for. */
  readonly atMs: number
  /** `parser`: the page names it; `script`: a script asked for it. */
  readonly by: string
  /** As they were sent, with the headers; 0 while the answer has not come. */
  readonly bytes: number
}

/** The requests of the page that is opened next, in their order. */
export async function watchRequests(page: Page): Promise<() => readonly PageRequest[]> {
  const session = await page.context().newCDPSession(page)
  const requests = new Map<string, { path: string; at: number; by: string; bytes: number }>()
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, initiator }) => {
    const { pathname, search } = new URL(request.url)
    requests.set(requestId, { path: pathname + search, at: timestamp, by: initiator.type, bytes: 0 })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = requests.get(requestId)
    if (one !== undefined) one.bytes = encodedDataLength
  })
  await session.send('Network.enable')
  return () => {
    const all = [...requests.values()]
    const [first] = all
    return all.map(({ at, ...each }) => ({ ...each, atMs: (at - (first?.at ?? at)) * 1_000 }))
  }
}
