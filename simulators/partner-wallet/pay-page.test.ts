import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { axeFindings } from '../../test/browser/axe.ts'
import { startBrowser } from '../../test/browser/chromium.ts'
import { examinedIn, viewports } from '../../test/browser/viewports.ts'
import { eventually } from '../../test/eventually.ts'
import type { Json } from '../kit/harness.ts'
import {
  fetchAnswer,
  startReceiver,
  startTestWallet,
  terms,
  type Merchant,
  type TestWallet,
} from './harness.ts'
import { coins, languageOf } from './pay-texts.ts'

let browser: Browser
let wallet: TestWallet
let shop: Merchant
before(async () => {
  wallet = await startTestWallet()
  shop = await wallet.merchant({ name: 'Padaria <São João> & Cia' })
  browser = await startBrowser()
})
after(async () => {
  await browser.close()
  await wallet[Symbol.asyncDispose]()
})

const create = async (amount = '10.00', more: Json = {}) =>
  String((await shop.data('/v3/order', terms(amount, more)))['prepayId'])
const act = (prepayId: string, action: string) => wallet.control(`orders/${prepayId}`, { action })
const statusOf = async (prepayId: string) => (await shop.data('/v2/order/query', { prepayId }))['status']

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(`${wallet.url}${path}`)
  return page
}
const pay = (prepayId: string, options: BrowserContextOptions = {}) => open(`/pay/${prepayId}`, options)

/** Every state that a payer can see, by name. */
async function states(): Promise<Readonly<Record<string, string>>> {
  const shops = { returnUrl: 'http://localhost:9/thanks', cancelUrl: 'http://localhost:9/basket' }
  const made = { open: await create('1234.5'), short: await create('0.00000001'), started: await create() }
  const over = {
    paid: await create('10', shops),
    refused: await create('10', shops),
    expired: await create(),
  }
  const refunded = await create('1234567.89', shops)
  await act(made.short, 'insufficient')
  await act(made.started, 'begin')
  await act(over.paid, 'confirm')
  await act(over.refused, 'refuse')
  await act(over.expired, 'expire')
  await act(refunded, 'confirm')
  await wallet.control('refunds', { mode: 'pending' })
  await shop.data('/order/refund', { refundRequestId: 'page', prepayId: refunded, refundAmount: '9' })
  await wallet.control('refunds/page', { outcome: 'succeed' })
  return { ...made, ...over, refunded, unknown: '1' }
}

test('axe finds nothing in any state, on a phone and on a desk', async () => {
  const orders = await states()
  const paths = {
    overview: '/',
    ...Object.fromEntries(Object.entries(orders).map(([name, id]) => [name, `/pay/${id}`])),
  }
  for (const [index, { colorScheme, width }] of viewports.entries()) {
    const viewport = { width, height: 800 }
    const page = await open('/', { colorScheme, viewport, bypassCSP: true, locale: 'pt-BR' })
    for (const [name, path] of examinedIn(index, Object.entries(paths))) {
      if (index >= 2 && name !== 'open' && name !== 'overview') continue
      await page.goto(`${wallet.url}${path}`)
      assert.deepEqual(await axeFindings(page), [], `${name} ${colorScheme} ${width}`)
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(wide, 0, `${name}: nothing sticks out at ${width}`)
      const folder = process.env['SCREENS']
      if (folder !== undefined)
        await page.screenshot({
          path: `${folder}/wallet-${name}-${colorScheme}-${width}.png`,
          fullPage: true,
        })
    }
    await page.context().close()
  }
})

test('the longest amount fits on a phone', async () => {
  const page = await pay(await create('999999999999.12345678'), { viewport: { width: 360, height: 800 } })
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
  await page.context().close()
})

test('a payer confirms, with and without JavaScript, and the merchant is notified', async () => {
  await using inbox = await startReceiver()
  for (const javaScriptEnabled of [true, false]) {
    const prepayId = await create('25.5', { webhookUrl: inbox.url, returnUrl: `${wallet.url}/` })
    const page = await pay(prepayId, { javaScriptEnabled, locale: 'pt-BR' })
    assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR')
    await page.getByText('Padaria <São João> & Cia').waitFor()
    await page.getByRole('button', { name: 'Confirmar 25,50 USDT' }).click()
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
    assert.equal(await statusOf(prepayId), 'PAID')
    await page.getByRole('link', { name: 'Voltar à loja' }).click()
    assert.equal(new URL(page.url()).pathname, '/')
    await page.context().close()
  }
  assert.equal((await inbox.until(2)).length, 2)
})

