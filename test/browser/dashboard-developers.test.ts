// The dashboard's developers and members, in a browser: a key that is rolled while in use, a delivery that fails and is sent again, a person
// who is invited, comes, is refused what the role lacks, and is removed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Api, Tenant } from '../contract/site.ts'
import type { Person } from '../dashboard/desk.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { deliverWebhooks, openDashboardWorld, type DashboardWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'

let world: DashboardWorld
let api: Api
let tenant: Tenant
let owner: Person
let page: Page
before(async () => {
  world = await openDashboardWorld(await sharedBrowser())
  api = await world.desk.site.openApi()
  tenant = await world.desk.site.openTenant()
  owner = await world.desk.person([{ merchantId: tenant.id, role: 'OWNER' }])
  page = await world.open(owner)
})
after(async () => {
  await page.context().close()
  await world.close()
})

const go = (to: Page, path: string) => to.goto(`${world.desk.origin}/m/${tenant.id}/${path}`)
const statusOf = async (key: string) => (await api.ask('GET', '/v1/me', { key })).status

/** The secret that a dialog shows once, and the dialog closed. */
async function keep(label: string): Promise<string> {
  const shown = page.getByRole('group', { name: label, exact: true })
  const secret = (await shown.innerText()).trim()
  await page.getByText('it is not shown again').waitFor()
  await page.getByRole('button', { name: 'I kept it' }).click()
  await shown.waitFor({ state: 'detached' })
  return secret
}

test('a key is made, works, is rolled while in use, and revoking one ends that one alone', async () => {
  await go(page, 'developers/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shop')
  await dialog.getByLabel('Webhooks: read').check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const first = await keep('Key')
  assert.match(first, /^vtm_test_/)
  assert.equal((await api.ask('GET', '/v1/events', { key: first })).status, 200)
  assert.equal((await api.ask('GET', '/v1/keys', { key: first })).status, 403)

  await page.getByRole('link', { name: 'Shop' }).click()
  await page.getByRole('button', { name: 'Roll' }).click()
  await page.getByRole('button', { name: 'Create the new key' }).click()
  const second = await keep('Key')
  assert.notEqual(second, first)
  await page
    .getByText(`…${second.slice(-4)}`, { exact: true })
    .first()
    .waitFor()
  assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 200])

  await go(page, 'developers/keys')
  await page.getByRole('link', { name: `…${first.slice(-4)}` }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('There is no way back.').waitFor()
  await page.getByRole('button', { name: 'Revoke for good' }).click()
  await page.getByText('Revoked', { exact: true }).first().waitFor()
  await eventually('the revoked key is refused', async () => (await statusOf(first)) === 401)
  assert.equal(await statusOf(second), 200)
})

test('an endpoint is added, its delivery fails, and is sent again when the server is mended', async () => {
  let isMended = false
  await using receiver = await startReceiver(() =>
    isMended ? { body: 'taken' } : { status: 500, body: '{"error":"<img src=x onerror=alert(1)>"}' },
  )
  await using _worker = deliverWebhooks(world.desk.site)
  await go(page, 'developers/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByLabel('Address').fill(`${receiver.origin}/hook`)
  await page.getByLabel('Description').fill('Accounting')
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
  assert.match(await keep('Secret'), /^whsec_/)
  await page.getByRole('heading', { name: 'Accounting' }).waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Failed, tries again').first().waitFor()
  await page.getByRole('link', { name: 'webhook_endpoint.ping' }).click()
  await page.getByText('HTTP 500').first().waitFor()
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor()
  // The headers are those that the receiver got, but for the signature.
  await page.getByRole('tab', { name: 'Request' }).click()
  const sent = receiver.calls.at(-1)?.headers ?? {}
  for (const name of ['webhook-id', 'webhook-timestamp', 'content-type', 'user-agent'])
    await page.getByText(`${name}: ${String(sent[name])}`).waitFor()
  assert.match(String(sent['webhook-signature']), /^v1,/)
  await page.getByText('webhook-signature: v1,…').waitFor()
  await page.getByRole('tab', { name: 'Answer' }).click()

  isMended = true
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  await page.getByText('taken').first().waitFor()
  assert.ok(receiver.calls.length >= 2)

  // The account has a secret of its own, for the addresses that records name.
  await go(page, 'developers/webhooks')
  await page
    .getByRole('region', { name: 'Secret of the account' })
    .getByRole('button', { name: 'Roll secret' })
    .click()
  await page.getByText('signs beside it for 24 hours').waitFor()
  await page.getByRole('button', { name: 'Create the new secret' }).click()
  assert.match(await keep('Secret'), /^whsec_/)
})

test('a person is invited, comes by the link, is refused what the role lacks, and is removed', async () => {
  await go(page, 'settings/members')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail').fill('vera@example.com')
  await page.getByRole('radio', { name: 'Viewer' }).check()
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const link = await keep('invitation link')
  await page.getByText('Open invitations').waitFor()

  const guest = await world.open()
  await guest.goto(link)
  await guest.getByLabel('Your name').fill('Vera')
  await guest.getByLabel('Password').fill('a sentence that nobody guesses')
  await guest.locator('button[type=submit]').click()
  await guest.waitForURL((url) => url.pathname.startsWith('/m/'))
  await go(guest, 'developers/keys')
  await guest.getByText('Your role does not see this page').waitFor()
  await go(guest, 'developers/webhooks')
  await guest.getByRole('link', { name: 'Accounting' }).waitFor()
  assert.equal(await guest.getByRole('button', { name: 'Add webhook' }).count(), 0)
  // What the page does not offer, the server refuses.
  const refused = await guest.evaluate<number>(
    `fetch('/api/m/${tenant.id}/keys', { method: 'POST', headers: { 'content-type': 'application/json' },
      body: '{"name":"x","scopes":["payments:read"]}' }).then(({ status }) => status)`,
  )
  assert.equal(refused, 403)

  await page.reload()
  await page.getByRole('button', { name: 'Actions for Vera' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await guest.goto(`${world.desk.origin}/m/${tenant.id}/developers/webhooks`)
  await guest.getByText('This page does not exist').waitFor()
  await guest.context().close()

  await go(page, 'settings/audit?action=member.remove')
  await page.getByRole('button', { name: 'Removed a person' }).click()
  await page.getByText('VIEWER').waitFor()
})
