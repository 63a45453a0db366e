// The limits of the checkout's pages, as a whole installation serves them: their size, their speed, and which data each
// reader may see.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { soakTest } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import { choose, openJourneyWorld, says, watchConsoles } from './checkout-journey-world.ts'

const customer = {
  customerName: 'Zilda Quaresma',
  customerEmail: 'zilda.quaresma@example.com',
  customerTaxId: '52998224725',
}

/** Values that only the merchant may see. */
const secrets = { metadata: { orderId: 'meta-7f3a' }, webhookUrl: 'http://127.0.0.1:9/hook-7f3a' }

const world = openForTests(openJourneyWorld)
watchConsoles()

test('the served script and style fit their budgets, gzipped, and may be cached for ever', async (t) => {
  const { url } = await world.create()
  const html = await (await fetch(url)).text()
  const sizes = { js: 0, css: 0 }
  for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/(?:assets|t)\/[^"]+)"/g)) {
    const answer = await fetch(new URL(path, url))
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
    sizes[path.endsWith('.js') ? 'js' : 'css'] += gzipSync(Buffer.from(await answer.arrayBuffer())).length
  }
  t.diagnostic(`${sizes.js} bytes of script, ${sizes.css} bytes of style`)
  assert.ok(sizes.js > 1_000 && sizes.js <= 20 * 1024)
  assert.ok(sizes.css > 1_000 && sizes.css <= 8 * 1024)
})

// Measured beside five other files it would be repeated again and again. The quick run holds the budgets above.
soakTest(
  'the largest paint comes within 1.5 s at 150 ms, 1.6 Mbit/s and a quarter of the processor',
  async () => {
    const measured: number[] = []
    // Other work on this machine can only make it slower.
    while (measured.length < 6 && !measured.some((ms) => ms <= 1_500)) {
      const payment = await world.create()
      const page = await world.open('about:blank', {
        viewport: { width: 360, height: 740 },
        isMobile: true,
        hasTouch: true,
      })
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Network.enable')
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: 1_600_000 / 8,
        uploadThroughput: 750_000 / 8,
      })
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      await page.goto(payment.url)
      measured.push(
        await page.evaluate<number>(`new Promise((resolve) =>
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
          .observe({ type: 'largest-contentful-paint', buffered: true }))`),
      )
      await page.context().close()
    }
    assert.ok(Math.min(...measured) <= 1_500, `${measured.map(Math.round).join(', ')} ms`)
  },
)

test('tokens vary in every place beyond the first two, and each has 192 random bits', async () => {
  const tokens = await Promise.all(Array.from({ length: 40 }, async () => (await world.create()).token))
  assert.equal(new Set(tokens).size, tokens.length)
  // Two characters of the cell, and 32 of base64url, 6 bits each.
  for (const token of tokens) assert.match(token, /^[a-z0-9]{2}[\w-]{32}$/)
  for (let place = 2; place < 34; place++) {
    const found = new Set(tokens.map((token) => token[place]))
    // In one place, 40 random tokens use 30 of the 64 characters on average; 12 or fewer never happen by chance.
    assert.ok(found.size > 12, `place ${place}: ${[...found].join('')}`)
  }
})

test('a link that is not ours, or was cut short, ends on a page that says what to do', async () => {
  const { url } = await world.create()
  const forgives = / 404 /
  for (const wrong of [
    url.slice(0, -1),
    `${url}x`,
    url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  ]) {
    const page = await world.open(wrong, { forgives })
    await says(page, 'Pagamento não encontrado')
    await page.context().close()
    assert.equal((await fetch(`${wrong}/state`)).status, 404)
  }
  await world.examine(url.slice(0, -1), 'unknown')
})

test('no other site can put the page into a frame, and ours frames only the card form', async () => {
  const { url } = await world.create()
  await using elsewhere = await serve((port) => `<iframe src="${url}"></iframe><p>${port}</p>`)
  const page = await world.open(elsewhere.url, { forgives: /frame-ancestors|ERR_BLOCKED_BY_RESPONSE/ })
  const frame = page.frames()[1]
  assert.ok(frame !== undefined)
  await page.waitForLoadState('load')
  assert.equal(await frame.locator('#page').count(), 0)
  const { headers } = await fetch(url)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  await page.context().close()
})

