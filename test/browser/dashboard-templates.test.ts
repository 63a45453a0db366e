// A template's journey through the dashboard: edited beside its preview, published, paid by a test payment, and compared with what it was.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { eventually } from '../eventually.ts'
import { pixel } from '../template-fuzz.ts'
import { axeFindings } from './axe.ts'
import {
  becomes,
  choose,
  openJourneyWorld,
  says,
  watchConsoles,
  type Checkout,
  type JourneyWorld,
} from './checkout-journey-world.ts'
import { handSessionOn, signedIn } from './dashboard-world.ts'
import { cards, formIn, payWith } from './pay-world.ts'

let world: JourneyWorld
let page: Page
let base: string

before(async () => {
  world = await openJourneyWorld()
  const { dashboard, merchantId } = world.installation.sandbox()
  const { url } = must(dashboard, 'a dashboard')
  await eventually('the dashboard’s pages are built', async () => (await fetch(url)).status === 200)
  // Chromium writes down each refusal: no session yet, a template that is not published yet, a link in the preview, a wrong amount; and how busy the machine is.
  const forgives =
    /Failed to load resource: the server responded with a status of (?:40[14] .*\/api\/|422 .*\/l\/)|'allow-popups' permission is not set|was preloaded using link preload/
  const entry = signedIn(world.installation)
  const viewport = { width: 1_440, height: 900 }
  page = await world.open(entry.url, { ...entry.options, locale: 'en', viewport, forgives })
  base = `${url}/m/${merchantId}/templates`
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.waitForURL(base)
  handSessionOn(world.installation, await page.context().storageState())
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

/** The payer's page of the draft. */
function preview() {
  return page.frameLocator('iframe')
}

/** The preview, once it shows this name of the merchant. */
function named(name: string) {
  return preview().locator('.merchant-name', { hasText: name })
}

async function publish(): Promise<void> {
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** The payer's page of a test payment, in its own tab. */
async function testPayment(): Promise<{ readonly tab: Page; readonly payment: Checkout }> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Test payment' }).click()
  const tab = await opened
  await tab.waitForURL(/\/c\//)
  const { body } = await world.api('GET', '/v1/payments?limit=1')
  const [newest] = body['data'] as readonly { readonly id: string }[]
  const url = tab.url()
  return { tab, payment: { id: must(newest, 'a payment').id, url, token: url.split('/').at(-1) ?? '' } }
}

function accentOf(tab: Page): Promise<string> {
  return tab.evaluate<string>(
    "getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()",
  )
}

test('a new template is edited beside its preview, and its draft survives the closing of the page', async () => {
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByLabel('Template name').fill('Blue shop')
  assert.equal(await page.getByLabel('Slug').inputValue(), 'blue-shop')
  await page.getByRole('button', { name: 'Open the editor' }).click()
  await page.waitForURL(`${base}/blue-shop`)
  await page.getByText('Not published yet').waitFor()
  // README's second click, also for a merchant with payments.
  await page.getByRole('button', { name: 'Publish and pay a test payment' }).waitFor()
  await preview().getByText('How would you like to pay?').waitFor()
  await page.getByRole('button', { name: 'Copy Slug' }).waitFor()
  // The preview is a phone's page, also on a wide screen.
  const width = "document.querySelector('iframe').contentWindow.innerWidth"
  assert.equal(await page.evaluate<number>(width), 390)

  await page.getByLabel('Brand name').fill('Café Serra Azul')
  await page.getByLabel('Color', { exact: true }).fill('#0b5cff')
  await page.getByLabel('Theme', { exact: true }).selectOption('light')
  await named('Café Serra Azul').waitFor()
  await page.getByRole('combobox', { name: 'Page status' }).selectOption('waiting')
  await preview().getByText('Pay with Pix').waitFor()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('pt-BR')
  await preview().getByText('Pague com Pix').waitFor()

  await page.getByText('Draft saved', { exact: true }).waitFor()
  assert.doesNotMatch(await page.evaluate<string>('Object.keys(localStorage).join()'), /template/)
  await page.reload()
  await named('Café Serra Azul').waitFor()
  assert.equal(await page.getByLabel('Color', { exact: true }).inputValue(), '#0b5cff')
})

test('what is invalid says why beside its field and cannot be published; a colour that is hard to see is warned of', async () => {
  const publishing = page.getByRole('button', { name: 'Review and publish' })
  await page.getByRole('tab', { name: 'Links' }).click()
  const support = page.getByLabel('Support page')
  await support.fill('javascript:alert(1)')
  await page.getByText('Enter a full address that begins with https://.').waitFor()
  assert.equal(await support.getAttribute('aria-invalid'), 'true')
  assert.equal(await publishing.isDisabled(), true)
  await support.fill('https://shop.example/help')
  await page.getByText('Enter a full address that begins with https://.').waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Brand' }).click()
  await page.getByLabel('Color', { exact: true }).fill('#ffee88')
  await page.getByText('A button of this color is hard to see').waitFor()
  await page.getByLabel('Theme', { exact: true }).selectOption('auto')
  await page.getByText(/In the light theme: contrast of 1\.\d:1/).waitFor()
  await page.getByLabel('Theme', { exact: true }).selectOption('light')
  await page.getByLabel('Color', { exact: true }).fill('#0b5cff')
  await page.getByText(/In the light theme/).waitFor({ state: 'detached' })
})

test('a method that no chosen currency takes cannot be published, and one is highlighted; a moved method leaves the payer’s country first', async () => {
  const publishing = page.getByRole('button', { name: 'Review and publish' })
  await page.getByRole('tab', { name: 'Methods' }).click()
  const currencies = page.getByRole('group', { name: 'Currencies' })
  for (const currency of ['EUR', 'USD', 'USDT'])
    await currencies.getByLabel(currency, { exact: true }).uncheck()
  await page.getByText('This payment method takes none of the template’s currencies.').first().waitFor()
  assert.equal(await publishing.isDisabled(), true)
  await page.getByRole('button', { name: 'Disable those without a currency here' }).click()
  await page
    .getByText('This payment method takes none of the template’s currencies.')
    .first()
    .waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('switch', { name: 'Highlight: USDT' }).count(), 0)

  const highlighted = page.getByRole('switch', { checked: true })
  await page.getByRole('switch', { name: 'Highlight: Card' }).click()
  await page.getByRole('switch', { name: 'Highlight: Pix' }).click()
  assert.equal(await highlighted.count(), 1)
  assert.equal(await highlighted.getAttribute('aria-label'), 'Highlight: Pix')
  const isLocalFirst = page.getByLabel('Those of the payer’s country first')
  assert.equal(await isLocalFirst.isChecked(), true)
  await page.getByRole('button', { name: 'Move Card up' }).click()
  assert.equal(await isLocalFirst.isChecked(), true)

  // The card's account takes it, PIX never: there are limits only where the method has the currency.
  await currencies.getByLabel('EUR', { exact: true }).check()
  await page.getByRole('button', { name: 'Limits and time: Pix' }).click()
  await page.getByLabel('Minimum in BRL').waitFor()
  assert.equal(await page.getByLabel('Minimum in EUR').count(), 0)
  await page.getByRole('button', { name: 'Limits and time: Card' }).click()
  await page.getByLabel('Minimum in EUR').waitFor()
  await currencies.getByLabel('EUR', { exact: true }).uncheck()
  await page.getByRole('tab', { name: 'Brand' }).click()
})

test('nothing that is typed breaks out of the preview, the editor or the list', async () => {
  const evil = `<img src=x onerror="alert(1)"></title><script>alert(1)</script>`
  await page.getByLabel('Brand name').fill(evil.slice(0, 80))
  await preview().getByText('<img src=x').first().waitFor()
  assert.equal(await preview().locator('img[src="x"], script').count(), 0)
  // A link of the page leads nowhere, and a form sends nothing.
  await page.getByRole('combobox', { name: 'Page status' }).selectOption('choose')
  await preview().getByRole('link', { name: 'Português' }).click()
  assert.equal(page.context().pages().length, 1)
  const addresses = page.frames().map((frame) => new URL(frame.url()).pathname)
  assert.ok(
    addresses.some((each) => each.startsWith('/preview/')),
    addresses.join(' '),
  )
  await page.getByLabel('Brand name').fill('Café Serra Azul')
  await named('Café Serra Azul').waitFor()
})

test('a logo is uploaded into the draft and its preview, and a file that is none says why beside the field', async () => {
  const file = page.locator('input[type="file"]')
  const png = Buffer.from(pixel.split(',')[1] ?? '', 'base64')
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png })
  await preview().locator(`img[src="${pixel}"]`).first().waitFor()
  assert.equal(await file.getAttribute('aria-invalid'), null)
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await page.getByText('The content of the file is not of the type that its name indicates.').waitFor()
  assert.equal(await file.getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByRole('button', { name: 'Review and publish' }).isDisabled(), true)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page
    .getByText('The content of the file is not of the type that its name indicates.')
    .waitFor({ state: 'detached' })
})

