// A payer's journey by card, with the acquirer of the sandbox.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isSoak, soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import type { Json } from '../journeys/merchant.ts'
import {
  becomes,
  postTogether,
  reloads,
  says,
  watchConsoles,
  type Checkout,
  type OpenOptions,
} from './checkout-journey-world.ts'
import { copiedBy } from './copied.ts'
import { examine } from './examine.ts'
import { cards, formIn, openPayWorld, payWith, restsAt, typeCard, type PayWorld } from './pay-world.ts'

/** The shortest time that a payment can have. */
const shortest = { expiresIn: 60 }

let world: PayWorld
/** A payment whose page stays open while the other tests run, until its time ends. */
let expiring: { readonly payment: Checkout; readonly page: Page; readonly form: Page }
before(async () => {
  world = await openPayWorld('acquirer', {
    amount: 12_490,
    paymentMethods: ['CREDIT_CARD'],
    description: 'Pedido 2041, café em grãos',
  })
  const payment = await world.make(shortest)
  const page = await openForm(payment)
  expiring = { payment, page, form: await formAlone(page) }
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

/** The successful charges of this payment at the acquirer. */
async function charges({ id }: Checkout): Promise<readonly Json[]> {
  return (await objects('charges', id)).filter((each) => each['status'] === 'succeeded')
}

function sessions({ id }: Checkout): Promise<readonly Json[]> {
  return objects('sessions', id)
}

/** The acquirer's records of this kind for the payment. */
async function objects(kind: 'charges' | 'sessions', id: string): Promise<readonly Json[]> {
  const state = await world.control('GET', '/state')
  return (state[kind] as readonly Json[]).filter((each) => (each['metadata'] as Json)['payment_id'] === id)
}

/** The payment's intents at the acquirer whose payer can act. */
async function intents({ id }: Checkout): Promise<readonly Json[]> {
  const state = await world.control('GET', '/state')
  const all = state['paymentIntents'] as readonly Json[]
  return all.filter((each) => (each['metadata'] as Json)['payment_id'] === id)
}

/** Acts for the payer of a local method. */
async function actOn(payment: Checkout, act: string): Promise<void> {
  const open = (await intents(payment)).filter(({ status }) => status === 'requires_action')
  await world.control('POST', '/pay', { intent: open.at(-1)?.['id'], act })
}

/** Opens the payment's page and waits for the acquirer's form in it. */
async function openForm(payment: Checkout, options: OpenOptions = {}): Promise<Page> {
  const page = await world.open(payment.url, options)
  await formIn(page).locator('#number').waitFor()
  return page
}

/** Opens the acquirer's form from the frame in its own tab, like a form that the payer left open. */
async function formAlone(page: Page): Promise<Page> {
  const frame = page.frames().find((each) => each.url().includes('/c/embed/'))
  const form = await page.context().newPage()
  await form.goto(String(frame?.url()))
  return form
}

/** Waits until the session is expired at the acquirer, and checks that the open form then accepts no card. */
async function acceptsNoCard(form: Page, payment: Checkout): Promise<void> {
  await eventually('the session is over', async () =>
    (await sessions(payment)).every((session) => session['status'] === 'expired'),
  )
  await payWith(form, cards.good)
  await form.getByRole('heading', { name: 'Esta página expirou' }).waitFor()
  assert.equal((await charges(payment)).length, 0)
}

test('a payer mistypes, corrects it and pays, and sees the same after loading each page again', async () => {
  const payment = await world.make()
  // The answer to a form with mistakes has this status.
  const page = await openForm(payment, { forgives: /422/ })
  await examine(page, 'card-waiting')
  await typeCard(formIn(page), { number: '4242 4242 4242 4241', expiry: '13/40' })
  await formIn(page)
    .getByRole('button', { name: /^Pagar/ })
    .click()
  await formIn(page).getByText('Número de cartão inválido.').waitFor()
  await examine(page, 'card-wrong')
  await reloads(page, 'Pague com cartão')
  await payWith(formIn(page), cards.good)
  await says(page, 'Pagamento confirmado')
  assert.equal(await world.status(payment), 'PAID')
  assert.deepEqual((await world.payment(payment))['card'], { brand: 'visa', last4: '4242' })
  await reloads(page, 'Pagamento confirmado')
  await page.locator('.receipt').getByText('Visa •••• 4242').waitFor()
  await examine(page, 'card-paid')
  assert.equal((await charges(payment)).length, 1)
})

test('a payer whose bank declines sees why, and pays with another card in the same form', async () => {
  const payment = await world.make()
  const page = await openForm(payment)
  await payWith(formIn(page), cards.declined)
  await formIn(page).getByRole('alert').getByText('Seu banco recusou este cartão.').waitFor()
  await knowsOf(payment)
  assert.equal(await page.getByRole('alert').count(), 0, 'one error is said once, by the form')
  await examine(page, 'card-declined')
  await reloads(page, 'Pague com cartão')
  await formIn(page).getByRole('alert').waitFor()
  assert.equal((await world.payment(payment))['status'], 'WAITING_PAYMENT')
  await payWith(formIn(page), cards.other)
  await says(page, 'Pagamento confirmado')
  assert.equal((await sessions(payment)).length, 1)
  assert.equal((await charges(payment)).length, 1)
})

test('a payer fails the bank’s 3-D Secure challenge, tries again, and passes it, all in the frame', async () => {
  const payment = await world.make()
  const page = await openForm(payment)
  await payWith(formIn(page), cards.challenged)
  await formIn(page).getByRole('heading', { name: 'Seu banco precisa confirmar que é você' }).waitFor()
  await examine(page, 'card-challenge')
  await reloads(page, 'Pague com cartão')
  await formIn(page).getByRole('button', { name: 'Recusar autenticação' }).click()
  await formIn(page).getByRole('alert').getByText('Seu banco não confirmou sua identidade.').waitFor()
  await knowsOf(payment)
  await examine(page, 'card-unconfirmed')
  await payWith(formIn(page), cards.challenged)
  // Beside the bank's challenge there is no message about the earlier try.
  await formIn(page).getByRole('heading', { name: 'Seu banco precisa confirmar que é você' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  assert.equal(await formIn(page).getByRole('alert').count(), 0)
  await formIn(page).getByRole('button', { name: 'Concluir autenticação' }).click()
  await says(page, 'Pagamento confirmado')
  assert.equal(((await world.payment(payment))['card'] as Json)['threeDSecure'], 'AUTHENTICATED')
  assert.equal((await charges(payment)).length, 1)
})

soakTest('the form does not move while the card is declined and challenged', async () => {
  const payment = await world.make()
  const page = await openForm(payment)
  const rests = [await restsAt(page)]
  await page.evaluate(`{
    globalThis.observed = { tops: new Set(), heights: new Set() }
    const note = () => {
      const { top, height } = document.querySelector('.frame iframe').getBoundingClientRect()
      observed.tops.add(Math.round(top + scrollY))
      observed.heights.add(height)
      requestAnimationFrame(note)
    }
    note()
  }`)
  await payWith(formIn(page), cards.declined)
  await knowsOf(payment)
  rests.push(await restsAt(page))
  await payWith(formIn(page), cards.challenged)
  const no = formIn(page).getByRole('button', { name: 'Recusar autenticação' })
  await no.waitFor()
  rests.push(await restsAt(page))
  await no.click()
  await formIn(page).locator('#number').waitFor()
  rests.push(await restsAt(page))
  const places = await page.evaluate('({ tops: [...observed.tops], heights: [...observed.heights] })')
  const { tops, heights } = places as { readonly tops: number[]; readonly heights: number[] }
  assert.equal(tops.length, 1, `the form was at ${tops.join(', ')}`)
  assert.deepEqual(new Set(heights), new Set(rests))
})

/** Waits until our side, and with it every open page, has the refusal. */
function knowsOf(payment: Checkout): Promise<unknown> {
  return eventually('the refusal is known', async () => (await world.stateOf(payment)).problem !== undefined)
}

test('two tabs that pay at once are one charge, and both say so', async () => {
  const payment = await world.make()
  const first = await openForm(payment)
  const second = await first.context().newPage()
  await second.goto(payment.url)
  const tabs = [first, second]
  for (const tab of tabs) await typeCard(formIn(tab), { number: cards.good })
  await postTogether(tabs)
  await Promise.all(
    tabs.map((tab) =>
      formIn(tab)
        .getByRole('button', { name: /^Pagar/ })
        .click(),
    ),
  )
  for (const tab of tabs) await says(tab, 'Pagamento confirmado')
  assert.equal((await charges(payment)).length, 1)
})

soakTest(
  'a payment that is canceled while its page is open says so, and its form accepts no card any more',
  async () => {
    const payment = await world.make({ cancelUrl: 'https://loja.example/carrinho' })
    const page = await openForm(payment)
    const form = await formAlone(page)
    assert.equal((await world.api('POST', `/v1/payments/${payment.id}/cancel`)).status, 200)
    await says(page, 'Pagamento cancelado')
    await examine(page, 'card-canceled')
    await page.getByRole('link', { name: 'Voltar para Sandbox' }).waitFor()
    await acceptsNoCard(form, payment)
  },
)

soakTest(
  'the back button of the acquirer’s own page leads to a page that can be paid, and pays once',
  async () => {
    const payment = await world.make()
    const page = await openForm(payment)
    await page.getByRole('button', { name: 'Abrir o formulário em outra página' }).click()
    await page.locator('#number').waitFor()
    await examine(page, 'card-hosted')
    await page.goBack()
    await says(page, 'Pague com cartão')
    await page.goForward()
    await payWith(page, cards.good)
    await says(page, 'Pagamento confirmado')
    assert.equal(page.url(), payment.url)
    assert.equal((await charges(payment)).length, 1)
  },
)

test('without JavaScript a payer goes to the acquirer’s page, pays there, and comes back to a page that says so', async () => {
  const payment = await world.make()
  const page = await world.open(payment.url, { javaScriptEnabled: false })
  assert.equal(await page.locator('iframe').isVisible(), false)
  await page.locator('noscript meta[http-equiv=refresh]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Abrir o formulário em outra página' }).click()
  await payWith(page, cards.challenged)
  await page.getByRole('button', { name: 'Concluir autenticação' }).click()
  await page.waitForURL(payment.url)
  await says(page, 'Pagamento confirmado')
})

soakTest('after the payment the page leads back to the shop, whose page proves nothing', async () => {
  const payment = await world.make({ returnUrl: 'https://loja.example/obrigado?pedido=7' })
  const page = await world.open(payment.url)
  await page.route('https://loja.example/**', (route) => route.fulfill({ body: 'shop' }))
  const back = `https://loja.example/obrigado?pedido=7&paymentId=${payment.id}`
  await page.goto(back)
  await page.goto(`${payment.url}?paymentId=${payment.id}&session_id=cs_test_1&status=complete`)
  await says(page, 'Pague com cartão')
  assert.equal(await world.status(payment), 'WAITING_PAYMENT')
  await payWith(formIn(page), cards.good)
  await says(page, 'Pagamento confirmado')
  await examine(page, 'card-paid-back')
  await page.getByRole('link', { name: 'Voltar para Sandbox' }).click()
  await page.waitForURL(back)
  await page.goBack()
  await says(page, 'Pagamento confirmado')
})

soakTest(
  'the page says that an amount is only authorised, and after the capture that it is paid',
  async () => {
    const payment = await world.make({ captureMode: 'MANUAL' })
    const page = await openForm(payment)
    await payWith(formIn(page), cards.good)
    await says(page, 'Pagamento autorizado')
    await examine(page, 'card-authorised')
    assert.equal((await world.api('POST', `/v1/payments/${payment.id}/capture`, {})).status, 200)
    await says(page, 'Pagamento confirmado')
  },
)

test('a Portuguese payer is asked for a phone, declines in the app, and pays the reference that Multibanco gives', async () => {
  const payment = await world.create({ amount: 1_990, currency: 'EUR', customerCountry: 'PT' })
  const page = await world.open(payment.url, { forgives: /status of 422/ })
  const names = await page.locator('.method-name').allTextContents()
  assert.deepEqual(names.slice(0, 2), ['Multibanco', 'MB WAY'])
  // The page of the answer has the fields that the method needs, without a complaint.
  await page.getByRole('button', { name: /^MB WAY/ }).click()
  const phone = page.getByLabel('Telefone')
  await phone.waitFor()
  assert.equal(await page.locator('[aria-invalid=true]').count(), 0)
  assert.ok(await page.getByRole('radio', { name: /^MB WAY/ }).isChecked())
  await phone.fill('12')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('Telefone').fill('+351 912 345 678')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await says(page, 'Confirme no app MB WAY')
  await page.getByText('de final 678').waitFor()
  await examine(page, 'mb-way')
  await actOn(payment, 'decline')
  await page.getByText('O pagamento não foi confirmado').waitFor()
  await page.getByRole('button', { name: 'Enviar de novo' }).click()
  await eventually('another push is open', async () => (await intents(payment)).length === 2)
  await page.getByText('Pagar de outra forma').click()
  await page.getByRole('button', { name: /^Multibanco/ }).click()
  await page.getByLabel('E-mail').fill('ana@example.com')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await says(page, 'Pague com Multibanco')
  await page.locator('#voucher-reference').waitFor()
  assert.match(await page.locator('#voucher-reference').innerText(), /^\d{3} \d{3} \d{3}$/)
  await examine(page, 'multibanco')
  await actOn(payment, 'approve')
  await says(page, 'Pagamento confirmado')
})

test('a boleto is asked for, copied, and paid; iDEAL leads to the bank and back', async () => {
  const payment = await world.create({ amount: 12_490, customerCountry: 'BR', paymentMethods: ['BOLETO'] })
  const page = await world.open(payment.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const fill = (name: string, value: string) => page.locator(`[name=${name}]`).fill(value)
  await fill('name', 'Ana Souza')
  await fill('email', 'ana@example.com')
  await fill('taxId', '529.982.247-25')
  await page.locator('[name=country]').selectOption('BR')
  await fill('postcode', '01310-100')
  await fill('line1', 'Rua das Flores, 10')
  await fill('city', 'São Paulo')
  await fill('region', 'SP')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await says(page, 'Pague o boleto')
  await page.getByRole('img', { name: 'Código de barras do boleto' }).waitFor()
  assert.match(
    await page.locator('#boleto-line').innerText(),
    /^9999\d\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/,
  )
  const line = await copiedBy(page, () =>
    page.getByRole('button', { name: 'Copiar linha digitável' }).click(),
  )
  assert.equal(line, (await page.locator('#boleto-line').innerText()).replaceAll(/\D/g, ''))
  await examine(page, 'boleto')
  await actOn(payment, 'approve')
  await says(page, 'Pagamento confirmado')
  const other = await world.make({ currency: 'EUR', paymentMethods: ['IDEAL'] })
  const second = await world.open(other.url)
  await says(second, 'Pague com iDEAL')
  await examine(second, 'ideal')
  await second.getByRole('button', { name: 'Continuar' }).click()
  await second.getByRole('button', { name: 'Confirm the payment' }).click()
  await second.getByRole('link', { name: 'Back to the shop' }).click()
  await says(second, 'Pagamento confirmado')
})

soakTest('a link without a payment says so', async () => {
  const payment = await world.make()
  const page = await world.open(payment.url.replace(/.{4}$/, 'zzzz'), { forgives: /404/ })
  await says(page, 'Pagamento não encontrado')
  await examine(page, 'card-unknown')
})

if (isSoak)
  test('a payment whose time ends while its page is open says so, and its form accepts no card any more', async () => {
    const { payment, page, form } = expiring
    await becomes(world, payment, 'EXPIRED')
    await says(page, 'O prazo para pagar terminou')
    await examine(page, 'card-expired')
    await reloads(page, 'O prazo para pagar terminou')
    await acceptsNoCard(form, payment)
  })
