import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { PaymentId } from '#/kernel/id.ts'
import { axeFindings } from './axe.ts'
import { keepPicture } from './journey-picture.ts'
import { sharedBrowser } from './shared-browser.ts'
import { viewports } from './viewports.ts'
import {
  exampleDelivery,
  examplePayment,
  exampleWebhook,
  startWelcomeServer,
  type WelcomeServer,
} from './welcome-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

test('axe finds nothing, on a phone and on a desktop, full and empty', async () => {
  for (const { colorScheme, width } of viewports) {
    await using server = await startWelcomeServer()
    const page = await open(server, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true })
    assert.deepEqual(await axeFindings(page), [], `${colorScheme} ${width} empty`)
    fill(server)
    await page.getByText('12.34 USDT', { exact: true }).waitFor()
    await settled(page)
    await keepPicture(page, `welcome-${colorScheme}`)
    await page.locator('.rows summary').first().click()
    await page.locator('.more summary').click()
    assert.deepEqual(await axeFindings(page), [], `${colorScheme} ${width} full`)
    await page.context().close()
  }
})

test('using the page violates no policy of its own and logs no error', async () => {
  await using server = await startWelcomeServer()
  fill(server)
  const context = await browser.newContext({ permissions: ['clipboard-write'] })
  const page = await context.newPage()
  const faults: string[] = []
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()),
  )
  page.on('pageerror', (error) => faults.push(error.message))
  await page.addInitScript(`
    window.violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))
  `)
  await page.goto(server.url)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator('.rows summary').first().click()
  await page.getByRole('button', { name: 'Copy Your key' }).click()
  server.payments.unshift(examplePayment(1, { amountMinor: 777n }))
  await page.getByText('7.77 USDT', { exact: true }).waitFor()
  assert.deepEqual(faults, [])
  assert.deepEqual(await page.evaluate('violations'), [])
  // The counter-check: a violation of the policy is detected.
  await page.evaluate(`document.body.setAttribute('style', 'color: red')`)
  await page.waitForFunction('violations.length === 1')
  assert.equal(faults.length, 1)
  await context.close()
})

test('a change appears by itself, and opened or focused elements stay so', async () => {
  await using server = await startWelcomeServer()
  fill(server)
  const page = await open(server)
  const received = page.locator('section[aria-labelledby="webhooks"] .rows summary')
  const first = received.first()
  await first.click()
  await first.focus()
  const paid = server.payments[0]
  assert.ok(paid !== undefined)
  server.payments[0] = { ...paid, status: 'PAID' }
  server.webhooks.unshift(exampleWebhook(1, paid.id))
  await received.nth(3).waitFor()
  assert.equal(await page.getByText('Confirming').count(), 0)
  assert.equal(await page.locator('.rows details[open]').count(), 1)
  const opened = `document.querySelectorAll('.rows details')[1]`
  assert.equal(await page.evaluate(`${opened}.open`), true, 'the second is the one that was opened')
  assert.equal(await page.evaluate(`${opened}.querySelector('summary') === document.activeElement`), true)
  assert.equal(
    await page.getByText('Latest payment: 12.34 USDT, Paid').count(),
    1,
    'announced to screen readers',
  )
  await page.context().close()
})

test('the copy buttons copy what a machine needs and say so', async () => {
  await using server = await startWelcomeServer()
  const page = await open(server, { permissions: ['clipboard-read', 'clipboard-write'] })
  const button = page.getByRole('button', { name: 'Copy Create a payment' })
  await button.click()
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  assert.ok(copied.startsWith(`KEY=${server.sandbox.apiKey}\nAPI=`))
  assert.equal(copied, await page.locator('#step-1').textContent())
  await button.filter({ hasText: 'Copy' }).waitFor()
  await page.context().close()
})

test('where the clipboard is not available, the copy button selects the text instead', async () => {
  await using server = await startWelcomeServer()
  const page = await open(server)
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await page.getByRole('button', { name: 'Copy Your key' }).click()
  await page.getByText('Selected', { exact: true }).first().waitFor()
  assert.equal(await page.evaluate('String(getSelection())'), server.sandbox.apiKey)
  await page.context().close()
})

