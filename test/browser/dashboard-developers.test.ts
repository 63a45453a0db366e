// The dashboard's developers and members, in a browser: a key that is rolled while in use, a delivery that fails and is sent again, events that
// are searched and recovered, a rehearsal, the clock of the sandbox, and a person who is invited, comes, is refused what the role lacks, and
// is removed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { pollingPart, type Part } from '#/app/work.ts'
import { runParts } from '#/cli/run.ts'
import { createRecoverer } from '#/endpoints/upkeep.ts'
import { given } from '#/kernel/given.ts'
import { silentLog } from '#/kernel/log.ts'
import { endKind, expireDue } from '#/payments/end.ts'
import { createClockWorker } from '#/sandbox/clock/worker.ts'
import { paymentBody, type Api, type Tenant } from '../contract/world.ts'
import type { Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { openShop } from '../rehearsal-shop.ts'
import { rehearserOf, secret as rehearsalSecret } from '../rehearsal-world.ts'
import { deliverWebhooks, openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'

let world: BrowserWorld
let api: Api
let tenant: Tenant
let owner: Person
let page: Page
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
  api = await world.dashboard.base.openApi()
  tenant = await world.dashboard.base.openTenant()
  owner = await world.dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }])
  page = await world.open(owner)
})
after(async () => {
  await page.context().close()
  await world.close()
})

const go = (to: Page, path: string, at: Pick<Tenant, 'id'> = tenant) =>
  to.goto(`${world.dashboard.origin}/m/${at.id}/${path}`)
const statusOf = async (key: string) => (await api.ask('GET', '/v1/me', { key })).status

/** The secret that a dialog shows once, and the dialog closed. */
async function keep(label: string): Promise<string> {
  const shown = page.getByRole('group', { name: label, exact: true })
  const secret = (await shown.innerText()).trim()
  await page.getByText('it won’t be shown again').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
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
  await page.getByRole('button', { name: 'Rotate key' }).click()
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
  await page.getByText('This cannot be undone.').waitFor()
  await page.getByRole('button', { name: 'Revoke permanently' }).click()
  await page.getByText('Revoked', { exact: true }).first().waitFor()
  await eventually('the revoked key is refused', async () => (await statusOf(first)) === 401)
  assert.equal(await statusOf(second), 200)
})

