// A payer's journeys by card and by the partner's wallet app, from the choice on our page to the return.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { openForTests } from '../open-for-tests.ts'
import { change, choose, openJourneyWorld, reloads, says, watchConsoles } from './checkout-journey-world.ts'

const world = openForTests(openJourneyWorld)
watchConsoles()

/** The provider's form: a frame in our own frame in the payer's page. */
async function cardForm(page: Page): Promise<FrameLocator> {
  await page.locator('.frame[data-state="open"]').waitFor()
  return page.frameLocator('.frame iframe').frameLocator('iframe')
}

async function typeCard(page: Page, number: string): Promise<void> {
  const form = await cardForm(page)
  await form.locator('[name=number]').fill(number)
  await form.locator('[name=expiry]').fill('12/40')
  await form.locator('[name=cvc]').fill('123')
  await form.locator('[name=name]').fill('ANA SOUZA')
  await form.locator('button.first').click()
}

test('a payer chooses the card, is declined, reads why, tries another, confirms at the bank, and goes back', async () => {
  const payment = await world.create({ returnUrl: 'https://shop.example/thanks' })
  const page = await world.open(payment.url)
  await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }))
  await choose(page, /^Cartão/)
  await says(page, 'Pague com cartão')
  await cardForm(page)
  await reloads(page, 'Pague com cartão')
  await world.examine(payment.url, 'waiting-card')
  await typeCard(page, '4000000000009995')
  const form = await cardForm(page)
  await form.getByRole('alert').waitFor()
  assert.equal(await page.locator('.problem:visible').count(), 0, 'one error is said once')
  await world.examine(payment.url, 'declined-card')
  assert.equal(await world.status(payment), 'WAITING_PAYMENT')

  await typeCard(page, '4000002760003184')
  await form.locator('[value=complete]').click()
  await says(page, 'Pagamento confirmado')
  await page.locator('.receipt').getByText('Visa •••• 3184').waitFor()
  await reloads(page, 'Pagamento confirmado')
  await world.examine(payment.url, 'paid-card')
  assert.equal(await world.status(payment), 'PAID')
  await page.getByRole('link', { name: 'Voltar para Sandbox' }).click()
  await page.waitForURL(`https://shop.example/thanks?paymentId=${payment.id}`)
  await page.context().close()
})

test('a card is declined, the payer changes to Pix, and an old tab pays by card: the page says paid, and by card', async () => {
  const payment = await world.create()
  const page = await world.open(payment.url)
  await choose(page, /^Cartão/)
  await says(page, 'Pague com cartão')
  const other = await page.context().newPage()
  await other.goto(payment.url)
  await cardForm(other)
  // An older tab whose page gets no news of the change: its form is still there.
  await other.route('**/*', (route) => route.continue())
  const session = await (await cardForm(other)).locator('form').first().getAttribute('action')
  const frameUrl =
    other
      .frames()
      .find((frame) => frame.url().includes('/c/embed/'))
      ?.url() ?? ''
  assert.ok(session !== null && frameUrl !== '')
  await typeCard(page, '4000000000000002')
  await (await cardForm(page)).getByRole('alert').waitFor()
  await change(page, /^Pix/)
  await says(page, 'Pague com Pix')
  assert.equal(await page.getByRole('alert').count(), 0, 'of the card nothing is said beside the code')
  await says(other, 'Pague com Pix')
  const left = await page.context().newPage()
  await left.goto(frameUrl)
  await left.locator('[name=number]').fill('4242424242424242')
  await left.locator('[name=expiry]').fill('12/40')
  await left.locator('[name=cvc]').fill('123')
  await left.locator('[name=name]').fill('ANA SOUZA')
  await left.locator('button.first').click()
  for (const tab of [page, other]) await says(tab, 'Pagamento confirmado')
  await page.locator('.receipt').getByText('Visa •••• 4242').waitFor()
  const { body } = await world.api('GET', `/v1/payments/${payment.id}`)
  assert.deepEqual([body['status'], body['paymentMethod']], ['PAID', 'CREDIT_CARD'])
  await page.context().close()
})

test('without JavaScript the payer pays on the provider’s own page and comes back to a paid payment', async () => {
  const payment = await world.create({ currency: 'EUR', amount: 990 })
  const page = await world.open(payment.url, { javaScriptEnabled: false })
  await choose(page, /^Cartão/)
  await says(page, 'Pague com cartão')
  await page.locator('form[action$="/provider"] button').click()
  await page.locator('[name=number]').fill('4242424242424242')
  await page.locator('[name=expiry]').fill('12/40')
  await page.locator('[name=cvc]').fill('123')
  await page.locator('[name=name]').fill('ANA SOUZA')
  await page.locator('button.first').click()
  await says(page, 'Pagamento confirmado')
  assert.ok(page.url().startsWith(payment.url), 'the provider leads back to the page')
  assert.equal(await world.status(payment), 'PAID')
  await page.context().close()
})

test('a payer opens the wallet app, confirms there, and the waiting page says paid', async () => {
  const payment = await world.create({ currency: 'USDT', amount: 2550 })
  const page = await world.open(payment.url)
  await choose(page, /^Binance Pay/)
  await says(page, 'Pague no app da carteira')
  await reloads(page, 'Pague no app da carteira')
  await world.examine(payment.url, 'waiting-partner')
  const app = await page.context().newPage()
  await app.goto(String(await page.getByRole('link', { name: 'Abrir o app' }).getAttribute('href')))
  await app.getByRole('button', { name: 'Confirmar 25,50 USDT' }).click()
  await app.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  await says(page, 'Pagamento confirmado')
  await world.examine(payment.url, 'paid-partner')
  await app.getByRole('link', { name: 'Voltar à loja' }).click()
  await says(app, 'Pagamento confirmado')
  assert.ok(app.url().startsWith(payment.url), 'the app leads back to the page')
  await page.context().close()
})

test('a payer who refuses in the wallet app sees so, and pays another way', async () => {
  const payment = await world.create({ currency: 'USDT', amount: 1000 })
  const page = await world.open(payment.url)
  await choose(page, /^Binance Pay/)
  await says(page, 'Pague no app da carteira')
  await world.pay(payment, { scenario: 'refuse' })
  await page.getByRole('alert').getByText('O pagamento foi cancelado no app.').waitFor()
  await world.examine(payment.url, 'refused-partner')
  await change(page, /^USDT/)
  await says(page, 'Envie 10,00 USDT')
  await world.pay(payment)
  await says(page, 'Pagamento confirmado')
  await page.context().close()
})
