// Forms of the dashboard by which money leaves: what the API will refuse is said at its field before a second factor is asked for, what
// waits says for whom, and what was typed survives a reload.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { insertDestination, writeLimit } from '#/money-out/queries.ts'
import type { Tenant } from '../contract/world.ts'
import type { Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { viewports } from './viewports.ts'

let world: BrowserWorld
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
})
after(() => world.close())

type Row = Readonly<Record<string, unknown>>

type Shop = { readonly tenant: Tenant; readonly owner: Person }

/** A live account with 1,000.00 BRL. A withdrawal is of at most 500.00, and another person approves what is above 100.00. */
async function openShop(mode: 'LIVE' | 'SANDBOX' = 'LIVE'): Promise<Shop> {
  const tenant = await world.dashboard.base.openTenant(mode)
  await world.dashboard.base.fund(tenant, 100_000n)
  await writeLimit(world.dashboard.base.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: 50_000n,
    dayMinor: null,
    approvalAboveMinor: 10_000n,
    listedOnly: false,
  })
  return { tenant, owner: await world.dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }]) }
}

const at = ({ id }: Tenant, path: string) => `${world.dashboard.origin}/m/${id}/${path}`
const main = (page: Page) => page.getByRole('main')
const amountOf = (page: Page) => page.getByRole('textbox', { name: 'Amount' })
const keyOf = (page: Page) => page.getByRole('textbox', { name: 'Pix key' })

/** The calls that move money, and not their reviews. */
function watchCalls(page: Page): readonly string[] {
  const calls: string[] = []
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    if (
      request.method() === 'POST' &&
      /\/(?:withdrawals|withdrawal-batches|payout-schedules)$/.test(pathname)
    )
      calls.push(pathname)
  })
  return calls
}

async function review(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review', exact: true }).click()
}

for (const { colorScheme, width } of viewports)
  test(`a withdrawal that the API would refuse is refused at its field, and no factor is asked for, ${colorScheme} ${width} px`, async () => {
    const { tenant, owner } = await openShop()
    const page = await world.open(owner, colorScheme, width)
    const calls = watchCalls(page)
    await page.goto(at(tenant, 'withdrawals/new'))
    await keyOf(page).fill('111.111.111-11')
    await amountOf(page).fill('10')
    await review(page)
    await page.getByText('Invalid CPF. Check the 11 digits.').waitFor()
    assert.equal(await keyOf(page).getAttribute('aria-invalid'), 'true')
    // The bar of a phone stays above what is scrolled.
    await page.evaluate('scrollTo(0, 0)')
    await world.examine(page, `a refused key ${width}`)
    await page.getByLabel('Key type').selectOption('EMAIL')
    await keyOf(page).fill('ana@example.com')
    await amountOf(page).fill('600')
    await review(page)
    await page.getByText('The account’s limits allow up to R$500.00 now.').waitFor()
    assert.equal(await amountOf(page).getAttribute('aria-invalid'), 'true')
    // Another page spent it meanwhile: this one still shows the balance of before.
    const { sql } = world.dashboard.base
    await sql`
      insert into fee_rule (merchant_id, method, currency, fixed_minor, rate_ppm, valid_from)
      values (${tenant.id}, 'PIX_WITHDRAWAL', 'BRL', 60000, 0, now())`
    await amountOf(page).fill('500')
    await review(page)
    await page.getByText('You are R$100.00 short for the amount and the fee. Lower the amount.').waitFor()
    await sql`
      insert into money_freeze (id, kind, merchant_id, reason, decided_by)
      values (gen_random_uuid(), 'FREEZE', ${tenant.id}, 'test', 'test')`
    await amountOf(page).fill('20')
    await review(page)
    await main(page).getByText('The account is frozen').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(calls, [])
    await page.context().close()
  })

test('a destination that is not listed, and one of our own, are told apart; a schedule says it before it is made', async () => {
  const { tenant, owner } = await openShop('SANDBOX')
  const page = await world.open(owner)
  const calls = watchCalls(page)
  await page.goto(at(tenant, 'withdrawals/schedules'))
  await page.getByText('only the operator puts it there').waitFor()
  await page.goto(at(tenant, 'withdrawals/schedules/new'))
  await page.getByLabel('Key type').selectOption('EMAIL')
  await keyOf(page).fill('ana@example.com')
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByText('This destination is not on the operator’s list.').waitFor()
  assert.equal(await keyOf(page).getAttribute('aria-invalid'), 'true')
  assert.deepEqual(calls, [])
  // What was typed is still there after a reload, and the list has the destination now.
  await page.reload()
  await keyOf(page).waitFor()
  assert.equal(await keyOf(page).inputValue(), 'ana@example.com')
  await world.dashboard.base.sql.begin((tx) =>
    insertDestination(tx, {
      merchantId: tenant.id,
      type: 'PIX',
      destination: 'ana@example.com',
      note: null,
    }),
  )
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await page.waitForURL(at(tenant, 'withdrawals/schedules'))
  await page.getByText('ana@example.com').waitFor()
  assert.equal(calls.length, 1)
  await page.goto(at(tenant, 'withdrawals/schedules/new'))
  assert.equal(await keyOf(page).inputValue(), '')
  await page.context().close()
})

