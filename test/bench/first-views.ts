// `./vintem dev test/bench/first-views.ts`: how long a person waits on a slow connection and a slow phone. Pages of the dashboard in
// Chromium, with 150 ms of latency, 1.6 Mbit/s and a processor four times slower, without a cache: largest contentful paint and layout
// shift, medians of three.
import { must } from '#/kernel/check.ts'
import { startBrowser } from '../browser/chromium.ts'
import { fillDashboard } from '../browser/dashboard-filling.ts'
import { measureViews, readView, type FirstView } from '../browser/first-view.ts'
import { eventually } from '../eventually.ts'
import { createInstallation } from '../journeys/installation.ts'

const rounds = 3
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slower = 4
const sizes = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1440, height: 900 } },
} as const

await using installation = await createInstallation()
await installation.start()
await using browser = await startBrowser()
const sandbox = installation.sandbox()
const { signInUrl } = must(sandbox.dashboard, 'a dashboard')
const { origin } = new URL(signInUrl)
await eventually('the pages are built', async () => (await fetch(origin)).status === 200)
const person = await browser.newContext({ locale: 'en' })
const page = await person.newPage()
await page.goto(signInUrl)
await page.waitForURL(`**/m/${sandbox.merchantId}`)
const { merchant } = await fillDashboard(sandbox, page)
const storageState = await person.storageState()
await person.close()

const shop = `/m/${sandbox.merchantId}`
const views = [
  ['sign-in', '/sign-in', {}],
  ['overview', shop, { storageState }],
  ['payments', `${shop}/payments`, { storageState }],
  ['a payment', `${shop}/payments/${merchant['paymentId']}`, { storageState }],
] as const

console.log('| page | phone: paint ms | shift | desktop: paint ms | shift |\n|---|--:|--:|--:|--:|')
for (const [name, path, state] of views) {
  const cells: string[] = []
  for (const size of Object.values(sizes)) {
    const views: FirstView[] = []
    for (let round = 0; round < rounds; round++) views.push(await measureView(path, { ...size, ...state }))
    const shift = Math.max(...views.map((each) => each.shift))
    cells.push(String(Math.round(medianOf(views.map(({ paintMs }) => paintMs)))), shift.toFixed(3))
    if (process.env['SAY_WHAT_MOVED'] !== undefined) console.log(new Set(views.flatMap(({ moved }) => moved)))
  }
  console.log(`| ${[name, ...cells].join(' | ')} |`)
}

/** In a browser of its own, whose cache is empty. */
async function measureView(path: string, options: object): Promise<FirstView> {
  const context = await browser.newContext({ ...options, locale: 'en' })
  await measureViews(context)
  const tab = await context.newPage()
  const session = await context.newCDPSession(tab)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await tab.goto(origin + path)
  // All that comes, and whatever moves after it.
  await tab.getByRole('heading', { level: 1 }).first().waitFor()
  await tab.waitForTimeout(2_500)
  const view = await readView(tab)
  await context.close()
  return view
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
