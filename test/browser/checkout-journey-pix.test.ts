// A payer's journey by Pix, from the choice to the return, with the bank of the sandbox.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isSoak, soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import {
  becomes,
  change,
  choose,
  openJourneyWorld,
  payAtBank,
  postTogether,
  reloads,
  says,
  watchConsoles,
  type Checkout,
  type JourneyWorld,
} from './checkout-journey-world.ts'
import { copiedBy } from './copied.ts'

let world: JourneyWorld
/** A payment that expires a minute after the start. */
let brief: Checkout
before(async () => {
  world = await openJourneyWorld()
  if (isSoak) brief = await world.create({ expiresIn: 60 })
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** The code that the page shows. */
function codeOn(page: Page): Promise<string | null> {
  return page.locator('#pix-code').textContent()
}

test('a payer chooses Pix, copies the code, pays at the bank, sees it without loading the page again, and goes back', async () => {
  const seller = { legalName: 'Livraria da Ana Ltda.', taxId: '11.222.333/0001-81' }
  assert.equal((await world.api('PUT', '/v1/settings', seller)).status, 200)
  const payment = await world.create({ returnUrl: 'https://shop.example/thanks?cart=7' })
  const page = await world.open(payment.url, clipboard)
  await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }))
  await says(page, 'Como você quer pagar?')
  await reloads(page, 'Como você quer pagar?')
  await world.examine(payment.url, 'choose')

  await choose(page, /^Pix/)
  await says(page, 'Pague com Pix')
  assert.equal(await world.status(payment), 'WAITING_PAYMENT')
  await reloads(page, 'Pague com Pix')
  await page.getByRole('img', { name: 'QR Code do pagamento Pix' }).waitFor()
  await world.examine(payment.url, 'waiting-pix')
  const button = page.getByRole('button', { name: 'Copiar código Pix' })
  const code = String(await copiedBy(page, () => button.click()))
  assert.equal(code, await codeOn(page))
  // The merchant's API does not return the code: only the page shows it.
  const { body } = await world.api('GET', `/v1/payments/${payment.id}`)
  assert.ok(!('pixCopyPaste' in body) && !('pixQrCode' in body))

  await page.evaluate('window.isKept = true')
  await payAtBank(world, code)
  await says(page, 'Pagamento confirmado')
  assert.equal(await page.evaluate('window.isKept'), true, 'the page was not loaded again')
  assert.equal(await page.title(), 'Pagamento confirmado · Sandbox')
  await page.getByText('Forma de pagamento').waitFor()
  for (const text of Object.values(seller)) await page.locator('.receipt').getByText(text).waitFor()
  await reloads(page, 'Pagamento confirmado')
  await world.examine(payment.url, 'paid-pix')
  assert.equal(await world.status(payment), 'PAID')

  await page.getByRole('link', { name: 'Voltar para Sandbox' }).click()
  await page.waitForURL(`https://shop.example/thanks?cart=7&paymentId=${payment.id}`)
  await page.context().close()
})

test('a merchant sets its return address once: the page of a payment that names none goes back by itself', async () => {
  const returnUrl = 'https://shop.example/thanks'
  assert.equal((await world.api('PUT', '/v1/settings', { returnUrl })).status, 200)
  try {
    const payment = await world.create()
    const page = await world.open(payment.url)
    await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }))
    await choose(page, /^Pix/)
    await says(page, 'Pague com Pix')
    await world.pay(payment)
    await page.waitForURL(`${returnUrl}?paymentId=${payment.id}`)
    await page.context().close()
  } finally {
    await world.api('PUT', '/v1/settings', {})
  }
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without'
  test(`a developer pays any checkout on its own page, by three presses, ${how} JavaScript`, async () => {
    const payment = await world.create({ amount: 7_700 })
    const page = await world.open(payment.url, { javaScriptEnabled })
    await choose(page, /^Pix/)
    await says(page, 'Pague com Pix')
    await page.getByText('Simular', { exact: true }).click()
    await page.getByRole('button', { name: 'Valor exato' }).click()
    await becomes(world, payment, 'PAID')
    await says(page, 'Pagamento confirmado')
    assert.equal(await page.getByText('Simular', { exact: true }).count(), 0)
    await page.context().close()
  })
}

test('the payer chooses Pix, changes to card, and still pays the Pix: the page says paid, and by Pix', async () => {
  const payment = await world.create()
  const page = await world.open(payment.url)
  await choose(page, /^Pix/)
  await says(page, 'Pague com Pix')
  const code = await codeOn(page)
  await change(page, /^Cartão/)
  await says(page, 'Pague com cartão')
  await page.locator('.frame[data-state="open"]').waitFor()
  await change(page, /^Pix/)
  await says(page, 'Pague com Pix')
  assert.equal(await codeOn(page), code, 'a payer who comes back finds the same code')
  await change(page, /^Cartão/)
  await says(page, 'Pague com cartão')
  await payAtBank(world, String(code))
  await says(page, 'Pagamento confirmado')
  await page.locator('.receipt').getByText('Pix', { exact: true }).waitFor()
  const { body } = await world.api('GET', `/v1/payments/${payment.id}`)
  assert.deepEqual([body['status'], body['paymentMethod'], body['amountReceived']], ['PAID', 'PIX', 1234])
  await page.context().close()
})

