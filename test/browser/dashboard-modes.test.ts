// LIVE and SANDBOX in the dashboard: each screen shows clearly which merchant it is of, the switcher leads from one merchant to another,
// and an act with real money requires a second factor of a person without one. Also: a forgotten password, where mail is sent.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { MerchantId } from '#/kernel/id.ts'
import type { Letter } from '#/mail/letter.ts'
import type { Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { viewports } from './viewports.ts'

const banner = 'Sandbox: no real money'

let world: BrowserWorld
const letters: Letter[] = []
let merchants: Readonly<Record<'live' | 'twin' | 'other', MerchantId>>
let owner: Person
before(async () => {
  const post = async (letter: Letter) => void letters.push(letter)
  world = await openBrowserWorld(await sharedBrowser(), { post })
  const { base } = world.dashboard
  const [live, twin, other] = [
    await base.openTenant('LIVE'),
    await base.openTenant('SANDBOX'),
    await base.openTenant('LIVE'),
  ]
  for (const [{ id }, name] of [
    [live, 'Padaria Sol'],
    [twin, 'Padaria Sol'],
    [other, 'Mercado Lua'],
  ] as const)
    await base.sql`update merchant set name = ${name} where id = ${id}`
  merchants = { live: live.id, twin: twin.id, other: other.id }
  owner = await world.dashboard.person(
    [live, twin, other].map(({ id }) => ({ merchantId: id, role: 'OWNER' as const })),
  )
})
after(() => world.close())

const overviewOf = (id: MerchantId) => `${world.dashboard.origin}/m/${id}`

/** The page shows this merchant, and the banner where its money is not real. */
async function shows(page: Page, id: MerchantId, isSandbox: boolean): Promise<void> {
  await page.waitForURL(overviewOf(id))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await eventually('the banner', async () => (await page.getByText(banner).count()) === (isSandbox ? 1 : 0))
}

test('the banner is in SANDBOX and never in LIVE, and the switch goes to the same merchant in the other mode', async () => {
  const page = await world.open(owner)
  await page.goto(overviewOf(merchants.live))
  await shows(page, merchants.live, false)
  const modes = page.getByRole('group', { name: 'Mode' })
  assert.equal(await modes.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed'), 'true')
  await modes.getByRole('button', { name: 'Sandbox' }).click()
  await shows(page, merchants.twin, true)
  assert.equal(await modes.getByRole('button', { name: 'Sandbox' }).getAttribute('aria-pressed'), 'true')
  await modes.getByRole('button', { name: 'Live' }).click()
  await shows(page, merchants.live, false)
  // On every screen, not on the first alone.
  await page.goto(`${overviewOf(merchants.twin)}/settings/members`)
  await page.getByText(banner).waitFor()
  await page.goto(`${overviewOf(merchants.live)}/settings/members`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.getByText(banner).count(), 0)
  await page.context().close()
})

test('the switcher lists the merchants by mode, by the keyboard too, and the next visit begins where the last one was', async () => {
  const page = await world.open(owner)
  await page.goto(overviewOf(merchants.twin))
  await shows(page, merchants.twin, true)
  await page.getByRole('button', { name: /^Switch account: Padaria Sol/ }).press('Enter')
  const menu = page.getByRole('menu')
  for (const heading of ['Live', 'Sandbox']) await menu.getByText(heading, { exact: true }).waitFor()
  await world.examine(page, 'the switcher')
  await menu
    .getByRole('menuitem', { name: /Mercado Lua/ })
    .or(menu.getByRole('menuitemradio', { name: /Mercado Lua/ }))
    .click()
  await shows(page, merchants.other, false)
  await page.goto(world.dashboard.origin)
  await shows(page, merchants.other, false)
  await page.context().close()
})

test('in LIVE, who has no second factor is asked for one before a key is made, and led to where it is added', async () => {
  const page = await world.open(owner)
  await page.goto(`${overviewOf(merchants.live)}/developers/keys`)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const form = page.getByRole('dialog', { name: /key/i })
  await form.getByLabel('Name').fill('Shop')
  await form.getByLabel('Payments: read').check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'You have no second factor yet' })
  await dialog.waitFor()
  await world.examine(page, 'no second factor')
  await dialog.getByRole('link', { name: 'Add one in Security' }).click()
  await page.waitForURL(`${overviewOf(merchants.live)}/settings/security`)
  const { body } = await owner.ask('GET', `/api/m/${merchants.live}/keys`)
  assert.equal((body['data'] as readonly unknown[]).length, 1)
  await page.context().close()
})

for (const { colorScheme, width } of viewports)
  test(`who forgot the password gets a link by mail, and nobody learns who has an account, ${colorScheme} ${width} px`, async () => {
    const page = await world.open(undefined, colorScheme, width)
    const ask = async (email: string) => {
      await page.goto(`${world.dashboard.origin}/sign-in`)
      await page.getByRole('button', { name: 'Forgot the password?' }).click()
      await world.examine(page, `forgot ${width}`)
      await page.getByLabel('Your email').fill(email)
      await page.getByRole('button', { name: 'Send a link' }).click()
      await page.getByText('If an account has this email').waitFor()
    }
    // Whether there is an account is looked up by the worker that sends.
    for (const email of ['nobody@example.com', owner.email]) {
      letters.length = 0
      await ask(email)
      assert.deepEqual(letters, [{ kind: 'RESET_REQUEST', email }])
    }
    await world.examine(page, `a link was sent ${width}`)
    await page.context().close()
  })
