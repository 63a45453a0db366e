// The walk of a payer who knows nothing: every kind of page of a fresh sandbox, on a phone in Portuguese and on a dark desktop in English
// under a translator. Each method is paid, or not paid, by what the page offers under Simulate.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  becomes,
  change,
  choose,
  devices,
  openJourneyWorld,
  says,
  watchConsoles,
  type Checkout,
} from '../browser/checkout-journey-world.ts'
import { fitsWidth } from '../browser/dashboard-world.ts'
import { translate } from '../browser/translator.ts'
import { openForTests } from '../open-for-tests.ts'

const world = openForTests(openJourneyWorld)
watchConsoles()

const [phone, desktop] = devices
const shop = 'https://shop.example/thanks'

const payer = {
  customerName: 'Ana Souza',
  customerEmail: 'ana@example.com',
  customerPhone: '+351912345678',
  customerTaxId: '52998224725',
  customerAddress: {
    line1: 'Rua A, 1',
    city: 'São Paulo',
    region: 'SP',
    postcode: '01310-100',
    country: 'BR',
  },
}

/** The labels of what the page offers in place of a payer. */
const acts = {
  exact: 'Valor exato',
  less: 'A menos',
  twice: 'Duas vezes',
  later: 'Depois do prazo',
  refuse: 'Recusar pagamento',
  expire: 'Expirar',
} as const

async function simulate(page: Page, act: keyof typeof acts): Promise<void> {
  const button = page.getByRole('button', { name: acts[act], exact: true })
  if (!(await button.isVisible())) await page.getByText('Simular', { exact: true }).click()
  await button.click()
}

/** Chooses the method on the page of a new checkout. */
async function begin(currency: string, label: RegExp, more: object = {}) {
  const payment = await world.create({ ...payer, currency, ...more })
  const page = await world.open(payment.url, phone)
  await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }))
  await choose(page, label)
  return { payment, page }
}

async function ends(
  { payment, page }: { readonly payment: Checkout; readonly page: Page },
  status: string,
): Promise<void> {
  await becomes(world, payment, status)
  await fitsWidth(page, page.url())
  await page.context().close()
}

/** What proves the payment, below the name of who received it. */
async function hasReceipt(page: Page, ...proof: readonly string[]): Promise<void> {
  const receipt = page.locator('.receipt')
  for (const text of ['Pago para', 'Sandbox', 'Ana Souza', ...proof])
    await receipt.getByText(text, { exact: true }).first().waitFor()
}

const methods = [
  ['Pix', 'BRL', /^Pix/, 'ID do Pix (EndToEndId)'],
  ['boleto', 'BRL', /^Boleto/, 'Linha digitável'],
  ['card', 'BRL', /^Cartão/, 'Referência da transação'],
  ['USDT', 'USDT', /^USDT/, 'Transação'],
  ['wallet app', 'USDT', /^Binance Pay/, 'Referência da transação'],
  ['bank transfer', 'EUR', /^Transferência bancária/, 'Referência do banco'],
  ['Multibanco', 'EUR', /^Multibanco/, 'Entidade e referência'],
  ['MB WAY', 'EUR', /^MB WAY/, 'Referência da transação'],
  ['iDEAL', 'EUR', /^iDEAL/, 'Referência da transação'],
  ['Bancontact', 'EUR', /^Bancontact/, 'Referência da transação'],
  ['Bizum', 'EUR', /^Bizum/, 'Referência da transação'],
] as const

test('by each method the exact amount is paid on its page, whose receipt names the shop, the payer and the proof', async () => {
  for (const [name, currency, label, proof] of methods) {
    const { payment, page } = await begin(currency, label)
    if (name === 'bank transfer') assert.equal(await page.locator('#pay-beneficiary').innerText(), 'Sandbox')
    await simulate(page, 'exact')
    await says(page, 'Pagamento confirmado')
    await hasReceipt(page, proof)
    await ends({ payment, page }, 'PAID')
  }
})

test('after a payment the page goes back to the shop by itself', async () => {
  const { payment, page } = await begin('BRL', /^Pix/, { returnUrl: shop })
  await simulate(page, 'exact')
  await page.waitForURL(`${shop}?paymentId=${payment.id}`)
  await page.context().close()
  await becomes(world, payment, 'PAID')
})

test('money twice and money after the deadline are said as such; without money the page says that nothing was charged', async () => {
  const [again, tooLate, never] = await Promise.all([
    begin('USDT', /^USDT/),
    begin('EUR', /^Transferência bancária/),
    begin('BRL', /^Pix/),
  ])
  await simulate(again.page, 'twice')
  await says(again.page, 'Pago com valor a mais')
  await simulate(tooLate.page, 'later')
  await says(tooLate.page, 'Pago fora do prazo')
  await simulate(never.page, 'expire')
  await says(never.page, 'O prazo para pagar terminou')
  await never.page.getByText(/nada foi cobrado/).waitFor()
  for (const each of [again, tooLate]) await ends(each, 'PAID')
  await ends(never, 'EXPIRED')
})

