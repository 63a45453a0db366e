// A merchant's own template on the payer's page: its style, its language, its fields, and its links.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import {
  examine,
  devices,
  openJourneyWorld,
  reloads,
  says,
  watchConsoles,
  type JourneyWorld,
} from './checkout-journey-world.ts'
import { writePicture } from './picture.ts'

let world: JourneyWorld
before(async () => {
  world = await openJourneyWorld()
  await setTemplate('padaria', bakery)
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

const bakery = {
  name: 'Shop',
  brand: {
    displayName: 'Padaria da Ana',
    logoFile: 'logo.png',
    theme: 'auto',
    font: 'serif',
    radius: 20,
    colors: { accent: '#0b6b53' },
  },
  languages: { default: 'pt-BR', enabled: ['pt-BR', 'en', 'es'] },
  fields: { name: 'required', email: 'required', phone: 'optional', taxId: 'required' },
  address: 'billing',
  methods: [{ method: 'CREDIT_CARD' }, { method: 'PIX', highlight: true }],
  currencies: ['BRL'],
  texts: { 'pt-BR': { title: 'Seu pedido', note: 'Entregamos amanhã.', thanks: 'Até logo!' } },
  support: { email: 'ajuda@shop.example' },
  legal: { termsUrl: 'https://shop.example/termos', privacyUrl: 'https://shop.example/privacidade' },
  urls: {
    success: 'https://shop.example/obrigado',
    cancel: 'https://shop.example/carrinho',
    allowedHosts: ['shop.example'],
  },
  cancelButton: true,
  autoReturnSeconds: 3,
}

/** Sets the template by the command line, as an operator does. */
async function setTemplate(slug: string, document: unknown): Promise<void> {
  const { installation } = world
  const { dataDir } = installation
  const data = Buffer.alloc(64 * 64 * 4, Buffer.of(0x0b, 0x6b, 0x53, 0xff))
  await writeFile(join(dataDir, 'logo.png'), writePicture({ width: 64, height: 64, data }))
  await writeFile(join(dataDir, `${slug}.json`), JSON.stringify(document))
  const { merchantId } = installation.sandbox()
  const file = join(dataDir, `${slug}.json`)
  const { code, output } = await installation.run(
    'template',
    'set',
    slug,
    '--merchant',
    merchantId,
    '--file',
    file,
  )
  assert.equal(code, 0, output)
}

const create = (more = {}) => world.create({ checkout: 'padaria', ...more })

const entries = {
  Nome: 'Ana <script>alert(1)</script> & Cia',
  'E-mail': 'ana@example.com',
  'Telefone opcional': '+55 11 91234-5678',
  'CPF ou CNPJ': '529.982.247-25',
  Endereço: 'Rua <img src=x onerror=alert(1)> 7',
  Cidade: 'São Paulo',
}

async function fillIn(page: Page, more: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [label, value] of Object.entries({ ...entries, ...more }))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('País').selectOption('BR')
}

test('the merchant’s colour, corners, font, logo, words, links and order of methods show', async () => {
  const { url } = await create()
  const page = await world.open(url)
  await says(page, 'Como você quer pagar?')
  const styleOf = (selector: string, name: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)
  assert.equal(await styleOf('form .button', 'backgroundColor'), 'rgb(11, 107, 83)')
  // The shop's preferred method is already chosen.
  assert.ok(await page.getByRole('radio', { name: /^Pix/ }).isChecked())
  assert.match(String(await styleOf('body', 'fontFamily')), /ui-serif/)
  assert.equal(await page.evaluate(`document.querySelector('.logo').naturalWidth`), 64)
  for (const text of ['Seu pedido', 'Entregamos amanhã.', 'Padaria da Ana'])
    await page.getByText(text).first().waitFor()
  assert.deepEqual(await page.locator('.method-name').allTextContents(), ['Cartão', 'Pix'])
  for (const [name, href] of [
    ['Termos', bakery.legal.termsUrl],
    ['Privacidade', bakery.legal.privacyUrl],
    ['Falar com Padaria da Ana', 'mailto:ajuda@shop.example'],
  ] as const)
    assert.equal(await page.getByRole('link', { name, exact: true }).getAttribute('href'), href)
  await world.examine(url, 'fields')
  await page.context().close()
})

test('each wrong field of the form has its error beside it, the errors stay, and no typed text is lost', async () => {
  const wrong = {
    'E-mail': 'ana',
    'CPF ou CNPJ': '529.982.247-26',
    'Telefone opcional': '4242 4242 4242 4242',
  }
  for (const javaScriptEnabled of [true, false]) {
    const payment = await create()
    const page = await world.open(payment.url, { javaScriptEnabled, forgives: / 422 / })
    await fillIn(page, { ...wrong, Nome: '  ' })
    await page.getByRole('radio', { name: /^Pix/ }).check()
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.locator('.error').first().waitFor()
    if (javaScriptEnabled) await hasStreamed(page)
    for (const [label, error] of [
      ['Nome', 'Preencha o campo Nome.'],
      ['E-mail', 'Digite um e-mail válido, como ana@exemplo.com.br.'],
      ['CPF ou CNPJ', 'CPF ou CNPJ inválido. Confira os números.'],
      ['Telefone opcional', 'Não digite o número do cartão aqui. Use o formulário do cartão.'],
    ] as const) {
      const field = page.getByLabel(label, { exact: true })
      const id = await field.getAttribute('aria-describedby')
      assert.equal(await page.locator(`#${String(id)}`).textContent(), error)
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
    }
    assert.equal(await page.getByLabel('E-mail', { exact: true }).inputValue(), 'ana')
    assert.equal(await page.getByLabel('Endereço', { exact: true }).inputValue(), entries.Endereço)
    assert.equal(await page.getByLabel('País').inputValue(), 'BR')
    assert.equal(await page.getByLabel('Telefone opcional').inputValue(), '', 'no card number is sent around')
    assert.ok(await page.getByRole('radio', { name: /^Pix/ }).isChecked(), 'the method stays chosen')
    assert.equal(
      await page.evaluate('document.activeElement.name'),
      'name',
      'the payer goes on where the first error is',
    )
    assert.equal(await world.status(payment), 'PENDING')

    await fillIn(page)
    await page.getByRole('button', { name: 'Continuar' }).click()
    await says(page, 'Pague com Pix')
    await page.context().close()
  }
})

/** Waits until the page has processed the state that the server streams at once. */
async function hasStreamed(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const { links } = JSON.parse(document.getElementById('state').textContent)
    new EventSource(links.events).addEventListener('message', () => setTimeout(resolve, 500))
  })`)
}

test('a form with errors is accessible', async () => {
  for (const options of devices) {
    const { url } = await create({ customerName: 'Ana Souza' })
    const page = await world.open(url, { bypassCSP: true, forgives: / 422 /, ...options })
    await page.getByLabel('E-mail', { exact: true }).fill('ana')
    await page.getByRole('radio', { name: /^Pix/ }).check()
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.locator('.error').first().waitFor()
    await hasStreamed(page)
    await examine(page, 'errors')
    assert.equal(await page.getByLabel('Nome', { exact: true }).inputValue(), 'Ana Souza')
    await page.context().close()
  }
})

test('texts of payer and merchant stay text, even with markup, and reach the merchant unchanged', async () => {
  const payment = await create({
    customerName: '"><img src=x onerror=alert(1)>',
    description: '</script><script>alert(2)</script>',
  })
  const page = await world.open(payment.url)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await reloads(page, 'Como você quer pagar?')
  assert.equal(await page.getByLabel('Nome', { exact: true }).inputValue(), '"><img src=x onerror=alert(1)>')
  await page.getByText('</script><script>alert(2)</script>', { exact: true }).waitFor()
  await fillIn(page)
  await page.getByRole('radio', { name: /^Pix/ }).check()
  await page.getByRole('button', { name: 'Continuar' }).click()
  await says(page, 'Pague com Pix')
  assert.equal(await page.locator('#page img:not(.logo)').count(), 0)
  assert.deepEqual(dialogs, [])
  const { body } = await world.api('GET', `/v1/payments/${payment.id}`)
  assert.equal(body['customerTaxId'], '52998224725')
  assert.equal(body['customerPhone'], '+5511912345678')
  assert.deepEqual(body['customerAddress'], { line1: entries.Endereço, city: 'São Paulo', country: 'BR' })
  await page.context().close()
})

test('a paid page thanks the payer and goes to the address in the template by itself', async () => {
  const payment = await create()
  const page = await world.open(payment.url)
  await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }))
  await fillIn(page)
  await page.getByRole('radio', { name: /^Pix/ }).check()
  await page.getByRole('button', { name: 'Continuar' }).click()
  await says(page, 'Pague com Pix')
  await world.examine(payment.url, 'template-waiting-pix')
  await world.pay(payment)
  await says(page, 'Pagamento confirmado')
  await page.getByText('Até logo!').waitFor()
  await page.waitForURL(`https://shop.example/obrigado?paymentId=${payment.id}`)
  await page.context().close()
})