soakTest('two tabs show the same: one follows the choice of the other, and both show the money', async () => {
  const payment = await world.create()
  const one = await world.open(payment.url)
  const other = await one.context().newPage()
  await other.goto(payment.url)
  await choose(one, /^Pix/)
  for (const tab of [one, other]) await says(tab, 'Pague com Pix')
  await change(other, /^Cartão/)
  for (const tab of [other, one]) await says(tab, 'Pague com cartão')
  await change(one, /^Pix/)
  for (const tab of [one, other]) await says(tab, 'Pague com Pix')
  assert.equal(await codeOn(one), await codeOn(other))
  await world.pay(payment)
  for (const tab of [one, other]) await says(tab, 'Pagamento confirmado')
  await one.context().close()
})

test('two tabs that choose at the same moment end at one method and one code', async () => {
  const payment = await world.create()
  const one = await world.open(payment.url)
  const other = await one.context().newPage()
  await other.goto(payment.url)
  await postTogether([one, other])
  await Promise.all([choose(one, /^Pix/), choose(other, /^Pix/)])
  for (const tab of [one, other]) await says(tab, 'Pague com Pix')
  assert.equal(await codeOn(one), await codeOn(other))
  await one.context().close()
})

test('a payer whose bank sent 1.00 too little gets a Pix for the rest, once in two tabs, and pays it', async () => {
  // The bank of the sandbox pays 50.07 by itself, with 1.00 too little.
  const items = [
    { name: 'Café em grãos', quantity: 2, amount: 2_000 },
    { name: 'Frete', quantity: 1, amount: 1_007 },
  ]
  const payment = await world.create({ amount: 5_007, items })
  const one = await world.open(payment.url)
  const other = await one.context().newPage()
  await other.goto(payment.url)
  await one.getByText('Café em grãos').waitFor()
  await choose(one, /^Pix/)
  for (const tab of [one, other]) await says(tab, 'Pagamento incompleto')
  await one
    .getByText(/Recebemos R\$\s49,07 de 50,07\. Gere um novo Pix com os R\$\s1,00 que faltam/)
    .waitFor()
  await world.examine(payment.url, 'underpaid-pix')
  await postTogether([one, other])
  const button = /^Gerar Pix de R\$\s1,00$/
  await Promise.all([one, other].map((tab) => tab.getByRole('button', { name: button }).click()))
  for (const tab of [one, other]) await tab.getByText('Valor deste Pix').waitFor()
  const code = await codeOn(one)
  assert.equal(await codeOn(other), code)
  await reloads(one, 'Pagamento incompleto')
  assert.equal(await codeOn(one), code)
  await payAtBank(world, String(code))
  for (const tab of [one, other]) await says(tab, 'Pagamento confirmado')
  await one.locator('.receipt').getByText('Café em grãos').waitFor()
  const { body } = await world.api('GET', `/v1/payments/${payment.id}`)
  assert.deepEqual(
    [body['status'], body['amountReceived'], body['exceptions'], body['items']],
    ['PAID', 5007, [], items],
  )
  assert.equal((body['endToEndIds'] as readonly string[]).length, 2)
  const { code: exit, output } = await world.installation.run('verify')
  assert.equal(exit, 0, output)
  await one.context().close()
})

soakTest('without JavaScript the rest is one press and one page, too', async () => {
  const payment = await world.create()
  const page = await world.open(payment.url, { javaScriptEnabled: false })
  await choose(page, /^Pix/)
  await says(page, 'Pague com Pix')
  await world.pay(payment, { scenario: 'under' })
  await says(page, 'Pagamento incompleto')
  await page.getByRole('button', { name: /^Gerar Pix de R\$\s6,17$/ }).click()
  await page.getByText('Valor deste Pix').waitFor()
  await payAtBank(world, String(await codeOn(page)))
  await says(page, 'Pagamento confirmado')
  await becomes(world, payment, 'PAID')
  await page.context().close()
})

const cuts = [
  ['refused', { status: 502, body: 'no streams here' }],
  ['broken off', 'abort'],
  ['swallowed', 'hang'],
] as const
for (const [cut, how] of isSoak ? cuts : cuts.slice(-1)) {
  test(`where streams are ${cut} on the way, the page still becomes paid by itself`, async () => {
    const payment = await world.create()
    const page = await world.open(payment.url, { forgives: /Failed to load resource/ })
    await page.route('**/events/**', (route) => {
      if (how === 'abort') return route.abort()
      return how === 'hang' ? undefined : route.fulfill(how)
    })
    await choose(page, /^Pix/)
    await says(page, 'Pague com Pix')
    await page.evaluate('window.isKept = true')
    await world.pay(payment)
    await says(page, 'Pagamento confirmado')
    assert.equal(await page.evaluate('window.isKept'), true)
    await page.context().close()
  })
}

