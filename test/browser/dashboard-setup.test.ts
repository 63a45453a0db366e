// The list of what a merchant sets up: what the records say, by role, put away for all and shown again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Role } from '#/people/roles.ts'
import type { Tenant } from '../contract/world.ts'
import type { Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { viewports } from './viewports.ts'

let world: BrowserWorld
let tenant: Tenant
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
  tenant = await world.dashboard.base.openTenant()
})
after(() => world.close())

const person = (role: Role) => world.dashboard.person([{ merchantId: tenant.id, role }])
const at = (path: string) => `${world.dashboard.origin}/m/${tenant.id}/${path}`
const listOf = (page: Page) => page.getByRole('region', { name: 'Set up your account' })

async function overview(page: Page): Promise<void> {
  await page.goto(at(''))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const loading = page.locator('main [aria-busy=true], main .loading-line')
  await eventually('it is loaded', async () => (await loading.count()) === 0)
}

async function hasList(who: Person): Promise<boolean> {
  const page = await world.open(who)
  await overview(page)
  const count = await listOf(page).count()
  await page.context().close()
  return count === 1
}

for (const { colorScheme, width } of viewports)
  test(`each line says whether it is done, and the first that is not has the button, ${colorScheme} ${width} px`, async () => {
    const page = await world.open(await person('OWNER'), colorScheme, width)
    await overview(page)
    const list = listOf(page)
    const lineOf = (text: string) => list.getByRole('listitem').filter({ hasText: text })
    assert.equal(await list.getByRole('listitem').count(), 6)
    // The tenant has a key, and so a line that is done.
    await lineOf('Create an API key').getByText('Done', { exact: true }).waitFor()
    assert.equal(await lineOf('Add a webhook').getByText('Done', { exact: true }).count(), 0)
    const link = list.getByRole('link', { name: 'Go to webhooks' })
    assert.equal(await link.getAttribute('href'), new URL(at('developers/webhooks')).pathname)
    const [, done = ''] = /(\d) of 6 done/.exec(await list.innerText()) ?? []
    assert.equal(await list.getByText('Done', { exact: true }).count(), Number(done))
    await world.examine(page, `setup list ${width}`)
    await page.context().close()
  })

test('a member sees what their role can do, and only an owner or administrator puts the list away', async () => {
  const page = await world.open(await person('SUPPORT'))
  await overview(page)
  assert.equal(await listOf(page).getByRole('listitem').count(), 1)
  assert.equal(await listOf(page).getByRole('button', { name: 'Dismiss' }).count(), 0)
  await page.context().close()
  assert.equal(await hasList(await person('VIEWER')), false)
})

test('it is put away for everybody, and comes back by the settings', async () => {
  const [owner, admin] = [await person('OWNER'), await person('ADMIN')]
  const page = await world.open(owner)
  await overview(page)
  await listOf(page).getByRole('button', { name: 'Dismiss' }).click()
  await listOf(page).waitFor({ state: 'detached' })
  await page.getByText('List dismissed for the whole team').waitFor()
  assert.equal(await hasList(owner), false)
  assert.equal(await hasList(admin), false)
  const other = await world.open(admin)
  await other.goto(at('settings/shop'))
  const shown = other.getByRole('checkbox', { name: 'Show it in the overview' })
  assert.equal(await shown.isChecked(), false)
  await shown.click()
  await eventually('it is kept', () => shown.isChecked())
  await other.context().close()
  assert.equal(await hasList(owner), true)
  await page.context().close()
})