test('a payer who cancels is asked to confirm, sees that nothing was charged, and finds the way back', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const payment = await create()
    const page = await world.open(payment.url, { javaScriptEnabled })
    const other = await page.context().newPage()
    await other.goto(payment.url)
    await page.getByText('Cancelar pagamento').click()
    assert.equal(await world.status(payment), 'PENDING', 'the page asks for confirmation first')
    await page.getByRole('button', { name: 'Sim, cancelar' }).click()
    await says(page, 'Pagamento cancelado')
    const back = page.getByRole('link', { name: 'Voltar para Padaria da Ana' })
    assert.equal(await back.getAttribute('href'), `https://shop.example/carrinho?paymentId=${payment.id}`)
    assert.equal(await world.status(payment), 'CANCELED')
    if (javaScriptEnabled) {
      await says(other, 'Pagamento cancelado')
      assert.equal(await page.getByText('Até logo!').count(), 0, 'there is nothing to thank for')
      await world.examine(payment.url, 'canceled')
    }
    await reloads(page, 'Pagamento cancelado')
    await page.context().close()
  }
})

test('the language is the link’s, or the one chosen before, or the browser’s, or the template’s, in this order', async () => {
  const [first, second] = [await create(), await create()]
  const page = await world.open(first.url, { locale: 'es-AR' })
  const language = () => page.locator('html').getAttribute('lang')
  assert.equal(await language(), 'es')
  await page.getByRole('link', { name: 'English' }).click()
  await says(page, 'How would you like to pay?')
  await page.goto(second.url)
  assert.equal(await language(), 'en', 'it was chosen before')
  await page.goto(`${second.url}?lang=pt`)
  assert.equal(await language(), 'pt-BR')
  await page.context().close()
  const japanese = await world.open(first.url, { locale: 'ja-JP' })
  assert.equal(await japanese.locator('html').getAttribute('lang'), 'pt-BR')
  await japanese.context().close()
})

test('a payment keeps the revision that it was created with, and markup in a template stays text', async () => {
  const before = await create()
  const markup = '<b onclick="alert(1)">Nova</b>'
  await setTemplate('padaria', {
    ...bakery,
    brand: { ...bakery.brand, displayName: markup },
    texts: { 'pt-BR': { title: markup, note: '</script><script>alert(2)</script>' } },
  })
  const page = await world.open(before.url)
  await page.getByText('Padaria da Ana').first().waitFor()
  assert.equal(await page.getByText(markup).count(), 0)
  // New payments use the new revision within a second.
  const later = await eventually('a payment with the new revision', async () => {
    const payment = await create()
    return (await world.stateOf(payment)).merchant.name === markup && payment
  })
  await page.goto(later.url)
  for (const text of [markup, '</script><script>alert(2)</script>'])
    await page.getByText(text).first().waitFor()
  assert.equal(await page.locator('#page b, #page script').count(), 0)
  await page.context().close()
})