test('it is published after a review, its page has the new design, and says paid by itself when the test card has paid', async () => {
  await page.getByRole('button', { name: 'Review and publish' }).click()
  const dialog = page.getByRole('dialog')
  for (const text of ['Brand name', 'Café Serra Azul', '#b55a2b', '#0b5cff', 'Support page'])
    await dialog.getByText(text, { exact: true }).first().waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await publish()
  await page.getByText('Revision 1', { exact: true }).waitFor()
  await page.getByText('Draft saved', { exact: true }).waitFor({ state: 'detached' })

  const { tab, payment } = await testPayment()
  await tab.locator('.merchant-name', { hasText: 'Café Serra Azul' }).waitFor()
  assert.equal(await accentOf(tab), '#0b5cff')
  await choose(tab, /^Card/)
  await says(tab, 'Pay by card')
  await tab.evaluate('window.wasHere = true')
  await payWith(formIn(tab), cards.good)
  await says(tab, 'Payment confirmed')
  await tab.locator('.receipt').getByText('Visa •••• 4242').waitFor()
  assert.equal(await tab.evaluate('window.wasHere'), true, 'without a reload')
  assert.equal(await world.status(payment), 'PAID')
  assert.equal(await accentOf(tab), '#0b5cff')
  await tab.close()
})