test('who declines on one page is told so, chooses another method there, and pays', async () => {
  const { payment, page } = await begin('EUR', /^MB WAY/)
  await simulate(page, 'refuse')
  await page
    .getByRole('alert')
    .getByText(/não foi confirmado/)
    .waitFor()
  await change(page, /^Multibanco/)
  await says(page, 'Pague com Multibanco')
  await simulate(page, 'exact')
  await says(page, 'Pagamento confirmado')
  await ends({ payment, page }, 'PAID')
})

test('on a page that a browser translates less is paid, then the rest, and no sentence of before stays', async () => {
  const payment = await world.create({ amount: 4_990 })
  const page = await world.open('about:blank', { ...desktop, locale: 'en', bypassCSP: true })
  await translate(page)
  await page.goto(payment.url)
  await choose(page, /Pix/)
  const play = async (act: string) => {
    const button = page.getByRole('button', { name: act })
    if (!(await button.isVisible())) await page.getByText('Simulate').click()
    await button.click()
  }
  await play('Less')
  await page.getByRole('heading', { name: '«Payment incomplete»' }).waitFor()
  await page.getByRole('button', { name: /R\$24\.95/ }).click()
  await page.getByText('Amount of this Pix').waitFor()
  await play('Exact amount')
  await page.getByRole('heading', { name: '«Payment confirmed»' }).waitFor()
  assert.equal(await page.getByText(/Pay with Pix|Payment incomplete|Waiting for payment/).count(), 0)
  await ends({ payment, page }, 'PAID')
})

const template = {
  name: 'Walk',
  brand: { displayName: 'Padaria da Ana', colors: { accent: '#0b6b53' } },
  fields: { name: 'required', email: 'required', taxId: 'required' },
  currencies: ['BRL'],
  methods: [{ method: 'PIX', highlight: true }, { method: 'CREDIT_CARD' }],
}

test('by a payment link of a shop with its own page the payer names an amount, corrects a tax id, and pays', async () => {
  const { installation } = world
  const file = join(installation.dataDir, 'walk.json')
  writeFileSync(file, JSON.stringify(template))
  const { merchantId } = installation.sandbox()
  const set = await installation.run('template', 'set', 'walk', '--merchant', merchantId, '--file', file)
  assert.equal(set.code, 0, set.output)
  const terms = {
    name: 'Aula de violão',
    minAmount: 1_000,
    maxAmount: 50_000,
    currency: 'BRL',
    checkout: 'walk',
  }
  const { status, body: link } = await world.api('POST', '/v1/payment-links', {
    ...terms,
    idempotencyKey: 'walk',
  })
  assert.equal(status, 201, JSON.stringify(link))

  // A refused form is answered with 422, which the browser says.
  const page = await world.open(String(link['url']), { ...phone, forgives: /status of 422/ })
  await page.getByRole('textbox', { name: /^Valor/ }).fill('25,50')
  await page.getByRole('button', { name: 'Continuar para o pagamento' }).click()
  await page.getByText('Padaria da Ana').first().waitFor()
  await page.getByLabel('Nome').fill('Ana Souza')
  await page.getByLabel('E-mail').fill('ana@example.com')
  await page.getByLabel('CPF ou CNPJ').fill('12345678900')
  await page.getByRole('button', { name: 'Continuar', exact: true }).click()
  await page.getByText('CPF ou CNPJ inválido').waitFor()
  assert.equal(await page.getByLabel('Nome').inputValue(), 'Ana Souza')
  await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25')
  await page.getByRole('button', { name: 'Continuar', exact: true }).click()
  await says(page, 'Pague com Pix')
  await simulate(page, 'exact')
  await says(page, 'Pagamento confirmado')
  const receipt = page.locator('.receipt')
  for (const text of ['Padaria da Ana', '***.982.247-**', /R\$\s25,50/])
    await receipt.getByText(text).first().waitFor()
  await fitsWidth(page, 'the receipt')
  await page.context().close()
  const { body } = await world.api('GET', `/v1/payments?paymentLinkId=${String(link['id'])}`)
  const payments = body['data'] as readonly { readonly status: string; readonly amountReceived: number }[]
  assert.deepEqual(
    payments.map((each) => [each.status, each.amountReceived]),
    [['PAID', 2_550]],
  )
})

test('after the walk the books hold', async () => {
  const { code, output } = await world.installation.run('verify')
  assert.equal(code, 0, output)
})
