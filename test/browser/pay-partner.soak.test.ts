// A payer's journey by the partner's wallet app, which here is a page of the sandbox's wallet in the same browser.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes, reloads, says, watchConsoles, type Checkout } from './checkout-journey-world.ts'
import { examine } from './examine.ts'
import { openPayWorld, type PayWorld } from './pay-world.ts'

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const

let world: PayWorld
/** A payment with the shortest possible time. Its page stays open while the other tests run. */
let expiring: { readonly payment: Checkout; readonly page: Page; readonly app: Page }
before(async () => {
  world = await openPayWorld('partnerWallet', {
    amount: 2_550,
    currency: 'USDT',
    paymentMethods: ['PARTNER_PAY'],
    description: 'Pedido 2041, café em grãos',
    metadata: { pedido: '2041' },
  })
  const payment = await world.make({ expiresIn: 60 })
  const page = await openCode(payment)
  expiring = { payment, page, app: await openApp(page) }
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

async function openCode(payment: Checkout, options = {}): Promise<Page> {
  const page = await world.open(payment.url, options)
  await page.getByRole('img', { name: 'QR Code para o app da carteira' }).waitFor()
  return page
}

/** The address that the page links to: the page of one order in the app. */
async function linkOn(page: Page): Promise<string> {
  return String(await page.getByRole('link', { name: 'Abrir o app' }).getAttribute('href'))
}

/** Opens the app in a tab beside the page. */
async function openApp(page: Page): Promise<Page> {
  const app = await page.context().newPage()
  await app.goto(await linkOn(page))
  return app
}

/** The element's distance from the top of the page. */
async function topOf(page: Page, part: string): Promise<number> {
  const box = await page.locator(part).boundingBox()
  assert.ok(box !== null, part)
  return box.y
}

test('on a desktop the code comes first; the payer confirms in the app, and every tab says so by itself', async () => {
  const payment = await world.make()
  assert.equal(
    new URL(payment.url).origin,
    new URL(world.installation.sandbox().partnerCheckoutBaseUrl).origin,
  )
  const page = await openCode(payment)
  assert.ok((await topOf(page, '.qr')) < (await topOf(page, '.app .button')))
  await examine(page, 'partner-waiting')
  await reloads(page, 'Pague no app da carteira')
  const second = await page.context().newPage()
  await second.goto(payment.url)
  assert.equal(await linkOn(second), await linkOn(page), 'one order')
  const app = await openApp(page)
  await app.getByRole('button', { name: 'Confirmar 25,50 USDT' }).waitFor()
  await examine(app, 'partner-wallet')
  await app.getByRole('button', { name: 'Confirmar 25,50 USDT' }).click()
  await app.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  for (const tab of [page, second]) await says(tab, 'Pagamento confirmado')
  await reloads(page, 'Pagamento confirmado')
  await examine(page, 'partner-paid')
  const paid = await world.payment(payment)
  assert.deepEqual(
    [paid['status'], paid['amountReceived'], paid['metadata']],
    ['PAID', 2_550, { pedido: '2041' }],
  )
  // The app's own link back leads to the page.
  await app.getByRole('link', { name: 'Voltar à loja' }).click()
  await says(app, 'Pagamento confirmado')
})

test('on a phone the button comes first, leads to the app in the same tab, and the app leads back', async () => {
  const payment = await world.make()
  const page = await openCode(payment, phone)
  assert.ok((await topOf(page, '.app .button')) < (await topOf(page, '.qr')))
  assert.ok((await topOf(page, '.app .button')) < phone.viewport.height)
  await examine(page, 'partner-phone', [360])
  await page.getByRole('link', { name: 'Abrir o app' }).tap()
  await page.getByRole('button', { name: 'Confirmar 25,50 USDT' }).waitFor()
  await page.goBack()
  await says(page, 'Pague no app da carteira')
  await page.goForward()
  await page.getByRole('button', { name: 'Confirmar 25,50 USDT' }).tap()
  await page.getByRole('link', { name: 'Voltar à loja' }).tap()
  await says(page, 'Pagamento confirmado')
  assert.equal(await world.status(payment), 'PAID')
})

test('a payer who refuses in the app sees so on the page, without loading it again', async () => {
  const payment = await world.make()
  const page = await openCode(payment)
  const app = await openApp(page)
  await app.getByRole('button', { name: 'Recusar' }).click()
  await app.getByRole('heading', { name: 'Você recusou este pagamento' }).waitFor()
  await page.getByRole('alert').waitFor()
  await examine(page, 'partner-refused')
  await reloads(page, 'Pague no app da carteira')
  assert.equal(await world.status(payment), 'WAITING_PAYMENT')
})

test('without JavaScript the page has code and link, and refreshes itself', async () => {
  const payment = await world.make()
  const page = await openCode(payment, { javaScriptEnabled: false })
  const app = await openApp(page)
  await app.getByRole('button', { name: 'Confirmar 25,50 USDT' }).click()
  await app.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  // The page refreshes within ten seconds.
  await says(page, 'Pagamento confirmado')
})

test('a payment that is canceled on its page can no longer be confirmed in the app', async () => {
  const payment = await world.make({ cancelUrl: 'https://loja.example/carrinho' })
  const page = await openCode(payment)
  const app = await openApp(page)
  assert.equal((await world.api('POST', `/v1/payments/${payment.id}/cancel`)).status, 200)
  await says(page, 'Pagamento cancelado')
  await app.getByRole('heading', { name: 'A loja encerrou este pedido' }).waitFor()
  assert.equal(await world.status(payment), 'CANCELED')
})

test('a payment whose time ends while its page is open says so, and can no longer be confirmed in the app', async () => {
  const { payment, page, app } = expiring
  await becomes(world, payment, 'EXPIRED')
  await says(page, 'O prazo para pagar terminou')
  await examine(page, 'partner-expired')
  await app.getByRole('heading', { name: /encerrou este pedido|O prazo para pagar terminou/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Abrir o app' }).count(), 0)
})
