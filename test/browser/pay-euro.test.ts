// Payers in euro without a card: a bank transfer in two parts, Multibanco, and a push to a phone that nobody answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { controlOf } from '../journeys/shop.ts'
import { openForTests } from '../open-for-tests.ts'
import {
  becomes,
  choose,
  devices,
  examine,
  openJourneyWorld,
  reloads,
  says,
  watchConsoles,
  type Checkout,
} from './checkout-journey-world.ts'
import { readPicture } from './picture.ts'

const world = openForTests(openJourneyWorld)
watchConsoles()

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** A checkout of a payer in Portugal. */
const inEuro = (more: Record<string, unknown> = {}) =>
  world.create({ amount: 4_500, currency: 'EUR', customerCountry: 'PT', ...more })

/** What the button beside the label copies: something else than what was copied before. */
async function copied(page: Page, label: string): Promise<string> {
  const clipboardText = async () => String(await page.evaluate('navigator.clipboard.readText()'))
  const before = await clipboardText()
  await page.getByRole('button', { name: `Copiar ${label}`, exact: true }).click()
  return eventually(`${label} is copied`, async () => {
    const text = await clipboardText()
    return text !== before && text
  })
}

/** The lines of the code on the page, as a bank's app reads them from the screen. */
async function scanned(page: Page): Promise<readonly string[]> {
  const picture = readPicture(await page.locator('.qr').screenshot())
  return decodeQR(picture).split('\n')
}

test('a payer chooses the bank transfer, copies and scans everything, pays a half and then the rest, and sees it without loading the page again', async () => {
  const payment = await inEuro()
  const page = await world.open(payment.url, clipboard)
  await choose(page, /^Transferência bancária/)
  await page.getByRole('heading', { name: /^Transfira/ }).waitFor()
  await page.evaluate('window.isKept = true')
  const [beneficiary, iban, reference] = [
    await copied(page, 'Beneficiário'),
    await copied(page, 'IBAN'),
    await copied(page, 'Referência'),
  ]
  assert.match(iban, /^PT\d{23}$/)
  assert.match(reference, /^RF\d{2}[0-9A-Z]{1,21}$/)
  assert.equal(await page.locator('#pay-beneficiary').innerText(), beneficiary)
  const shown = async (id: string) => (await page.locator(id).innerText()).replaceAll(/\s/g, '')
  assert.deepEqual([await shown('#pay-iban'), await shown('#pay-reference')], [iban, reference])
  assert.equal(await copied(page, 'Valor exato'), '45.00')
  const codeFor = (amount: string) => ['BCD', 'SCT', beneficiary, iban, amount, reference]
  const codeOn = async () => {
    const lines = await scanned(page)
    return [0, 3, 5, 6, 7, 9].map((at) => lines[at])
  }
  assert.deepEqual(await codeOn(), codeFor('EUR45.00'))
  // The merchant's API does not return it: only the page shows where to pay.
  assert.ok(!('sepa' in (await world.api('GET', `/v1/payments/${payment.id}`)).body))
  await world.examine(payment.url, 'waiting-sepa')

  await world.pay(payment, { scenario: 'under' })
  await says(page, 'Pagamento incompleto')
  await page.getByText(/Recebemos €\s22,50 de 45,00\. Transfira mais 22,50 com a mesma referência/).waitFor()
  const rest = await copied(page, 'Valor exato')
  assert.equal(rest, '22.50')
  assert.deepEqual(await codeOn(), codeFor('EUR22.50'))
  assert.equal(await world.status(payment), 'WAITING_PAYMENT')

  // At the bank the payer enters what the page says, and nothing else.
  await sendAtBank({ iban, amount: rest, reference })
  await says(page, 'Pagamento confirmado')
  assert.equal(await page.evaluate('window.isKept'), true)
  assert.equal(await world.status(payment), 'PAID')
  await reloads(page, 'Pagamento confirmado')
  await page.locator('.receipt').getByText('Transferência bancária').waitFor()
})

/** Sends a transfer by the form of the bank's page. */
async function sendAtBank({ iban, amount, reference }: Readonly<Record<string, string>>): Promise<void> {
  const { controlUrl } = world.installation.sandbox().simulators.sepaBank
  // A refused transfer is answered with 400, which the browser says.
  const page = await world.open(controlUrl, { forgives: /status of 400/ })
  const form = page
    .locator('#live > div > section li')
    .filter({ hasText: iban ?? '' })
    .locator('form')
  await form.getByLabel('Amount in EUR').fill(amount ?? '')
  await form.getByRole('button', { name: 'Send the transfer' }).click()
  await page.getByRole('status').getByText('reference is missing').waitFor()
  // What was typed is still there.
  await form.getByLabel(/^Reference/).fill(reference ?? '')
  await form.getByLabel('How it comes').selectOption('exact')
  await form.getByRole('button', { name: 'Send the transfer' }).click()
  await page.getByRole('status').getByText('Done.', { exact: true }).waitFor()
  await eventually(
    'the form is empty',
    async () => (await form.getByLabel('Amount in EUR').inputValue()) === '',
  )
  await page.getByText(`+${amount} EUR, Ana Martins`).first().waitFor()
  await page.close()
  for (const device of devices) {
    const shown = await world.open(controlUrl, { bypassCSP: true, ...device })
    await shown.getByRole('button', { name: 'Take it back' }).first().waitFor()
    await examine(shown, 'sepa-bank')
    await shown.close()
  }
}

