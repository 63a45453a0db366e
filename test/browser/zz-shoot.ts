import { startBrowser } from './chromium.ts'
import { startWelcomeServer, examplePayment, exampleWebhook } from './welcome-server.ts'
await using server = await startWelcomeServer()
const ids = [1,2,3,4].map(() => examplePayment(0,{}).id)
server.payments.push(
  examplePayment(4, { seenMinor: 1234n, amountMinor: 1234n }),
  examplePayment(48, { status: 'PAID', amountMinor: 100000n, receivedMinor: 100000n, id: ids[0]! }),
  examplePayment(180, { status: 'WAITING_PAYMENT', receivedMinor: 800n }),
  examplePayment(400, { status: 'PAID', amountMinor: 1000n, exceptions: ['OVERPAID'], id: ids[1]! }),
  examplePayment(4000, { status: 'EXPIRED' }),
)
server.webhooks.push(exampleWebhook(46, ids[0]!), exampleWebhook(395, ids[1]!), exampleWebhook(800, ids[1]!, { verified: false }))
const browser = await startBrowser()
for (const scheme of ['light', 'dark'] as const) for (const width of [360, 1280]) {
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 800 }, deviceScaleFactor: 1.5 })
  page.on('console', (m) => console.log(m.type(), m.text()))
  page.on('pageerror', (e) => console.log(e))
  await page.goto(server.url)
  await page.waitForTimeout(800)
  await page.screenshot({ path: `/tmp/shots/${scheme}-${width}.png`, fullPage: true })
  await page.locator('.rows summary').first().click(); await page.locator('.more summary').click(); await page.locator('.copy').nth(1).click(); await page.screenshot({ path: `/tmp/shots/open-${scheme}-${width}.png`, fullPage: true })
  await page.close()
}
await browser.close()