async function serve(bodyOf: (port: number) => string): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>elsewhere</title>${bodyOf((server.address() as AddressInfo).port)}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    // Another host, so also another site.
    url: `http://localhost:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a payer sees no data of the merchant’s own: no metadata, webhook, wallet, fee, key or tax id', async () => {
  const payment = await world.create({ ...customer, ...secrets })
  const { body: wallets } = await world.api('GET', '/v1/wallets')
  const { apiKey, webhookSecret, merchantId } = world.installation.sandbox()
  const page = await world.open(payment.url)
  const walletIds = (wallets['data'] as readonly { readonly id: string }[]).map(({ id }) => id)
  assert.ok(walletIds.length > 0)
  const found: string[] = []
  page.on('response', (response) => {
    if (!response.url().includes('/events/'))
      void response.text().then(
        (text) => found.push(text),
        () => {},
      )
  })
  await page.reload()
  await choose(page, /^Pix/)
  await says(page, 'Pague com Pix')
  await world.pay(payment)
  await says(page, 'Pagamento confirmado')
  found.push(await page.content(), JSON.stringify(await world.stateOf(payment)))
  const all = found.join('\n')
  const hidden = [
    'meta-7f3a',
    'hook-7f3a',
    'webhookUrl',
    'walletId',
    'netAmount',
    '"fee"',
    customer.customerTaxId,
    apiKey,
    webhookSecret,
    merchantId,
    ...walletIds,
  ]
  assert.deepEqual(
    hidden.filter((each) => all.includes(each)),
    [],
  )
  await page.context().close()
})

test('while the bank is away the page says so and loses nothing; the log reports it without any data of the payer', async () => {
  const payment = await world.create(customer)
  const page = await world.open(payment.url, { forgives: / 422 / })
  const control = world.installation.sandbox().simulators.pixBank.controlUrl
  await fetch(`${control}/_sim/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'status', status: 503 }),
  })
  await choose(page, /^Pix/)
  await page.getByRole('alert').getByText('A processadora do pagamento não está respondendo.').waitFor()
  await world.examine(payment.url, 'provider-away')
  await fetch(`${control}/_sim/faults`, { method: 'DELETE' })
  await choose(page, /^Pix/)
  await says(page, 'Pague com Pix')
  await world.pay(payment)
  await says(page, 'Pagamento confirmado')
  await page.context().close()
  const output = world.installation.output()
  assert.match(output, /a payer could not choose a method/)
  for (const secret of [...Object.values(customer), 'Zilda', 'zilda', payment.token])
    assert.ok(!output.includes(secret), `the output contains ${secret}`)
})

test('a client that requests one page too often is asked to wait, on a page that leads back; other clients are not', async () => {
  const [busy, other] = [await world.create(), await world.create()]
  const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(`${busy.url}/state`)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0 && refused.length < 60)
  assert.ok(Number(refused[0]?.headers.get('retry-after')) >= 1)
  // Each second allows another request, so a slow browser would get the page.
  const askTooOften = (page: Page) =>
    page.route(busy.url, async (route) => {
      let answer = await route.fetch()
      while (answer.status() !== 429) answer = await route.fetch()
      await route.fulfill({ response: answer })
    })
  const page = await world.open('about:blank', { forgives: / 429 / })
  await askTooOften(page)
  await page.goto(busy.url)
  await says(page, 'Muitas tentativas')
  await world.examine(busy.url, 'too-many', askTooOften)
  assert.equal((await fetch(`${other.url}/state`)).status, 200)
  const back = page.getByRole('link', { name: 'Voltar ao pagamento' })
  assert.equal(new URL(String(await back.getAttribute('href')), page.url()).href, busy.url)
  await page.context().close()
})