test('where streams are cut off, the page polls instead', async () => {
  await using server = await startWelcomeServer()
  const context = await browser.newContext()
  await context.route('**/sandbox/live', (route) => route.fulfill({ status: 503, body: 'no' }))
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByText('Live', { exact: true }).waitFor()
  server.payments.unshift(examplePayment(1, { amountMinor: 888n }))
  await page.getByText('8.88 USDT', { exact: true }).waitFor()
  await context.close()
})

test('without JavaScript the page is complete, shows no dead buttons, and is renewed by a link', async () => {
  await using server = await startWelcomeServer()
  const page = await open(server, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  assert.ok(await page.getByText(server.sandbox.apiKey).first().isVisible())
  assert.equal(await page.locator('button:visible').count(), 0)
  fill(server)
  await page.getByRole('link', { name: 'Refresh' }).click()
  assert.ok(await page.getByText('12.34 USDT', { exact: true }).isVisible())
  await page.locator('.rows summary').first().click()
  assert.ok(await page.getByText('"payment.completed"').first().isVisible())
  await page.context().close()
})

test('at 320 px nothing is cut off or scrolls sideways, and every element to press is at least 44 px high', async () => {
  await using server = await startWelcomeServer()
  fill(server)
  const page = await open(server, { viewport: { width: 320, height: 700 } })
  await page.locator('.more summary').click()
  await page.locator('.rows summary').first().click()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
  for (const target of await page.locator('button, summary').all()) {
    const box = await target.boundingBox()
    assert.ok(box !== null && box.height >= 44 && box.width >= 44, await target.innerText())
  }
  await page.context().close()
})

test('with reduced motion nothing moves', async () => {
  await using server = await startWelcomeServer()
  fill(server)
  const moving = await open(server)
  const still = await open(server, { reducedMotion: 'reduce' })
  const animation = (page: Page) =>
    page.evaluate(`getComputedStyle(document.querySelector('.rows > li')).animationName`)
  assert.equal(await animation(moving), 'arrive')
  assert.equal(await animation(still), 'none')
  for (const page of [moving, still]) await page.context().close()
})

async function open(server: WelcomeServer, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(server.url)
  if (options.javaScriptEnabled !== false) await page.getByText('Live', { exact: true }).waitFor()
  return page
}

/** Every kind of row, with fixed ids, so that a new picture differs only where the page does. */
function fill({ payments, webhooks, deliveries }: WelcomeServer): void {
  const id = (end: string) => `019aa4c1-7f3e-7c52-9d0b-52a1c7e0${end}` as PaymentId
  payments.push(
    examplePayment(3, { id: id('4b05'), seenMinor: 1234n, amountMinor: 1234n }),
    examplePayment(48, { id: id('4b04'), status: 'PAID', amountMinor: 100_000n, receivedMinor: 100_000n }),
    examplePayment(180, { id: id('4b03'), receivedMinor: 800n, exceptions: ['UNDERPAID'] }),
    examplePayment(220, {
      id: id('4b06'),
      status: 'PAID',
      currency: 'BRL',
      amountMinor: 4_990n,
      receivedMinor: 9_980n,
      refundedMinor: 4_990n,
      exceptions: ['DUPLICATE'],
    }),
    examplePayment(400, { id: id('4b02'), status: 'PAID', receivedMinor: 1100n, exceptions: ['OVERPAID'] }),
    examplePayment(4_000, { id: id('4b01'), status: 'EXPIRED' }),
  )
  webhooks.push(
    exampleWebhook(46, id('4b04')),
    exampleWebhook(395, id('4b02')),
    exampleWebhook(800, id('4b02'), { verified: false }),
  )
  deliveries.push(
    exampleDelivery(46, id('4b04')),
    exampleDelivery(180, id('4b03'), {
      type: 'payment.underpaid',
      status: 'DELIVERED',
      attempts: [
        { at: new Date('2026-11-21T14:00:20.000Z'), durationMs: 12, responseStatus: 200, error: null },
      ],
    }),
  )
}

/** Waits for the end of the new rows' animation, before colours are measured and pictures taken. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => {})')
}
