// The dashboard under a browser's translator: balances go on changing, whatever it has put in place of our texts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Tenant } from '../contract/world.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from '../dashboard/world.ts'
import { builtPages } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { translate } from './translator.ts'

let browser: Browser
let world: DashboardWorld
let tenant: Tenant
let owner: Person
before(async () => {
  browser = await sharedBrowser()
  const pages = await builtPages()
  world = await openDashboardWorld({ pages: () => pages })
  tenant = await world.base.openTenant()
  await world.base.fund(tenant, 100_000n)
  owner = await world.person([{ merchantId: tenant.id, role: 'OWNER' }])
})
after(() => world.close())

async function open(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', bypassCSP: true })
  const [name = '', value = ''] = owner.cookie.split('=')
  await context.addCookies([{ name, value, url: world.origin, httpOnly: true, sameSite: 'Strict' }])
  return context.newPage()
}

test('a translated page shows the balance as it becomes', async () => {
  const page = await open()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await translate(page)
  // Without the feed the page fetches what it shows by itself.
  await page.route('**/live', (route) => route.abort())
  await page.goto(`${world.origin}/m/${tenant.id}/wallets`)
  const main = page.getByRole('main')
  await main.getByText('R$1,000.00').first().waitFor()
  assert.ok((await page.locator('font').count()) > 0, 'the page is translated')
  await world.base.fund(tenant, 2_345n)
  await main.getByText('R$1,023.45').first().waitFor()
  assert.equal(await main.getByText('R$1,000.00').count(), 0)
  assert.deepEqual(faults, [])
  await page.context().close()
})