test('the next revision counts for new payments, one that is open keeps its design, and the history says what differs', async () => {
  const before = await testPayment()
  await page.getByLabel('Color', { exact: true }).fill('#006644')
  await publish()
  await page.getByText('Revision 2', { exact: true }).waitFor()
  const next = await testPayment()
  assert.equal(await accentOf(next.tab), '#006644')
  await before.tab.reload()
  assert.equal(await accentOf(before.tab), '#0b5cff')
  await before.tab.close()
  await next.tab.close()

  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog')
  await history.getByText('#0b5cff').waitFor()
  await history.getByText('#006644').waitFor()
  assert.deepEqual(await history.locator('dt').allTextContents(), ['Color'])
  await history.getByRole('button', { name: 'Use revision 1 as a draft' }).click()
  assert.equal(await page.getByLabel('Color', { exact: true }).inputValue(), '#0b5cff')
  await page.getByRole('button', { name: 'More actions: blue-shop' }).click()
  await page.getByRole('menuitem', { name: 'Discard draft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
  await eventually(
    'the published colour is back',
    async () => (await page.getByLabel('Color', { exact: true }).inputValue()) === '#006644',
  )
})

test('payments are filtered by their template, in the address too, and the CSV has exactly those', async () => {
  const { id: other } = await world.create()
  const tab = await page.context().newPage()
  await tab.goto(base.replace(/templates$/, 'payments'))
  const links = () => tab.locator(`a[href*="${other}"]`).count()
  await eventually('the list has it', async () => (await links()) > 0)
  await tab.getByLabel('Template').selectOption('blue-shop')
  await tab.waitForURL(/[?&]checkout=blue-shop/)
  await eventually('the payment of another template is left out', async () => (await links()) === 0)
  const saved = tab.waitForEvent('download')
  await tab.getByRole('button', { name: 'Download CSV' }).click()
  const dialog = tab.getByRole('dialog')
  await dialog.getByLabel('For programs').check()
  await dialog.getByRole('button', { name: 'Download CSV' }).click()
  const csv = await readFile(await (await saved).path(), 'utf8')
  await tab.getByText('The CSV is ready: 3 rows.').waitFor()
  // The three test payments that were made above.
  const [head = '', ...rows] = csv.trim().split('\r\n')
  assert.match(head, /id,createdAt,status,/)
  assert.equal(rows.length, 3)
  assert.equal(rows.filter((row) => row.includes(',"PAID",')).length, 1)
  assert.ok(!csv.includes(other))
  await tab.close()
})

test('a payment link is made in one screen with the template, and a payer who chooses the amount pays it', async () => {
  const links = base.replace(/templates$/, 'payment-links')
  await page.goto(links)
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('Say what is being paid for.').waitFor()
  await dialog.getByLabel('What is paid for').fill('Guitar <b>lesson</b>')
  await dialog.getByText('The payer chooses').click()
  await dialog.getByRole('textbox', { name: 'Minimum' }).fill('10.00')
  await dialog.getByRole('textbox', { name: 'Maximum' }).fill('500.00')
  await dialog.getByLabel('Template of the page').selectOption('blue-shop')
  await dialog.getByLabel('How many payments').fill('1')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.waitForURL(/\/payment-links\/[0-9a-f-]{36}$/)
  await page.getByText('No payments yet').waitFor()
  const linkPage = page.url()

  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the page' }).click()
  const tab = await opened
  await tab.getByText('Guitar <b>lesson</b>').waitFor()
  assert.equal(await accentOf(tab), '#006644')
  assert.deepEqual(await axeFindings(tab), [])
  await tab.getByRole('button', { name: 'Continue to payment' }).click()
  await tab.getByText('Enter an amount from R$10.00 to R$500.00.').waitFor()
  await tab.getByLabel('Amount (BRL)').fill('75.50')
  await tab.getByRole('button', { name: 'Continue to payment' }).click()
  await tab.waitForURL(/\/c\//)
  const { body } = await world.api('GET', '/v1/payments?limit=1&amount=7550')
  const [made] = body['data'] as readonly { readonly id: string }[]
  const url = tab.url()
  const payment = { id: must(made, 'a payment').id, url, token: url.split('/').at(-1) ?? '' }
  await choose(tab, /^Pix/)
  await says(tab, 'Pay with Pix')
  await world.pay(payment)
  await becomes(world, payment, 'PAID')
  await tab.close()
  await page.goto(linkPage)
  await page.getByText('1 of 1').waitFor()
  await page.getByText('Used up').waitFor()
})

test('a template is duplicated, and switched off for new payments', async () => {
  await page.goto(base)
  await page.getByRole('button', { name: 'More actions: blue-shop' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByLabel('Template name').fill('Green shop')
  await page.getByRole('button', { name: 'Open the editor' }).click()
  await page.waitForURL(`${base}/green-shop`)
  assert.equal(await page.getByLabel('Color', { exact: true }).inputValue(), '#006644')
  await page.goto(base)
  await page.getByRole('button', { name: 'More actions: blue-shop' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await page.getByText('Inactive', { exact: true }).waitFor()
  const { status } = await world.api('POST', '/v1/payments', {
    amount: 1_000,
    currency: 'BRL',
    checkout: 'blue-shop',
    idempotencyKey: 'templates-inactive',
  })
  assert.equal(status, 422)
})
