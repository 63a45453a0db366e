// The limits of the payer's page: its size, and its speed on a slow phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { stateOf } from './gallery-states.ts'
import { sharedBrowser } from './shared-browser.ts'
import { loadWeb, startViewServer, type ViewServer } from './view-server.ts'

const budget = { scriptBytes: 20 * 1024, styleBytes: 8 * 1024, largestPaintMs: 1_500 }

test('script and style fit their budgets, gzipped', async (t) => {
  const { files, script, style } = await loadWeb()
  const size = (name: string) => gzipSync(files.get(name)?.body ?? '', { level: 9 }).length
  t.diagnostic(`script ${size(script)} bytes, style ${size(style)} bytes`)
  assert.ok(size(script) > 1_000 && size(script) <= budget.scriptBytes)
  assert.ok(size(style) > 1_000 && size(style) <= budget.styleBytes)
})

test('the page requests only one script and the styles, all from our own origin', async () => {
  const browser = await sharedBrowser()
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await browser.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.resourceType()} ${new URL(request.url()).origin}`))
  await page.goto(server.url)
  await server.opened()
  const { origin } = new URL(server.url)
  assert.ok(requests.every((each) => each.endsWith(` ${origin}`) || each.startsWith('other ')))
  assert.deepEqual(
    requests.filter((each) => !/^(?:eventsource|other) /.test(each)).toSorted(),
    ['document', 'script', 'stylesheet', 'stylesheet'].map((type) => `${type} ${origin}`),
  )
  await page.close()
})

test('the largest paint comes within 1.5 s at 150 ms, 1.6 Mbit/s and a quarter of the processor', async (t) => {
  const browser = await sharedBrowser()
  await using server = await startViewServer(stateOf('waiting-pix'))
  // Other work on this machine can only make it slower.
  const measured: number[] = []
  while (measured.length < 5 && !measured.some((ms) => ms <= budget.largestPaintMs))
    measured.push(await largestPaintMs(browser, server))
  t.diagnostic(`${measured.map(Math.round).join(', ')} ms`)
  assert.ok(Math.min(...measured) <= budget.largestPaintMs)
})

async function largestPaintMs(browser: Browser, server: ViewServer): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(server.url)
  await server.opened()
  const ms = await page.evaluate<number>(`new Promise((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true }))`)
  await context.close()
  return ms
}