test('a draft survives a reload; a lost answer and a reload lead to the one withdrawal; then the form is empty', async () => {
  const { tenant, owner } = await openShop('SANDBOX')
  const page = await world.open(owner)
  await page.goto(at(tenant, 'withdrawals/new'))
  await page.getByLabel('Key type').selectOption('EMAIL')
  await keyOf(page).fill('ana@example.com')
  await amountOf(page).fill('150.00')
  await page.reload()
  await amountOf(page).waitFor()
  assert.equal(await amountOf(page).inputValue(), '150.00')
  assert.equal(await keyOf(page).inputValue(), 'ana@example.com')
  await review(page)
  // Nobody else is there to approve it.
  await page.getByText('nobody else on the account can approve it').waitFor()
  await page.getByRole('button', { name: 'Go back and edit' }).click()
  await world.dashboard.person([{ merchantId: tenant.id, role: 'FINANCE' }])
  await review(page)
  await page
    .getByText('It needs another person’s approval before it is sent. Who can approve: Person.')
    .waitFor()
  const place = `**/api/m/${tenant.id}/withdrawals`
  await page.route(place, async (route, request) => {
    // The server has done it, and the answer does not arrive.
    const key = request.headers()['idempotency-key'] ?? ''
    const body = request.postDataJSON() as Row
    const made = await owner.ask('POST', `/api/m/${tenant.id}/withdrawals`, body, { 'idempotency-key': key })
    assert.equal(made.status, 201, made.text)
    await route.abort()
  })
  await page.getByRole('button', { name: 'Withdraw R$150.00' }).click()
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute(place)
  await page.reload()
  await review(page)
  await page.waitForURL(/\/withdrawals\/[0-9a-f-]{36}$/)
  await page.getByText('already requested').waitFor()
  const [{ count } = { count: 0n }] = await world.dashboard.base.sql<{ count: bigint }[]>`
    select count(*) as count from withdrawal where merchant_id = ${tenant.id}`
  assert.equal(count, 1n)
  await page.goto(at(tenant, 'withdrawals/new'))
  assert.equal(await amountOf(page).inputValue(), '')
  await page.context().close()
})

test('a table of withdrawals is reviewed as soon as it is chosen, and is still there after a reload', async () => {
  const { tenant, owner } = await openShop()
  const page = await world.open(owner)
  const calls = watchCalls(page)
  await page.goto(at(tenant, 'withdrawals/batches/new'))
  const choose = (lines: readonly string[]) =>
    page.getByLabel('CSV file').setInputFiles({
      name: 'suppliers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`type,amount,currency,pixKey,pixKeyType\n${lines.join('\n')}\n`),
    })
  await choose(['PIX,5000,BRL,11111111111,CPF', 'PIX,60000,BRL,ana@example.com,EMAIL'])
  for (const row of ['Row 2', 'Row 3']) await page.getByText(row).waitFor()
  await choose(['PIX,6000,BRL,ana@example.com,EMAIL', 'PIX,6000,BRL,rui@example.com,EMAIL'])
  await page.getByText('nobody else on the account can approve it').waitFor()
  await page.reload()
  await page.getByText('suppliers.csv').waitFor()
  await page.getByText('nobody else on the account can approve it').waitFor()
  assert.deepEqual(calls, [])
  await page.context().close()
})

test('signing out leaves no draft behind', async () => {
  const { tenant, owner } = await openShop('SANDBOX')
  const page = await world.open(owner)
  await page.goto(at(tenant, 'withdrawals/new'))
  await amountOf(page).fill('12')
  const kept = () => page.evaluate('Object.keys(sessionStorage).length')
  assert.equal(await kept(), 1)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${world.dashboard.origin}/sign-in`)
  await eventually('no draft is left', async () => (await kept()) === 0)
  await page.context().close()
})
