// Finding in the dashboard of a whole installation. The palette and the lists find payments, withdrawals and other records by the ids and
// names that banks, payers and orders have for them. Euro leaves by SEPA.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { eventually } from '../eventually.ts'
import { openBrowserWorld, signedIn, visit, watchConsoles, type BrowserWorld } from './dashboard-world.ts'

let world: BrowserWorld
let page: Page
before(async () => {
  world = await openBrowserWorld()
  const { url, options } = signedIn(world.installation)
  page = await world.open(options)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

function below(path: string): string {
  return `${world.origin}/m/${world.merchantId}${path === '' ? '' : `/${path}`}`
}

/** Opens the palette by the keyboard, writes, and opens the first record that is found. */
async function openByPalette(text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Go to and search' })
  await palette.getByRole('combobox').fill(text)
  await palette.getByRole('group', { name: 'Results' }).getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
}

test('a wallet in euro, filled by bank transfer, pays out by SEPA: reviewed, requested, completed, and found by its IBAN', async () => {
  const request = {
    amount: 4_500,
    currency: 'EUR',
    paymentMethods: ['SEPA_TRANSFER'],
    idempotencyKey: 'in-euro',
  }
  const { body: payment } = await world.api('POST', '/v1/payments', request)
  // The feed opens after the payment is paid, and the page was read before: it learns of it all the same.
  const held = Promise.withResolvers<void>()
  await page.route('**/live', async (route) => {
    await held.promise
    await route.continue()
  })
  await visit(page, below(`payments/${String(payment['id'])}`))
  await page.getByRole('heading', { level: 1 }).getByText('Awaiting payment', { exact: false }).waitFor()
  await world.api('POST', `/v1/sandbox/payments/${String(payment['id'])}/pay`, { scenario: 'exact' })
  await eventually('it is paid', async () => {
    const { body } = await world.api('GET', `/v1/payments/${String(payment['id'])}`)
    return body['status'] === 'PAID'
  })
  held.resolve()
  await page.getByRole('heading', { level: 1 }).getByText('Paid', { exact: true }).waitFor()
  const sepa = payment['sepa'] as Readonly<Record<string, string>>
  const facts = page.getByRole('region', { name: 'Details' })
  for (const text of [sepa['iban'], sepa['beneficiary'], sepa['reference']])
    await facts.getByText(must(text, 'what the payer quotes'), { exact: true }).waitFor()

  await visit(page, below('withdrawals/new'))
  await page.getByRole('radio', { name: 'SEPA' }).check()
  const [iban, holder] = [page.getByRole('textbox', { name: 'IBAN' }), page.getByLabel('Account holder')]
  await iban.fill('DE88 3704 0044 0532 0130 00')
  await holder.fill('Ana Müller')
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.34')
  await page.getByRole('button', { name: 'Review' }).click()
  // The check digits are the server's, and its refusal stands beside the field before there is anything to confirm.
  await page.getByText('This is not a valid IBAN').waitFor()
  await iban.fill('DE89 3704 0044 0532 0130 00')
  await page.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('region', { name: 'Review the withdrawal' })
  for (const text of ['Ana Müller', 'DE89 3704', '€12.34']) await review.getByText(text).first().waitFor()
  await review.getByRole('button', { name: 'Withdraw €12.34' }).click()
  await page.waitForURL(/\/withdrawals\/[0-9a-f-]{36}$/)
  const address = page.url()
  await page.getByText('Ana Müller').first().waitFor()
  await page.getByRole('heading', { level: 1 }).getByText('Completed', { exact: true }).waitFor()

  // The palette finds both by what a person has in hand, and Enter opens them.
  const reference = must(sepa['reference'], 'a reference')
  await openByPalette(reference.toLowerCase().replace(/.{4}(?=.)/g, '$& '))
  await page.waitForURL(below(`payments/${String(payment['id'])}`))
  await openByPalette(address.split('/').at(-1) ?? '')
  await page.waitForURL(address)
  await openByPalette(String(payment['id']))
  await page.waitForURL(below(`payments/${String(payment['id'])}`))

  await visit(page, below('withdrawals?type=SEPA&q=DE89370400440532013000'))
  await page.getByRole('link', { name: '€12.34' }).click()
  await page.waitForURL(address)
})

test('the palette and the list of payments find by an order number, a name, the digits of a link, and only what is there', async () => {
  const order = { amount: 4_321, currency: 'BRL', checkout: 'default', metadata: { orderId: '20261124' } }
  const { body: made } = await world.api('POST', '/v1/payments', {
    ...order,
    customerName: 'Zoë Quist',
    idempotencyKey: 'order',
  })
  const { id, checkoutUrl } = made as { readonly id: string; readonly checkoutUrl: string }
  const address = below(`payments/${id}`)
  for (const text of [
    'zoë quist',
    'Zoe Q',
    '2026112',
    id.slice(0, 30),
    checkoutUrl,
    checkoutUrl.split('/').at(-1) ?? '',
    'R$ 43.21',
  ]) {
    await visit(page, below(''))
    await openByPalette(text)
    await page.waitForURL(address)
  }
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Go to and search' })
  await palette.getByRole('combobox').fill('nobody of this name')
  await palette.getByText('No results').waitFor()
  await page.keyboard.press('Escape')

  // The list's own box reads the same. A key of metadata is found a minute after it was declared.
  await visit(page, below(`payments?${new URLSearchParams({ q: 'ZOë QUIST' }).toString()}`))
  await page.getByRole('link', { name: 'R$43.21' }).waitFor()
  await visit(page, below(`payments?${new URLSearchParams({ q: 'zoe' }).toString()}`))
  await page.getByRole('link', { name: 'R$43.21' }).waitFor()
  await visit(page, below(`payments?${new URLSearchParams({ q: checkoutUrl }).toString()}`))
  await page.waitForURL(address)
  await visit(page, below('payments?q=nobody+of+this+name'))
  await page.getByText('No payments match these filters').waitFor()
})

test('a payment whose payer was erased says since when, and what went', async () => {
  const { body } = await world.api('POST', '/v1/payments', {
    amount: 1_200,
    currency: 'EUR',
    paymentMethods: ['SEPA_TRANSFER'],
    customerName: 'Inês Apagada',
    idempotencyKey: 'to-erase',
  })
  const id = String(body['id'])
  await world.api('POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
  const read = async () => (await world.api('GET', `/v1/payments/${id}`)).body
  await eventually('it is paid', async () => (await read())['status'] === 'PAID')
  const order = ['payer', 'erase', world.merchantId, '--payment', id, '--confirm', '--reason', 'request 17']
  const { code, output } = await world.installation.run(...order)
  assert.equal(code, 0, output)
  assert.notEqual((await read())['payerErasedAt'], undefined)
  await visit(page, below(`payments/${id}`))
  const customer = page.getByRole('region', { name: 'Customer' })
  await customer.getByText('Erased', { exact: true }).waitFor()
  await customer.getByText('What was known about the payer was erased', { exact: false }).waitFor()
  assert.equal(await page.getByText('Inês Apagada').count(), 0)
})