soakTest('by the keyboard alone a payer chooses and copies, and always sees the focus', async () => {
  const payment = await world.create()
  const page = await world.open(payment.url, clipboard)
  await tabTo(page, /^Pix/)
  await page.keyboard.press('Enter')
  await says(page, 'Pague com Pix')
  await tabTo(page, 'Copiar código Pix')
  const code = await copiedBy(page, () => page.keyboard.press('Enter'))
  assert.equal(code, await codeOn(page))
  await tabTo(page, 'Pagar de outra forma')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Cartão/)
  await page.keyboard.press('Enter')
  await says(page, 'Pague com cartão')
  await becomes(world, payment, 'WAITING_PAYMENT')
  await page.context().close()
})

/** Presses Tab until the element with this text has the focus. Each element before it must show its focus too. */
async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab')
    const { text, isVisible } = await page.evaluate<{ text: string; isVisible: boolean }>(`(() => {
      const focused = document.activeElement
      const label = focused.labels?.[0]
      const shows = (element) => element !== undefined && element !== null &&
        (getComputedStyle(element).outlineStyle !== 'none' || getComputedStyle(element).boxShadow !== 'none')
      return { text: (label ?? focused).textContent.trim(), isVisible: shows(focused) || shows(label) }
    })()`)
    assert.ok(isVisible, `${text} shows that it has the focus`)
    if (typeof wanted === 'string' ? text === wanted : wanted.test(text)) return
  }
  assert.fail(`Tab does not lead to ${String(wanted)}`)
}

test('without JavaScript the whole journey works: choosing, the code as text, and paid at the next refresh', async () => {
  const payment = await world.create()
  const page = await world.open(payment.url, { javaScriptEnabled: false })
  await choose(page, /^Pix/)
  await says(page, 'Pague com Pix')
  const code = await codeOn(page)
  assert.equal(await page.getByRole('button', { name: 'Copiar código Pix' }).isVisible(), false)
  await payAtBank(world, String(code))
  await says(page, 'Pagamento confirmado')
  await page.context().close()
})

soakTest(
  'on a slow phone network the whole journey works, and the page is complete before its script',
  async () => {
    const payment = await world.create()
    const page = await world.open('about:blank')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 400_000 / 8,
      uploadThroughput: 400_000 / 8,
    })
    await page.goto(payment.url, { waitUntil: 'commit' })
    await choose(page, /^Pix/)
    await says(page, 'Pague com Pix')
    await world.pay(payment)
    await says(page, 'Pagamento confirmado')
    await page.context().close()
  },
)

// Three payments, each with another end: too long for the quick run.
if (isSoak)
  test('a payer who pays too little sees the received amount and a way to pay the rest; overpaid and late payments say so', async () => {
    const endings = [
      ['under', 'Pagamento incompleto', 'underpaid-pix'],
      ['over', 'Pago com valor a mais', 'overpaid-pix'],
      ['late', 'Pago fora do prazo', 'late-pix'],
    ] as const
    for (const [scenario, headline, name] of endings) {
      const payment = await world.create()
      const page = await world.open(payment.url)
      await choose(page, /^Pix/)
      await says(page, 'Pague com Pix')
      await world.pay(payment, { scenario })
      await says(page, headline)
      await reloads(page, headline)
      await world.examine(payment.url, name)
      await page.context().close()
    }
  })

if (isSoak)
  test('a payer who pays twice sees that it was too much after loading the page again: it may say paid in between', async () => {
    const payment = await world.create()
    const page = await world.open(payment.url)
    await choose(page, /^Pix/)
    await says(page, 'Pague com Pix')
    await world.pay(payment, { scenario: 'twice' })
    await page.getByRole('heading', { name: /^(Pago|Pagamento confirmado)/ }).waitFor()
    await eventually('both are there', async () => {
      const { body } = await world.api('GET', `/v1/payments/${payment.id}`)
      return body['amountReceived'] === 2 * 1234
    })
    await reloads(page, 'Pago com valor a mais')
    await page.context().close()
  })

if (isSoak)
  test('when the time ends while the page is open, the page says so by itself and requests no money', async () => {
    const page = await world.open(brief.url)
    await page.evaluate('window.isKept = true')
    await page.getByRole('heading', { name: 'O prazo para pagar terminou' }).waitFor()
    assert.equal(await page.evaluate('window.isKept'), true)
    assert.equal(await page.locator('.method').count(), 0)
    // The page follows the exact time; the worker ends the payment a moment later.
    await eventually('the payment is EXPIRED', async () => (await world.status(brief)) === 'EXPIRED')
    await world.examine(brief.url, 'expired')
    // An old form is answered with the current page.
    const answer = await fetch(`${brief.url}/choose`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ method: 'PIX' }),
    })
    assert.equal(answer.url, brief.url)
    assert.match(await answer.text(), /The time to pay has run out/)
    await page.context().close()
  })
