// Sub-accounts and shares in the dashboard: a sub-account is made, gets its share, and gives it back or has it paid from our wallet. Every
// screen opens without a refusal for a role with fewer permissions.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { provider, walletAvailable } from '#/ledger/chart.ts'
import type { Role } from '#/people/roles.ts'
import { listRails } from '#/rails/all.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { move, posting } from '../books.ts'
import { paymentBody, type Tenant } from '../contract/world.ts'
import type { DashboardWorld, Person } from '../dashboard/world.ts'
import { cryptoRail, stranger } from '../refund-world.ts'
import { axeFindings } from './axe.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { merchantPaths, withValues } from './dashboard-screens.ts'
import { sharedBrowser } from './shared-browser.ts'
import { makeSubAccount } from './sub-account.ts'

let world: BrowserWorld
let dashboard: DashboardWorld
let tenant: Tenant
let owner: Person
let base: string
before(async () => {
  world = await openBrowserWorld(await sharedBrowser(), { rails: listRails([cryptoRail({}, new Map())]) })
  dashboard = world.dashboard
  tenant = await dashboard.base.openTenant()
  owner = await dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }])
  base = `${dashboard.origin}/m/${tenant.id}`
})
after(() => world.close())

/** Opens every screen that the role may see: nothing that a screen asks for is refused to it, and nothing fails. */
async function seesAllOf(role: Role, values: Readonly<Record<string, string>>): Promise<void> {
  const page = await world.open(await dashboard.person([{ merchantId: tenant.id, role }]))
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400)
      refused.push(`${answer.status()} ${new URL(answer.url()).pathname} on ${page.url()}`)
  })
  for (const each of merchantPaths) {
    const path = withValues(each, values)
    if (path === undefined) continue
    await page.goto(`${base}/${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('.loading-line').first().waitFor({ state: 'detached' })
  }
  assert.deepEqual(refused, [], role)
  await page.context().close()
}

test('a refund that a sub-account cannot pay its part of is paid by our wallet, if a person says so; its role reads all of it', async () => {
  const stage = { dashboard, tenant, owner, open: (person: Person) => world.open(person) }
  const { id, paymentId } = await makeSubAccount(stage)
  const page = await world.open(owner)
  const dialog = page.getByRole('dialog')
  const split = page.getByRole('region', { name: 'Split' })

  // The sub-account has spent its share: our wallet pays it, if a person says so.
  const { sql, lane } = dashboard.base
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId: id as MerchantId, currency: 'USDT' }])
  const spent = walletAvailable(tenant.mode, must(wallet, 'a wallet').id, 'USDT')
  const away = posting(spent, provider(tenant.mode, 'a1-funds', 'USDT'), 411n, { kind: 'ADJUSTMENT' })
  await lane.submit(move, { postings: [away] })
  await dashboard.base.fund(tenant, 411n, 'USDT')
  await page.goto(`${base}/payments/${paymentId}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByLabel(/BSC/).fill(stranger)
  await dialog.getByRole('button', { name: 'Refund 12.34 USDT' }).click()
  await dialog.getByText('does not have enough balance for its share of this refund').waitFor()
  await dialog.getByLabel('Cover what is missing from our wallet').check()
  assert.deepEqual(await axeFindings(page), [], 'a refund that a sub-account cannot pay')
  await dialog.getByRole('button', { name: 'Refund 12.34 USDT' }).click()
  // The same again, now that it is said who approves.
  await dialog.getByText('It needs another person’s approval').waitFor()
  await dialog.getByRole('button', { name: 'Refund 12.34 USDT' }).click()
  await dialog.waitFor({ state: 'detached' })
  // All of it is on its way: nothing more can go back.
  await page.getByRole('region', { name: 'Refunds' }).getByText('12.34 USDT').waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).waitFor({ state: 'detached' })
  await split.getByText('Covered').waitFor()
  const refunds = page.getByRole('region', { name: 'Refunds' })
  await refunds.getByRole('link').click()
  await page.waitForURL(/\/refunds\/[0-9a-f-]{36}$/)
  const refundId = page.url().split('/').at(-1) ?? ''
  await page.context().close()
  await seesAllOf('FINANCE', { paymentId, refundId, subAccountId: id })
})

test('a payment of 100.00 in three shares of 33.33 %: the page shows each, and with the cent that we keep they are the whole', async () => {
  const platform = await dashboard.base.openTenant()
  const person = await dashboard.person([{ merchantId: platform.id, role: 'OWNER' }])
  const api = `/api/m/${platform.id}`
  const splits = await Promise.all(
    ['Ana', 'Bea', 'Caio'].map(async (label) => {
      const made = await person.ask('POST', `${api}/sub-accounts`, { name: label })
      assert.equal(made.status, 201, made.text)
      return { subAccountId: String(made.body['id']), percent: '33.33', label }
    }),
  )
  const body = paymentBody({ amount: 10_000, splits })
  const created = await person.ask('POST', `${api}/payments`, body)
  assert.equal(created.status, 201, created.text)
  await dashboard.base.settlePayment(platform.id, created.body['id'] as PaymentId, 10_000n)
  const page = await world.open(person)
  await page.goto(`${dashboard.origin}/m/${platform.id}/payments/${String(created.body['id'])}`)
  const split = page.getByRole('region', { name: 'Split' })
  await split.getByText('33.33% of what is kept').nth(2).waitFor()
  const shown = (text: string) =>
    [...text.matchAll(/(\d+)\.(\d{2})\sUSDT/g)].map(([, whole, cents]) => Number(`${whole}${cents}`))
  const shares = shown(await split.innerText())
  assert.deepEqual(shares, [3_333, 3_333, 3_333])
  await page.goto(`${dashboard.origin}/m/${platform.id}/wallets`)
  await page.getByText('0.01 USDT').first().waitFor()
  const [kept = 0] = shown(await page.getByRole('main').getByText('0.01 USDT').first().innerText())
  assert.equal(
    shares.reduce((sum, each) => sum + each, kept),
    10_000,
  )
  await page.context().close()
})
