// The way through the dashboard, in a browser: the groups of the menu for each role, the addresses of its entries and tabs, and the
// operator's console, which stands behind the switcher.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { roles, type Role } from '#/people/roles.ts'
import type { Tenant } from '../contract/world.ts'
import type { Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { viewports } from './viewports.ts'

let world: BrowserWorld
let tenant: Tenant
let live: Tenant
let owner: Person
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
  tenant = await world.dashboard.base.openTenant()
  live = await world.dashboard.base.openTenant('LIVE')
  owner = await world.dashboard.person(
    [tenant, live].map(({ id }) => ({ merchantId: id, role: 'OWNER' as const })),
  )
})
after(() => world.close())

const at = (path: string, of: Pick<Tenant, 'id'> = tenant) =>
  `${world.dashboard.origin}/m/${of.id}${path === '' ? '' : `/${path}`}`
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Navigation' })

const selling = ['Payments', 'Payment links', 'Refunds', 'Disputes', 'Templates']
const money = ['Wallets', 'Withdrawals', 'Sub-accounts', 'Reports']
const team = ['People', 'Settings']

/** What each role finds in the menu, and which tabs of the developers' area. */
const shown: Readonly<Record<Role, { readonly menu: readonly string[]; readonly tabs: readonly string[] }>> =
  {
    OWNER: full(['Keys', 'Webhooks', 'Events', 'Logs', 'Test']),
    ADMIN: full(['Keys', 'Webhooks', 'Events', 'Logs', 'Test']),
    DEVELOPER: {
      menu: [
        'Overview',
        ...selling,
        ...money.filter((each) => each !== 'Withdrawals'),
        'Developers',
        ...team,
      ],
      tabs: ['Keys', 'Webhooks', 'Events', 'Logs', 'Test'],
    },
    FINANCE: { menu: ['Overview', ...selling, ...money, ...team], tabs: [] },
    SUPPORT: {
      menu: ['Overview', ...selling, 'Sub-accounts', 'Developers', ...team],
      tabs: ['Webhooks', 'Events', 'Logs'],
    },
    VIEWER: full(['Webhooks', 'Events']),
  }

function full(tabs: readonly string[]) {
  return { menu: ['Overview', ...selling, ...money, 'Developers', ...team], tabs }
}

for (const role of roles)
  test(`the menu and the developers' tabs of ${role} hold what the role may use, and nothing else`, async () => {
    const page = await world.open(await world.dashboard.person([{ merchantId: tenant.id, role }]))
    await page.goto(at('developers'))
    const { menu, tabs } = shown[role]
    await menuOf(page).getByRole('link', { name: 'Overview' }).waitFor()
    assert.deepEqual(await menuOf(page).getByRole('link').allInnerTexts(), menu)
    if (tabs.length === 0) await page.getByText('Your role does not have access to this page').waitFor()
    else {
      const area = page.getByRole('navigation', { name: 'Developers' })
      await area.getByRole('link').first().waitFor()
      assert.deepEqual(await area.getByRole('link').allInnerTexts(), tabs)
    }
    await page.context().close()
  })

test('each entry and tab has an address that opens by typing it; old addresses lead to the new; back goes back', async () => {
  const page = await world.open(owner)
  await page.goto(at(''))
  await menuOf(page).getByRole('link', { name: 'Developers' }).click()
  await page.waitForURL(at('developers/keys'))
  for (const [tab, path] of [
    ['Webhooks', 'developers/webhooks'],
    ['Events', 'developers/events'],
    ['Logs', 'developers/logs'],
    ['Test', 'developers/test'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Developers' }).getByRole('link', { name: tab }).click()
    await page.waitForURL(at(path))
  }
  await page.goBack()
  await page.waitForURL(at('developers/logs'))
  // The address of the area is no stop on the way back.
  await page.goto(at('developers'))
  await page.waitForURL(at('developers/keys'))
  await page.goBack()
  await page.waitForURL(at('developers/logs'))
  for (const [old, present] of [
    ['developers/deliveries?status=FAILED', 'developers/webhooks/deliveries?status=FAILED'],
    ['developers/recoveries', 'developers/webhooks/recoveries'],
    ['developers/requests', 'developers/logs'],
    ['developers/problems', 'developers/logs/problems'],
    ['developers/rehearsals', 'developers/test'],
    [`developers/rehearsals/${tenant.id}`, `developers/test/${tenant.id}`],
    ['developers/clock', 'developers/test/clock'],
  ] as const) {
    await page.goto(at(old))
    await page.waitForURL(at(present))
  }
  // Of two entries below the same address, one is marked.
  await page.goto(at('settings/members'))
  const marked = menuOf(page).locator('[aria-current=page]')
  await eventually('the entry is marked', async () => (await marked.allInnerTexts()).join() === 'People')
  await page.context().close()
})

test('a live merchant has no tools of the sandbox, by the menu or by their address', async () => {
  const page = await world.open(owner)
  await page.goto(at('developers/keys', live))
  const area = page.getByRole('navigation', { name: 'Developers' })
  await area.getByRole('link', { name: 'Logs' }).waitFor()
  assert.equal(await area.getByRole('link', { name: 'Test' }).count(), 0)
  await page.goto(at('developers/test/clock', live))
  await page.getByText('Your role does not have access to this page').waitFor()
  await page.context().close()
})

test('the console stands behind the switcher, by the keyboard too, and its entries are in no merchant’s menu', async () => {
  const operator = await world.dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }], {
    isOperator: true,
  })
  const page = await world.open(operator)
  await page.goto(at(''))
  await menuOf(page).getByRole('link', { name: 'Payments' }).waitFor()
  assert.equal(await menuOf(page).getByRole('link', { name: 'Stuck refunds' }).count(), 0)
  await page.getByRole('button', { name: /^Switch account/ }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Operator console' }).press('Enter')
  await page.waitForURL(`${world.dashboard.origin}/operator`)
  await menuOf(page).getByRole('link', { name: 'Stuck refunds' }).waitFor()
  assert.equal(await menuOf(page).getByRole('link', { name: 'Payments' }).count(), 0)
  await page.getByRole('button', { name: 'Switch account: Operator console' }).waitFor()
  await page.goBack()
  await menuOf(page).getByRole('link', { name: 'Payments' }).waitFor()
  await page.context().close()
  const other = await world.open(owner)
  await other.goto(at(''))
  await other.getByRole('button', { name: /^Switch account/ }).click()
  await other.getByRole('menuitemradio').first().waitFor()
  assert.equal(await other.getByRole('menuitemradio', { name: 'Operator console' }).count(), 0)
  await other.context().close()
})

for (const { colorScheme, width } of viewports)
  test(`the menu and the tabs fit and can be read, ${colorScheme} ${width} px`, async () => {
    const page = await world.open(owner, colorScheme, width)
    await page.goto(at('developers/webhooks/deliveries'))
    await page
      .getByRole('navigation', { name: 'Webhooks' })
      .getByRole('link', { name: 'Deliveries' })
      .waitFor()
    await world.examine(page, `tabs ${width}`)
    const opener = page.getByRole('button', { name: 'Open navigation' })
    if (await opener.isVisible()) {
      await opener.click()
      await page.getByRole('dialog').getByRole('group', { name: 'Money' }).waitFor()
      await world.examine(page, `menu ${width}`)
      await page.getByRole('dialog').getByRole('link', { name: 'Wallets' }).click()
      await page.waitForURL(at('wallets'))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.context().close()
  })
