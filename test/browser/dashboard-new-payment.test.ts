// A person makes a payment in the dashboard and sends its link: the call of the API, once whatever happens to the answer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Api, Tenant } from '../contract/world.ts'
import type { Person } from '../dashboard/world.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { viewports } from './viewports.ts'

let world: BrowserWorld
let api: Api
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
  api = await world.dashboard.base.openApi()
})
after(() => world.close())

async function openShop(): Promise<{ readonly tenant: Tenant; readonly owner: Person }> {
  const tenant = await world.dashboard.base.openTenant()
  return { tenant, owner: await world.dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }]) }
}

const at = ({ id }: Tenant, path: string) => `${world.dashboard.origin}/m/${id}/${path}`

async function paymentsOf({ key }: Tenant): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await api.ask('GET', '/v1/payments', { key })
  return body['data'] as readonly Readonly<Record<string, unknown>>[]
}

async function fill(page: Page): Promise<void> {
  await page.getByLabel('Currency').selectOption('USDT')
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.50')
  await page.getByLabel('Name').fill('Ana & João')
  await page.getByLabel('Email').fill('ana+shop@example.com')
  await page.getByLabel('Phone').fill('+5511987654321')
}

for (const { colorScheme, width } of viewports)
  test(`a payment is made from the list, and its link is there to copy and send, ${colorScheme} ${width} px`, async () => {
    const { tenant, owner } = await openShop()
    const page = await world.open(owner, colorScheme, width)
    await page.goto(at(tenant, 'payments'))
    await page.getByRole('link', { name: 'New payment' }).first().click()
    await page.waitForURL(at(tenant, 'payments/new'))
    // Nothing is sent before there is an amount.
    await page.getByRole('button', { name: 'Create payment' }).click()
    await page.getByText('Enter an amount above zero.').waitFor()
    await fill(page)
    // The bar of a phone stays above what is scrolled.
    await page.evaluate('scrollTo(0, 0)')
    await world.examine(page, `new payment ${width}`)
    await page.getByRole('button', { name: 'Create payment' }).click()
    await page.getByText('Payment of 12.50 USDT created').waitFor()
    const [payment, ...others] = await paymentsOf(tenant)
    assert.deepEqual(others, [])
    assert.deepEqual(
      ['amount', 'currency', 'customerName', 'customerEmail', 'status'].map((name) => payment?.[name]),
      [1_250, 'USDT', 'Ana & João', 'ana+shop@example.com', 'PENDING'],
    )
    const url = String(payment?.['checkoutUrl'])
    assert.equal(await page.getByRole('group', { name: 'Link to pay' }).innerText(), url)
    const whatsapp = new URL(
      (await page.getByRole('link', { name: 'Send by WhatsApp' }).getAttribute('href')) ?? '',
    )
    assert.equal(whatsapp.origin + whatsapp.pathname, 'https://wa.me/5511987654321')
    assert.ok(whatsapp.searchParams.get('text')?.includes(url))
    const mail = new URL((await page.getByRole('link', { name: 'Send by email' }).getAttribute('href')) ?? '')
    assert.equal(decodeURIComponent(mail.pathname), 'ana+shop@example.com')
    assert.ok(mail.searchParams.get('body')?.endsWith(url))
    await world.examine(page, `the link ${width}`)
    // The link is still there after a reload, and the next form is empty.
    await page.reload()
    await page.getByText('Payment of 12.50 USDT created').waitFor()
    await page.getByRole('link', { name: 'Create another' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Amount' }).inputValue(), '')
    await page.context().close()
  })

test('a draft survives a reload; a lost answer, a reload and two presses make one payment', async () => {
  const { tenant, owner } = await openShop()
  const page = await world.open(owner)
  await page.goto(at(tenant, 'payments/new'))
  await fill(page)
  await page.reload()
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.waitFor()
  assert.equal(await amount.inputValue(), '12.50')
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ana & João')
  // The server has done it, and the answer does not arrive.
  const calls = `**/api/m/${tenant.id}/payments`
  await page.route(calls, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Create payment' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.unroute(calls)
  await page.reload()
  await page.getByRole('button', { name: 'Create payment' }).dblclick()
  await page.getByText('Payment of 12.50 USDT created').waitFor()
  assert.equal((await paymentsOf(tenant)).length, 1)
  await page.context().close()
})

test('what the API refuses is said in the form, and who may not create payments has no form', async () => {
  const { tenant, owner } = await openShop()
  const page = await world.open(owner)
  await page.goto(at(tenant, 'payments/new'))
  await fill(page)
  await page.getByLabel('Email').fill('no address')
  await page.getByRole('button', { name: 'Create payment' }).click()
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await paymentsOf(tenant), [])
  await page.context().close()
  const guest = await world.open(await world.dashboard.person([{ merchantId: tenant.id, role: 'VIEWER' }]))
  await guest.goto(at(tenant, 'payments'))
  await guest.getByText('No payments yet').waitFor()
  assert.equal(await guest.getByRole('link', { name: 'New payment' }).count(), 0)
  await guest.goto(at(tenant, 'payments/new'))
  await guest.getByText('Your role does not have access to this page').waitFor()
  await guest.context().close()
})