test('an endpoint is added, its delivery fails, and is sent again when the server is mended', async () => {
  let isMended = false
  await using receiver = await startReceiver(() =>
    isMended ? { body: 'taken' } : { status: 500, body: '{"error":"<img src=x onerror=alert(1)>"}' },
  )
  await using _worker = deliverWebhooks(world.dashboard.base)
  await go(page, 'developers/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByLabel('Address').fill(`${receiver.origin}/hook`)
  await page.getByLabel('Description').fill('Accounting')
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
  assert.match(await keep('Secret'), /^whsec_/)
  await page.getByRole('heading', { name: 'Accounting' }).waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Failed, will retry').first().waitFor()
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
  await page.getByRole('tab', { name: 'Response' }).click()

  isMended = true
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  await page.getByText('taken').first().waitFor()
  assert.ok(receiver.calls.length >= 2)

  // The account has a secret of its own, for the addresses that records name.
  await go(page, 'developers/webhooks')
  await page
    .getByRole('region', { name: 'Account secret' })
    .getByRole('button', { name: 'Rotate secret' })
    .click()
  await page.getByText('keeps signing for 24 hours').waitFor()
  await page.getByRole('button', { name: 'Create the new secret' }).click()
  assert.match(await keep('Secret'), /^whsec_/)
})

/** A merchant of its own, so that nothing of another test is in its lists, and its owner's page. */
async function openShopWith(): Promise<{
  readonly own: Tenant
  readonly at: Page
  readonly close: () => Promise<void>
}> {
  const own = await world.dashboard.base.openTenant()
  const at = await world.open(await world.dashboard.person([{ merchantId: own.id, role: 'OWNER' }]))
  return { own, at, close: () => at.context().close() }
}

async function call(
  { key }: Tenant,
  method: string,
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await api.ask(method, path, { key, ...given({ body }) })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const makeWallet = (own: Tenant, label: string) =>
  call(own, 'POST', '/v1/wallets', { currency: 'BRL', walletType: 'SPENDABLE', label })

/** Works until it is disposed of. */
function working(...parts: readonly Part[]): AsyncDisposable {
  const { stop } = runParts(parts, silentLog)
  return { [Symbol.asyncDispose]: stop }
}

test('events are found by the id of what they are about, by type and by day, and the address keeps the search', async () => {
  const { own, at, close } = await openShopWith()
  const [first, second] = [await makeWallet(own, 'One'), await makeWallet(own, 'Two')]
  await go(at, 'developers/events', own)
  const rows = at.getByRole('main').getByRole('row').filter({ hasText: 'wallet.created' })
  await at.getByText(String(first['id'])).waitFor()
  const search = at.getByRole('searchbox')
  await search.fill(String(second['id']))
  await search.press('Enter')
  await at.getByText(String(first['id'])).waitFor({ state: 'detached' })
  assert.equal(await rows.count(), 1)
  assert.equal(new URL(at.url()).searchParams.get('q'), second['id'])
  await at.reload()
  await at.getByText(String(second['id'])).waitFor()
  assert.equal(await rows.count(), 1)
  await at.getByLabel('Type').selectOption('payment.completed')
  await at.getByText('Nothing matches these filters').waitFor()
  await at.getByLabel('Type').selectOption('wallet.created')
  await at.getByText(String(second['id'])).waitFor()
  await at.getByRole('textbox', { name: 'to', exact: true }).fill('01/01/2020')
  await at.getByText('Nothing matches these filters').waitFor()
  await go(at, 'developers/events?q=shop', own)
  await at.getByText('Nothing matches these filters').waitFor()
  await close()
})

test('what a server missed is recovered: a span is chosen, the progress is shown, and what failed arrives', async () => {
  const { own, at, close } = await openShopWith()
  const { sql } = world.dashboard.base
  let isMended = false
  await using receiver = await startReceiver(() => (isMended ? {} : { status: 500 }))
  await makeWallet(own, 'Before the webhook')
  await call(own, 'POST', '/v1/webhook-endpoints', { url: receiver.origin, description: 'Stock' })
  for (const label of ['One', 'Two', 'Three']) await makeWallet(own, label)
  {
    await using _worker = deliverWebhooks(world.dashboard.base)
    await receiver.until(({ length }) => length >= 3)
  }
  // They failed for good, without days of waiting.
  await sql`
    with gone as (delete from delivery_due where merchant_id = ${own.id} returning delivery_id)
    update delivery set status = 'EXHAUSTED' from gone where merchant_id = ${own.id} and id = gone.delivery_id`
  const events = (await call(own, 'GET', '/v1/events?limit=100'))['data'] as readonly Readonly<
    Record<string, unknown>
  >[]
  const all = events.length
  assert.ok(all >= 4, `${all} events`)
  isMended = true
  const before = receiver.calls.length

  await go(at, 'developers/webhooks/recoveries', own)
  await at.getByRole('button', { name: 'Recover events' }).click()
  const dialog = at.getByRole('dialog')
  await dialog.getByLabel('Send to').selectOption({ label: 'Stock' })
  await dialog.getByLabel('Events from').selectOption({ label: 'The last hour' })
  await dialog.getByRole('button', { name: 'Start' }).click()
  const list = at.getByRole('list', { name: 'Recoveries' })
  await list.getByText('In progress').waitFor()
  const recoverer = createRecoverer({ sql, log: silentLog }, { batch: 2, waiting: 100 })
  await recoverer.poll()
  await list.getByText(`2 of ${all} events seen`).waitFor()
  assert.equal(await list.getByRole('progressbar').getAttribute('aria-valuenow'), '2')
  await using _workers = working(pollingPart({ log: silentLog }, 'recoveries', () => recoverer.poll()))
  await using _deliverer = deliverWebhooks(world.dashboard.base)
  await list.getByText('Done', { exact: true }).waitFor()
  await list.getByText(`${all} of ${all} events seen · ${all} deliveries resent`).waitFor()
  await receiver.until(({ length }) => length >= before + all)
  const arrived = receiver.calls.slice(before).map(({ headers }) => headers['webhook-id'])
  assert.equal(arrived.length, all)
  assert.deepEqual(new Set(arrived), new Set(events.map(({ id }) => id)))
  await close()
})

test('a rehearsal is started, followed to its end, and its verdicts say what the server did wrong', async () => {
  const { own, at, close } = await openShopWith()
  await using shop = await openShop(rehearsalSecret, 'accepts forged deliveries')
  const rehearser = rehearserOf(world.dashboard.base)
  await using _worker = working({ name: 'rehearsals', run: (signal) => rehearser.run(signal) })
  await go(at, 'developers/test', own)
  await at.getByText('No tests yet').waitFor()
  await at.getByRole('button', { name: 'Test integration' }).first().click()
  const dialog = at.getByRole('dialog')
  await dialog.getByLabel('Your webhook address').fill(shop.url)
  await dialog.getByLabel('Status address').fill(shop.stateUrl)
  await dialog.getByRole('button', { name: 'Start the test' }).click()
  await at.waitForURL(/test\/[0-9a-f-]{36}$/)
  await eventually(
    'the rehearsal has ended',
    async () => (await at.getByText('In some cases your server would lose money').count()) === 1,
  )
  const cases = at.getByRole('listitem')
  const forged = cases.filter({ has: at.getByRole('heading', { name: 'Forged deliveries are refused' }) })
  await forged.getByText('Wrong', { exact: true }).waitFor()
  await forged.getByText('What to change').waitFor()
  await forged.getByText('Compute the HMAC over webhook-id').waitFor()
  await cases
    .filter({ has: at.getByRole('heading', { name: 'A signed event is accepted' }) })
    .getByText('Right', { exact: true })
    .waitFor()
  const id = at.url().split('/').at(-1) ?? ''
  const ended = await call(own, 'GET', `/v1/sandbox/rehearsals/${id}`)
  assert.deepEqual([ended['status'], ended['failed']], ['FAILED', 1])
  assert.equal(await at.getByText('Wrong', { exact: true }).count(), 1)
  await close()
})

test('the clock of the sandbox is moved, and an open payment expires', async () => {
  const { own, at, close } = await openShopWith()
  const { sql, lane, rails } = world.dashboard.base
  const payment = await call(own, 'POST', '/v1/payments', paymentBody())
  const status = async () => (await call(own, 'GET', `/v1/payments/${String(payment['id'])}`))['status']
  assert.equal(await status(), 'WAITING_PAYMENT')
  const clock = createClockWorker({ sql, lane, log: silentLog, onMoved: () => undefined })
  await using _workers = working(
    { name: 'clock', run: (signal) => clock.run(signal) },
    pollingPart({ log: silentLog }, 'expiry', () => expireDue({ sql, lane, kind: endKind(rails) })),
  )
  await go(at, 'developers/test/clock', own)
  await at.getByText('not yet').waitFor()
  await at.getByLabel('Advance by').selectOption({ label: '1 day' })
  await at.getByRole('button', { name: 'Advance' }).click()
  await at.getByText('The clock is advancing.').waitFor()
  await eventually(
    'the clock is done',
    async () => (await at.getByRole('main').getByText('Done', { exact: true }).count()) === 1,
  )
  await at.getByText('P1D').waitFor()
  await eventually('the payment expires', async () => (await status()) === 'EXPIRED')
  await go(at, `payments/${String(payment['id'])}`, own)
  await at.getByText('Expired', { exact: true }).first().waitFor()
  await close()
})

test('a person is invited, comes by the link, is refused what the role lacks, and is removed', async () => {
  await go(page, 'settings/members')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill('vera@example.com')
  await page.getByRole('radio', { name: 'Viewer' }).check()
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const link = await keep('invitation link')
  await page.getByText('Pending invitations').waitFor()

  const guest = await world.open()
  await guest.goto(link)
  await guest.getByLabel('Your name').fill('Vera')
  await guest.getByLabel('Password').fill('a sentence that nobody guesses')
  await guest.locator('button[type=submit]').click()
  await guest.waitForURL((url) => url.pathname.startsWith('/m/'))
  await go(guest, 'developers/keys')
  await guest.getByText('Your role does not have access to this page').waitFor()
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
  await guest.goto(`${world.dashboard.origin}/m/${tenant.id}/developers/webhooks`)
  await guest.getByText('This page does not exist').waitFor()
  await guest.context().close()

  await go(page, 'settings/audit?action=member.remove')
  await page.getByRole('button', { name: 'Removed a person' }).click()
  await page.getByText('VIEWER').waitFor()
})