test('a payer refuses', async () => {
  const prepayId = await create()
  const page = await pay(prepayId, { locale: 'es' })
  await page.getByRole('button', { name: 'Rechazar' }).click()
  await page.getByRole('heading', { name: 'Rechazó este pago' }).waitFor()
  assert.equal(await statusOf(prepayId), 'CANCELED')
  await page.context().close()
})

test('a wallet with too little in it does not pay, and can pay later', async () => {
  await wallet.control('payer', { balance: '9.99' })
  const prepayId = await create('10')
  const page = await pay(prepayId, { locale: 'en' })
  await page.getByRole('button', { name: 'Confirm 10.00 USDT' }).click()
  await page.getByRole('status').getByText('Insufficient balance in your wallet').waitFor()
  assert.equal(await statusOf(prepayId), 'INITIAL')
  await wallet.control('payer', { balance: '10.00' })
  await page.getByRole('button', { name: 'Confirm 10.00 USDT' }).click()
  await page.getByRole('heading', { name: 'Payment confirmed' }).waitFor()
  await page.context().close()
})

test('the page counts down, and follows an order that ends while it is open', async () => {
  const prepayId = await create()
  const page = await pay(prepayId, { locale: 'en' })
  const left = await page.getByRole('timer').textContent()
  assert.match(left ?? '', /^(?:60:00|59:\d\d)$/)
  await eventually('it counts down', async () => (await page.getByRole('timer').textContent()) !== left)
  await shop.data('/order/close', { prepayId })
  await page.getByRole('heading', { name: 'The store closed this order' }).waitFor()
  await page.context().close()
})

test('a button pressed too late changes nothing, and the page shows the order’s state', async () => {
  const prepayId = await create()
  const page = await pay(prepayId, { javaScriptEnabled: false, locale: 'en' })
  await act(prepayId, 'expire')
  await page.getByRole('button', { name: 'Confirm 10.00 USDT' }).click()
  await page.getByRole('heading', { name: 'The time to pay has run out' }).waitFor()
  assert.equal(await statusOf(prepayId), 'EXPIRED')
  await page.context().close()
})

test('the page loads only its own files, and no inline script would run', async () => {
  const { headers, text, status } = await fetchAnswer(`${wallet.url}/pay/${await create()}`)
  const policy = headers.get('content-security-policy') ?? ''
  assert.equal(status, 200)
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:/)
  assert.doesNotMatch(text, /<São João>|style=|onclick=/)
  assert.equal((await fetchAnswer(`${wallet.url}/pay/1`)).status, 404)
})

test('the overview’s buttons act on orders', async () => {
  const [paid, refused] = [await create('7'), await create('8')]
  const page = await open('/')
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  const row = (prepayId: string) => page.locator('.rows > li', { hasText: prepayId })
  await row(paid).getByRole('button', { name: 'Pay 7.00 USDT' }).click()
  await row(paid).getByText('Paid', { exact: true }).waitFor()
  await row(refused).getByRole('button', { name: 'Refuse' }).click()
  await row(refused).getByText('Refused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Lose all' }).click()
  await page.getByRole('button', { name: 'Lose all', pressed: true }).waitFor()
  await wallet.control('webhooks', { mode: 'normal' })
  await page.getByRole('button', { name: 'Lose all', pressed: false }).waitFor()
  assert.equal(await statusOf(paid), 'PAID')
  assert.equal(await statusOf(refused), 'CANCELED')
  assert.deepEqual(faults, [])
  await page.context().close()
})

test('the payer’s language is taken from what the browser accepts', () => {
  assert.equal(languageOf('pt'), 'pt-BR')
  assert.equal(languageOf('de-DE,de;q=0.9,es;q=0.5,en;q=0.8'), 'en')
  assert.equal(languageOf('fr,es-MX;q=0.1'), 'es')
  assert.equal(languageOf('pt;q=0,es'), 'es')
  assert.equal(languageOf('de'), 'en')
  assert.equal(languageOf(undefined), 'en')
})

test('amounts are written exactly, with two to eight decimals', () => {
  assert.equal(coins('pt-BR', '999999999999.12345678'), '999.999.999.999,12345678 USDT')
  assert.equal(coins('en', '1234.50000000'), '1,234.50 USDT')
})
