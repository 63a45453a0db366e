// The page, its frame and the provider's script on another origin, in a browser that enforces our policies.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { loadCheckoutView } from '#/checkout/view.ts'
import { buildWebIfStale } from '../../web/build.ts'
import { clientSecret, openCheckoutWorld, type CheckoutWorld } from '../checkout-world.ts'
import { sharedBrowser } from './shared-browser.ts'

const root = join(import.meta.dirname, '../..')

let browser: Browser
before(async () => {
  await buildWebIfStale(root)
  browser = await sharedBrowser()
})

/** Stands in for the provider's script: it mounts a frame of its own origin, which reports when it is done. */
const script = `
  globalThis.Stripe = (key, { locale }) => ({
    async createEmbeddedCheckoutPage({ clientSecret, onComplete }) {
      const frame = document.createElement('iframe')
      frame.src = new URL('/inner?' + new URLSearchParams({ key, locale, clientSecret }), scriptOrigin)
      frame.style.cssText = 'border: 0; display: block; width: 100%; height: 512px'
      addEventListener('message', ({ origin, data }) => {
        if (origin === scriptOrigin && data === 'done') onComplete()
      })
      return { mount: (place) => place.append(frame) }
    },
  })
  const scriptOrigin = new URL(document.querySelector('script[src$="/script.js"]').src).origin`

const inner = `<!doctype html><title>inner</title><button id="pay">Pay</button><script>
  document.getElementById('pay').onclick = () => parent.postMessage('done', '*')</script>`

async function startProvider(): Promise<
  AsyncDisposable & { readonly origin: string; readonly requests: string[] }
> {
  const requests: string[] = []
  const server = http.createServer(({ url = '' }, response) => {
    requests.push(url)
    const isScript = url === '/script.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : url.startsWith('/inner') ? inner : '<!doctype html><h1>The provider</h1>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // Another host than 127.0.0.1, so another origin.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function open(
  world: CheckoutWorld,
  path: string,
  options = {},
): Promise<Page & { readonly complaints: string[] }> {
  const context = await browser.newContext({ locale: 'pt-BR', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(world.url + path)
  return Object.assign(page, { complaints })
}

test('the provider’s frame mounts and reports its height, and the server checks its "done", within our policies', async () => {
  await using provider = await startProvider()
  await using world = await openCheckoutWorld({ view: loadCheckoutView(join(root, 'web/dist')) })
  world.providers.origin = provider.origin
  const payment = await world.newPayment()
  const page = await open(world, world.path(payment))
  const frame = page.frameLocator('iframe').frameLocator('iframe')
  await frame.locator('#pay').waitFor()
  await page.waitForFunction(`document.querySelector('iframe')?.offsetHeight === 512`)
  const received = new URLSearchParams(
    provider.requests.find((url) => url.startsWith('/inner'))?.slice('/inner?'.length),
  )
  assert.equal(received.get('clientSecret'), clientSecret)
  assert.equal(received.get('locale'), 'pt-BR')
  // The frame's report does not change the page: the server queries the provider, and that changes it.
  world.providers.onCheck = () => world.change(payment, { status: 'PAID', receivedMinor: 1_000n })
  await frame.locator('#pay').click()
  await page.getByRole('heading', { name: 'Pagamento confirmado', exact: true }).waitFor()
  assert.equal(world.providers.checks, 1)
  assert.deepEqual(page.complaints, [])
  await page.context().close()
})

test('the link to the provider’s own page works, without JavaScript too', async () => {
  await using provider = await startProvider()
  await using world = await openCheckoutWorld({ view: loadCheckoutView(join(root, 'web/dist')) })
  world.providers.origin = provider.origin
  // With the provider's page in our page's policy, and without it.
  const elsewhere = provider.origin.replace('localhost', '127.0.0.1')
  for (const [javaScriptEnabled, hostedOrigin] of [
    [true, undefined],
    [true, elsewhere],
    [false, undefined],
    [false, elsewhere],
  ] as const) {
    world.providers.hostedOrigin = hostedOrigin
    const payment = await world.newPayment()
    const page = await open(world, world.path(payment), { javaScriptEnabled })
    await page.locator('form[action$="/provider"] button').click()
    await page.getByRole('heading', { name: 'The provider' }).waitFor()
    assert.deepEqual(page.complaints, [])
    await page.context().close()
  }
})
