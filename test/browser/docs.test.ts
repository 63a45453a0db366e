// The documentation site in a browser that reaches nothing else: the search works, code is copied, the theme stays, and axe finds nothing.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openReference } from '#/app/pages.ts'
import { readConfig } from '#/config.ts'
import { silentLog } from '#/kernel/log.ts'
import { axeFindings } from './axe.ts'
import { sharedBrowser } from './shared-browser.ts'
import { fitsWidths } from './viewports.ts'

let server: FastifyInstance
let origin: string

before(async () => {
  server = Fastify()
  const config = readConfig({ VINTEM_REFERENCE: 'on' })
  const { decorate, begin } = await openReference({ config, log: silentLog })
  decorate(server)
  await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  begin()
  // Built beside the server.
  while ((await fetch(`${origin}/docs/`)).status === 503)
    await new Promise((resolve) => setTimeout(resolve, 100))
})
after(() => server.close())

type Opened = AsyncDisposable & { readonly page: Page; readonly urls: string[]; readonly faults: string[] }

async function open(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ viewport: { width: 1_320, height: 900 }, ...options })
  const urls: string[] = []
  const faults: string[] = []
  // Whatever a page asks of another host, it does not get.
  await context.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  )
  context.on('request', (request) => urls.push(request.url()))
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${origin}${path}`)
  await page.locator('h1').first().waitFor()
  return { page, urls, faults, [Symbol.asyncDispose]: () => context.close() }
}

test('a word is found by the search, its page opens at the place, and no request leaves the server', async () => {
  await using opened = await open('/docs')
  const { page, urls, faults } = opened
  await page.keyboard.press('/')
  await page.keyboard.type('repeated refund')
  await page.locator('#found a').first().waitFor()
  assert.match((await page.locator('#found [role=status]').textContent()) ?? '', /\d results?$/)
  await page.keyboard.press('ArrowDown')
  assert.equal(
    await page.evaluate('document.activeElement.getAttribute("href")'),
    await page.locator('#found a').first().getAttribute('href'),
  )
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname.startsWith('/docs/') && url.hash !== '')
  // It leads to the part of the page, which has the words.
  const { hash } = new URL(page.url())
  assert.match((await page.locator(`main ${hash}`).textContent()) ?? '', /refund|money back/i)
  await page.goto(`${origin}/docs/checkout`)
  await page.locator('main img').first().scrollIntoViewIfNeeded()
  await page.waitForFunction('document.querySelector("main img").naturalWidth > 0')
  assert.ok(urls.length > 8, `${urls.length} requests`)
  for (const url of urls)
    assert.ok(url.startsWith(`${origin}/`) || url.startsWith('data:'), `it asks for ${url}`)
  // Nothing was refused by the policy either.
  assert.deepEqual(faults, [])
})

test('a search without a result says so, and Escape closes it', async () => {
  await using opened = await open('/docs/start')
  const { page } = opened
  await page.locator('#search').fill('xyzzyplugh')
  await page.locator('#found').waitFor()
  assert.equal(await page.locator('#found [role=status]').textContent(), 'Nothing found')
  await page.keyboard.press('Escape')
  await page.locator('#found').waitFor({ state: 'hidden' })
})

test('the button copies the code as it is shown, and the chosen theme stays from page to page', async () => {
  await using opened = await open('/docs/start', { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, faults } = opened
  const block = page.locator('.code').nth(1)
  await block.hover()
  await block.locator('button').click()
  await block.getByText('Copied').waitFor()
  assert.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    await block.locator('code').textContent(),
  )
  const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const light = await paper()
  await page.getByRole('button', { name: 'Dark' }).click()
  const dark = await paper()
  assert.notEqual(dark, light)
  await page.goto(`${origin}/docs/webhooks`)
  assert.equal(await paper(), dark)
  await page.getByRole('button', { name: 'Light' }).waitFor()
  assert.deepEqual(faults, [])
})

test('a language that is chosen in one sample is shown in all, on the next page too', async () => {
  await using opened = await open('/docs/')
  const { page, faults } = opened
  const shown = async () => {
    const blocks = await page.locator('.languages .code:visible').all()
    return Promise.all(blocks.map((each) => each.getAttribute('data-language')))
  }
  assert.deepEqual(await shown(), ['sh'])
  await page.locator('.languages label', { hasText: 'Python' }).first().click()
  assert.deepEqual(await shown(), ['python'])
  await page.goto(`${origin}/docs/samples`)
  assert.deepEqual([...new Set(await shown())], ['python'])
  await page.locator('.languages label', { hasText: 'PHP' }).last().click()
  assert.deepEqual([...new Set(await shown())], ['php'])
  assert.deepEqual(faults, [])
})

test('without scripts a sample can be read in each language', async () => {
  await using opened = await open('/docs/samples', { javaScriptEnabled: false })
  const { page } = opened
  const first = page.locator('.languages').first()
  assert.equal(await first.locator('[data-language=ts]').isVisible(), false)
  await first.locator('label', { hasText: 'TypeScript' }).click()
  await first.locator('[data-language=ts]').waitFor()
  assert.equal(await first.locator('[data-language=sh]').isVisible(), false)
})

test('on a phone the search field is whole, and the mark and the menu stay', async () => {
  await using opened = await open('/docs/', { viewport: { width: 360, height: 700 } })
  const { page } = opened
  const box = await page.locator('#search').boundingBox()
  assert.ok(box !== null && box.width >= 140 && box.x + box.width <= 360, JSON.stringify(box))
  await page.locator('#search').fill('refund')
  await page.locator('#found a').first().waitFor()
  const found = await page.locator('#found').boundingBox()
  assert.ok(found !== null && found.x >= 0 && found.x + found.width <= 360, JSON.stringify(found))
})

test('without scripts every page is there to read, with its menu; on a phone a button opens the menu', async () => {
  await using opened = await open('/docs/start', {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  })
  const { page } = opened
  const link = page.locator('#menu').getByRole('link', { name: 'Webhooks', exact: true })
  assert.equal(await link.isVisible(), false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.waitForURL(`${origin}/docs/webhooks`)
  assert.equal(await page.locator('#menu [aria-current=page]').textContent(), 'Webhooks')
})

test('axe finds nothing on a page of prose, of code and of tables, in light and in dark, and they fit a phone', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const path of [
      '/docs/',
      '/docs/samples',
      '/docs/choosing-methods',
      '/docs/quick-answers',
      '/docs/guia',
      '/docs/integrating',
      '/docs/start',
      '/docs/webhooks',
      '/docs/problems',
      '/docs/no-such-page',
    ]) {
      await using opened = await open(path, { colorScheme, bypassCSP: true })
      assert.deepEqual(await axeFindings(opened.page), [], `${path}, ${colorScheme}`)
      if (colorScheme === 'light') await fitsWidths(opened.page, path)
    }
})

const key = 'vtm_test_a1key'

/** What the samples of a page show, once the page has asked for a key. */
async function samplesOf(from: string, path: string, apiKey: string): Promise<string> {
  const browser = await sharedBrowser()
  const context = await browser.newContext()
  try {
    // Stands for the answer to this machine in a sandbox; its own test is src/reference/serve.test.ts.
    await context.route(`${from}/reference/settings.json`, (route) => route.fulfill({ json: { apiKey } }))
    const page = await context.newPage()
    const asked = page.waitForResponse(`${from}/reference/settings.json`)
    await page.goto(from + path)
    await asked
    if (apiKey === key) await page.locator('.own-key').waitFor()
    return (await page.locator('.code code').allTextContents()).join('\n')
  } finally {
    await context.close()
  }
}

test('the samples have the address of the installation and the key of a sandbox, in every language', async () => {
  const shown = await samplesOf(origin, '/docs/samples', key)
  assert.doesNotMatch(shown, /\$API|\$KEY|127\.0\.0\.1:4000|env\.KEY|environ\["KEY"\]|getenv\('KEY'\)/)
  assert.ok(shown.includes(`curl -sS "${origin}/v1/payments" -H "apikey: ${key}"`))
  assert.ok(shown.includes(`const key = '${key}'`))
  assert.ok(shown.includes(`key = "${key}"`))
  assert.ok(shown.includes(`$key = '${key}';`))
})

test('no key of real money is shown, and no page or file that may be kept has a key', async () => {
  const shown = await samplesOf(origin, '/docs/samples', 'vtm_live_a1key')
  assert.doesNotMatch(shown, /vtm_live/)
  assert.ok(shown.includes('$KEY'))
  for (const path of ['/docs/samples', '/docs/samples.md', '/docs/search.json'])
    assert.doesNotMatch(await (await fetch(origin + path)).text(), /vtm_(?:test|live)_a1/)
})
