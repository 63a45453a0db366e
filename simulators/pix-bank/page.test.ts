import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { axeFindings } from '../../test/browser/axe.ts'
import { startBrowser } from '../../test/browser/chromium.ts'
import { examinedIn, viewports } from '../../test/browser/viewports.ts'
import { eventually } from '../../test/eventually.ts'
import type { Json } from '../kit/harness.ts'
import {
  connect,
  freshTxid,
  startTestBank,
  terms,
  type Client,
  type Credentials,
  type TestBank,
} from './harness.ts'

let browser: Browser
let bank: TestBank
let shop: Credentials
let client: Client
before(async () => {
  bank = await startTestBank()
  shop = await bank.application({ name: 'Padaria <São João> & Cia' })
  client = await connect(bank.apiUrl, shop)
  browser = await startBrowser()
})
after(async () => {
  await browser.close()
  await client[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

async function charge(original: string, more: Json = {}): Promise<string> {
  const txid = freshTxid()
  await client.call('PUT', `/v2/cob/${txid}`, terms(shop, original, more))
  return txid
}

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(bank.controlUrl)
  return page
}

const rowOf = (page: Page, txid: string) => page.locator('.rows > li', { hasText: txid })

async function valuesOf(txid: string): Promise<readonly unknown[]> {
  const { body } = await client.call('GET', `/v2/cob/${txid}`)
  return ((body['pix'] ?? []) as readonly Json[]).map(({ valor }) => valor)
}

const paid = (txid: string, count: number) =>
  eventually(`${count} payments of ${txid}`, async () => {
    const values = await valuesOf(txid)
    return values.length >= count && values
  })

test('axe finds nothing, on a phone and on a desk, empty and full', async () => {
  for (const isFull of [false, true]) {
    if (isFull) {
      await charge('25.50')
      await charge('9.00', { calendario: { expiracao: 1 } })
      const removed = await charge('3.00')
      await client.call('PATCH', `/v2/cob/${removed}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
      const txid = await charge('1234.50')
      const { body } = await bank.control('POST', '/_sim/pay', { txid })
      const [pix] = body['pix'] as readonly Json[]
      const back = { endToEndId: pix?.['endToEndId'], amount: '1.00', outcome: 'EM_PROCESSAMENTO' }
      await bank.control('POST', '/_sim/med', back)
      await bank.control('POST', '/_sim/webhooks', { repeat: 2 })
    }
    for (const { colorScheme, width } of examinedIn(isFull ? 0 : 1, viewports)) {
      const page = await open({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true })
      for (const summary of await page.locator('summary').all()) await summary.click()
      assert.deepEqual(await axeFindings(page), [], `${colorScheme} ${width} ${isFull}`)
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(wide, 0, `nothing sticks out at ${width}`)
      const folder = process.env['SCREENS']
      if (folder !== undefined)
        await page.screenshot({
          path: `${folder}/pix-bank-${colorScheme}-${width}-${isFull}.png`,
          fullPage: true,
        })
      await page.context().close()
    }
  }
})

test('charges are paid in every way by buttons, and the page keeps itself current', async () => {
  const page = await open()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  const [once, twice, other, late] = [
    await charge('25.50'),
    await charge('10.00'),
    await charge('10.00'),
    await charge('7.00'),
  ]
  await rowOf(page, once).getByRole('button', { name: 'Pay R$ 25,50' }).click()
  await rowOf(page, once).getByText('Paid', { exact: true }).waitFor()
  assert.deepEqual(await paid(once, 1), ['25.50'])
  await rowOf(page, twice).locator('summary').click()
  await rowOf(page, twice).getByRole('button', { name: 'Pay twice' }).click()
  assert.deepEqual(await paid(twice, 2), ['10.00', '10.00'])
  await rowOf(page, other).locator('summary').click()
  await rowOf(page, other).getByLabel('Another amount').fill('12,34')
  await rowOf(page, other).getByRole('button', { name: 'Pay this' }).click()
  assert.deepEqual(await paid(other, 1), ['12.34'])
  await rowOf(page, late).locator('summary').click()
  await rowOf(page, late).getByRole('button', { name: 'Pay late' }).click()
  await paid(late, 1)
  const { body } = await client.call('GET', `/v2/cob/${late}`)
  const [pix] = body['pix'] as readonly Json[]
  const { criacao } = body['calendario'] as { readonly criacao: string }
  assert.ok(Date.parse(String(pix?.['horario'])) > Date.parse(criacao) + 3600_000)
  assert.deepEqual(faults, [])
  await page.context().close()
})

test('money is returned by buttons, and switches work', async () => {
  const page = await open()
  const [one, two] = [await charge('5.00'), await charge('6.00')]
  for (const txid of [one, two]) await bank.control('POST', '/_sim/pay', { txid })
  await rowOf(page, one).getByRole('button', { name: 'Refund', exact: true }).click()
  await rowOf(page, one).getByText('R$ 5,00, refund: went back').waitFor()
  await rowOf(page, two).getByRole('button', { name: 'Take back (MED)' }).click()
  await rowOf(page, two).getByText('R$ 6,00, MED_FRAUDE: went back').waitFor()
  // A second time there is nothing left, and the page shows it.
  await rowOf(page, two).getByRole('button', { name: 'Take back (MED)' }).click()
  await page.getByRole('status').getByText('can still go back').waitFor()
  await page.getByRole('button', { name: 'Lose all' }).click()
  await page.getByRole('button', { name: 'Lose all', pressed: true }).waitFor()
  assert.equal((await bank.control('GET', '/_sim/webhooks')).body['lose'], true)
  await page.getByRole('button', { name: 'As usual' }).click()
  await page.getByRole('button', { name: 'Lose all', pressed: false }).waitFor()
  await page.getByRole('button', { name: 'Take it down' }).click()
  await page.getByText('Down', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Bring it up' }).click()
  await page.getByText('Up', { exact: true }).waitFor()
  await page.context().close()
})

test('the page loads only its own files, and no inline script would run', async () => {
  const page = await open()
  await page.evaluate(`
    window.violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))
    document.body.setAttribute('style', 'color: red')
  `)
  await page.waitForFunction('violations.length === 1')
  const { status, headers, text } = await bank.control('GET', '/')
  assert.equal(status, 200)
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/)
  assert.doesNotMatch(text, /<São João>/)
  await page.context().close()
})