/** The payment's intents at the acquirer. */
async function intents({ id }: Checkout) {
  const { paymentIntents } = await controlOf(world.installation, 'acquirer', 'GET', '/state')
  const all = paymentIntents as readonly { id: string; status: string; metadata: Record<string, string> }[]
  return all.filter(({ metadata }) => metadata['payment_id'] === id)
}

/** What is ahead of the merchant comes closer, here and at the providers. */
async function advance(span: string): Promise<void> {
  const { status, body } = await world.api('POST', '/v1/sandbox/clock', { advance: span })
  assert.equal(status, 202, JSON.stringify(body))
  await eventually(
    `the clock went ${span}`,
    async () => {
      const { body: clock } = await world.api('GET', '/v1/sandbox/clock')
      const done = clock['data'] as readonly { id: unknown; status: string }[]
      return done.some((each) => each.id === body['id'] && each.status === 'DONE')
    },
    120_000,
  )
}

soakTest(
  'a Portuguese payer is shown Multibanco first, pays its reference, and sees it days later without loading the page again',
  async () => {
    const payment = await inEuro({ customerEmail: 'ana@example.com' })
    const page = await world.open(payment.url, clipboard)
    assert.equal(await page.locator('.method-name').first().innerText(), 'Multibanco')
    await choose(page, /^Multibanco/)
    await says(page, 'Pague com Multibanco')
    await page.evaluate('window.isKept = true')
    assert.equal(await copied(page, 'Entidade'), '90150')
    assert.match(await copied(page, 'Referência'), /^\d{9}$/)
    assert.equal(await copied(page, 'Valor'), '45.00')
    const [intent] = await intents(payment)
    const act = (how: string) =>
      controlOf(world.installation, 'acquirer', 'POST', '/pay', { intent: intent?.id, act: how })
    await act('slow')
    await eventually('it is on its way', async () => (await intents(payment))[0]?.status === 'processing')
    await reloads(page, 'Pague com Multibanco')
    assert.equal(await world.status(payment), 'WAITING_PAYMENT')
    await page.evaluate('window.isKept = true')
    await act('arrive')
    await says(page, 'Pagamento confirmado')
    assert.equal(await page.evaluate('window.isKept'), true)
    assert.equal(await world.status(payment), 'PAID')
  },
)

soakTest(
  'a push by MB WAY, by itself, that nobody answers has expired after four minutes, and its page says so',
  async () => {
    const { payment, page } = await pushUnanswered({ checkout: undefined, paymentMethods: ['MB_WAY'] })
    await becomes(world, payment, 'EXPIRED')
    await says(page, 'O prazo para pagar terminou')
    assert.equal(await page.evaluate('window.isKept'), true)
    assert.deepEqual(
      (await intents(payment)).map(({ status }) => status === 'requires_action'),
      [false],
    )
  },
)

test('a push by MB WAY, on a checkout, that nobody answers leaves the other methods: the payer is told, chooses Multibanco and pays', async () => {
  const { payment, page } = await pushUnanswered({ customerEmail: 'ana@example.com' }, (opened) =>
    choose(opened, /^MB WAY/),
  )
  await page.getByText('O tempo para pagar com MB WAY acabou').waitFor()
  assert.equal(await page.evaluate('window.isKept'), true)
  assert.equal(await world.status(payment), 'WAITING_PAYMENT')
  const pushed = (await intents(payment)).map(({ id }) => id)
  await choose(page, /^Multibanco/)
  await says(page, 'Pague com Multibanco')
  const chosen = (await intents(payment)).find(({ id }) => !pushed.includes(id))
  for (const act of ['slow', 'arrive'])
    await controlOf(world.installation, 'acquirer', 'POST', '/pay', { intent: chosen?.id, act })
  await says(page, 'Pagamento confirmado')
  assert.equal(await world.status(payment), 'PAID')
})

/** A payment whose push waits three minutes, and then two more: its method gives four. */
async function pushUnanswered(more: Record<string, unknown>, first?: (page: Page) => Promise<void>) {
  const payment = await inEuro({ customerPhone: '+351912345678', ...more })
  const page = await world.open(payment.url)
  await first?.(page)
  await says(page, 'Confirme no app MB WAY')
  await page.evaluate('window.isKept = true')
  await advance('PT3M')
  assert.equal(await world.status(payment), 'WAITING_PAYMENT')
  await says(page, 'Confirme no app MB WAY')
  await advance('PT2M')
  return { payment, page }
}
