// The operator's page of one user in a browser: what becomes of the keys of a user who is disabled, and what only a command does for another operator.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Person } from '../dashboard/world.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'

let world: BrowserWorld
let console: Page
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
  const operator = await world.dashboard.person([], { isOperator: true })
  await world.dashboard.enrol(operator)
  console = await world.open(operator)
})
after(async () => {
  await console.context().close()
  await world.close()
})

/** Opens the page of a user. */
async function show({ userId }: Person): Promise<void> {
  await console.goto(`${world.dashboard.origin}/operator/users/${userId}`)
  await console.getByRole('region', { name: 'Access' }).waitFor()
}

test('a user is disabled, and the key that they made is handed to the member who is chosen', async () => {
  const { dashboard } = world
  const { sql } = dashboard.base
  const { id: merchantId } = await dashboard.base.openTenant()
  const [leaver, heir] = [
    await dashboard.person([{ merchantId, role: 'ADMIN' }]),
    await dashboard.person([{ merchantId, role: 'ADMIN' }]),
  ]
  await dashboard.enrol(leaver)
  const body = { name: 'till', scopes: ['payments:read'] }
  const made = await leaver.ask('POST', `/api/m/${merchantId}/keys`, body)
  assert.equal(made.status, 201, made.text)
  await show(leaver)
  await console.getByRole('button', { name: 'More actions' }).click()
  await console.getByRole('menuitem', { name: 'Disable' }).click()
  const dialog = console.getByRole('dialog')
  const keys = dialog.getByRole('region', { name: 'API keys' })
  await keys.getByText(/^till …/).waitFor()
  await keys.getByText('Last used: never').waitFor()
  await world.examine(console, 'the keys of a user who is disabled')
  await dialog.getByLabel('What happens to them').selectOption(heir.userId)
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await console.getByText('The user was disabled').waitFor()
  const [key] = await sql<{ holder: string; isRevoked: boolean }[]>`
    select person as holder, revoked_at is not null as "isRevoked" from api_key where id = ${String(made.body['id'])}`
  const [user] = await sql<{ email: string }[]>`select email from app_user where id = ${heir.userId}`
  assert.deepEqual(key, { holder: user?.email, isRevoked: false })
})

test('for another operator no button gets a password or takes factors: the commands stand there', async () => {
  const colleague = await world.dashboard.person([], { isOperator: true })
  await world.dashboard.enrol(colleague)
  await show(colleague)
  const access = console.getByRole('region', { name: 'Access' })
  await access.getByText(/\.\/vintem user reset \S+@\S+\s+\.\/vintem user factors \S+@\S+/).waitFor()
  await world.examine(console, 'another operator')
  assert.equal(await console.getByRole('button', { name: 'Link for a new password' }).count(), 0)
  await console.getByRole('button', { name: 'More actions' }).click()
  await console.getByRole('menuitem', { name: 'Disable' }).waitFor()
  assert.deepEqual(await console.getByRole('menuitem').allTextContents(), ['Disable'])
})
