// The dashboard's pages about money: a withdrawal is reviewed and requested by one person and approved by another, and the statement shows it.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { silentLog } from '#/kernel/log.ts'
import { sleep, systemClock } from '#/kernel/time.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import type { Tenant } from '../contract/world.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { axeFindings } from './axe.ts'
import { builtPages } from './dashboard-members.ts'
import { inEuro, refund, story } from './dashboard-money-records.ts'
import { sharedBrowser } from './shared-browser.ts'
import { playSubAccount } from './sub-account.ts'

let browser: Browser
let dashboard: DashboardWorld
let tenant: Tenant
let owner: Person
let base: string
before(async () => {
  browser = await sharedBrowser()
  const pages = await builtPages()
  dashboard = await openDashboardWorld({ pages: () => pages })
  tenant = await dashboard.base.openTenant()
  await dashboard.base.fund(tenant, 100_000n)
  await writeLimit(dashboard.base.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: null,
    dayMinor: 90_000n,
    approvalAboveMinor: 10_000n,
    listedOnly: false,
  })
  owner = await dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }])
  base = `${dashboard.origin}/m/${tenant.id}`
})
after(() => dashboard.close())

/** A browser of its own, in English; with a person it is signed in. axe is not the page's own script, so it bypasses the policy. */
async function open(
  person?: Person,
  options: { colorScheme?: 'light' | 'dark'; width?: number } = {},
): Promise<Page> {
  const { colorScheme = 'light', width = 1_280 } = options
  const context = await browser.newContext({
    locale: 'en',
    colorScheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    bypassCSP: true,
  })
  if (person !== undefined) {
    const [name = '', value = ''] = person.cookie.split('=')
    await context.addCookies([{ name, value, url: dashboard.origin, httpOnly: true, sameSite: 'Strict' }])
  }
  return context.newPage()
}

/** Sends what is due; the recipient's bank takes it. */
async function payOut(): Promise<void> {
  const { sql, lane } = dashboard.base
  const rails = testPayoutRails(async () => ({ state: 'done', evidence: Buffer.from('done') }))
  const kind = payoutKind(rails)
  await sql`update withdrawal_due set due_at = now() - interval '1 second'`
  await sendDueWithdrawals({
    sql,
    rails,
    lane,
    decisionKind: decisionKind(rails),
    clock: systemClock,
    log: silentLog,
    settle: (withdrawal, news) => settlePayout({ lane, kind, log: silentLog }, withdrawal, news),
  })
}

test('a withdrawal is reviewed and requested by one person, approved by another, and in the statement', async () => {
  const page = await open(owner)
  await page.goto(`${base}/withdrawals`)
  await page.getByRole('link', { name: 'New withdrawal' }).click()
  await page.getByLabel('Key type').selectOption('EMAIL')
  await page.getByRole('textbox', { name: 'Pix key' }).fill('ana@example.com')
  await page.getByRole('textbox', { name: 'Amount' }).fill('150.00')
  await page.getByRole('button', { name: 'Review' }).click()

  // The review names the amount, the fee, the destination and what stays.
  const review = page.getByRole('region', { name: 'Review the withdrawal' })
  for (const text of ['ana@example.com', 'R$0.00', 'R$850.00', 'R$900.00', 'needs another person'])
    await review.getByText(text).first().waitFor()
  await review.getByRole('button', { name: 'Withdraw R$150.00' }).click()
  await page.waitForURL(/\/withdrawals\/[0-9a-f-]{36}$/)
  const address = page.url()

  // The person who made the request is shown why there is no button, and the server refuses the decision too.
  await page.getByText('You requested this withdrawal').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  const id = address.split('/').at(-1) ?? ''
  const own = await owner.ask('POST', `/api/m/${tenant.id}/withdrawals/${id}/approve`, {})
  assert.equal(own.status, 403, own.text)

  const invited = await owner.ask('POST', `/api/m/${tenant.id}/invitations`, {
    email: 'second@example.com',
    role: 'FINANCE',
  })
  assert.equal(invited.status, 201, invited.text)
  const other = await open()
  await other.goto(String(invited.body['url']))
  await other.getByRole('textbox', { name: 'Name' }).fill('Second Person')
  await other.getByLabel('Password').first().fill('a long enough word for a test')
  await other.getByRole('button', { name: 'Accept and sign in' }).click()
  await other.waitForURL(`${base}**`)
  await other.goto(address)
  await other.getByRole('button', { name: 'Approve' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByText('ana@example.com').waitFor()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await other.getByText('Queued').waitFor()

  // Both pages follow by themselves.
  await payOut()
  for (const each of [page, other]) await each.getByText('Completed', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'BRL' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Withdrawal' })
  await row.getByText('−R$150.00').waitFor()
  await row.getByText('R$850.00').waitFor()
  await row.getByRole('link', { name: 'Withdrawal' }).click()
  await page.waitForURL(address)
  for (const each of [page, other]) await each.context().close()
})

test('money moves between own wallets, and the file for accounting has it', async () => {
  const page = await open(owner)
  await page.goto(`${base}/wallets`)
  await page.getByRole('button', { name: 'New wallet' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Taxes')
  await page.getByLabel('Reserve').check()
  await page.getByRole('button', { name: 'Create wallet' }).click()
  await page.getByRole('link', { name: 'Taxes' }).waitFor()
  await page.getByRole('button', { name: 'Transfer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('12.34')
  await dialog.getByText('New balance in Taxes').waitFor()
  await dialog.getByRole('button', { name: 'Transfer R$12.34' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Taxes' }).click()
  await page.getByText('+R$12.34').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download OFX' }).click(),
  ])
  assert.match(
    await readFile(await download.path(), 'utf8'),
    /<TRNTYPE>XFER<\/TRNTYPE>.*<TRNAMT>12.34<\/TRNAMT>/,
  )
  await page.context().close()
})

test('a sub-account is made, gets its share and a key, gives grants, and owes what a dispute took until its next shares repay it', () =>
  playSubAccount({ dashboard, tenant, owner, open }))

test('a table of withdrawals with a fault is not requested, and says which row', async () => {
  const page = await open(owner)
  await page.goto(`${base}/withdrawals/batches/new`)
  const send = async (rows: string) => {
    const buffer = Buffer.from(`type,amount,currency,pixKey,pixKeyType\n${rows}`)
    await page.getByLabel('CSV file').setInputFiles({ name: 'batch.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Request 2 withdrawals' }).click()
  }
  await send('PIX,100,BRL,ana@example.com,EMAIL\nPIX,2.00,BRL,eva@example.com,EMAIL\n')
  await page.getByText('Row 3, amount').waitFor()
  await send('PIX,100,BRL,ana@example.com,EMAIL\nPIX,200,BRL,eva@example.com,EMAIL\n')
  await page.waitForURL(/\/batches\/[0-9a-f-]{36}$/)
  await page.getByText('0 of 2 ended').waitFor()
  await page.getByRole('link', { name: 'R$2.00' }).waitFor()
  await page.context().close()
})

test('a part of a payment that failed and is asked for again takes away neither the page nor what is typed in its dialog', async () => {
  const page = await open(owner)
  const shares = new RegExp(`/api/m/[^/]+/payments/${inEuro.id}/shares$`)
  const answers: string[] = []
  await page.route(new RegExp(`/api/m/[^/]+/payments/${inEuro.id}$`), (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify(inEuro) }),
  )
  await page.route(shares, async (route) => {
    answers.push('failed')
    await route.fulfill({
      status: 404,
      contentType: 'application/problem+json',
      body: '{"code":"not_found"}',
    })
  })
  const announced = Promise.withResolvers<void>()
  await page.route('**/live', async (route) => {
    await announced.promise
    const data = { number: 1, type: 'payment.completed', subject: { kind: 'payment', id: inEuro.id } }
    await route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(data)}\n\n` })
  })
  await page.goto(`${base}/payments/${inEuro.id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const reason = page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })
  await reason.fill('Broken cup')
  const before = answers.length
  announced.resolve()
  await eventually('it is asked for again', () => answers.length > before)
  await sleep(200)
  assert.equal(await reason.inputValue(), 'Broken cup')
  await page.context().close()
})

test('a bank transfer is refunded to the account that paid or to another one; a boleto is not, and the dialog says why', async () => {
  const page = await open(owner)
  const sender = { iban: 'DE89370400440532013000', beneficiary: 'Ana Müller' }
  const sent: unknown[] = []
  let shown = inEuro
  const api = (path: string, answer: () => unknown) =>
    page.route(new RegExp(`/api/m/[^/]+/payments/${inEuro.id}${path}`), (route, request) => {
      if (request.method() === 'POST' && request.url().endsWith('/refunds')) sent.push(request.postDataJSON())
      return route.fulfill({ contentType: 'application/json', body: JSON.stringify(answer()) })
    })
  await api('$', () => shown)
  await api('/explain', () => ({ ...story, id: inEuro.id, kind: 'PAYMENT', status: 'PAID' }))
  await api('/senders$', () => ({ senders: [{ method: 'SEPA_TRANSFER', refundable: 4_500, ...sender }] }))
  const made = { ...refund, ...sender, currency: 'EUR' }
  await api('/refunds$', () => made)
  await api('/refunds/review$', () => ({ outcome: made }))
  const dialog = page.getByRole('dialog')
  const openDialog = async () => {
    await page.goto(`${base}/payments/${inEuro.id}`)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
  }
  await openDialog()
  await dialog.getByText('DE89 3704 0044 0532 0130 00 · Ana Müller').waitFor()
  assert.deepEqual(await axeFindings(page), [], 'a refund by bank transfer')
  await dialog.getByRole('button', { name: /^Refund €/ }).click()
  await dialog.waitFor({ state: 'hidden' })
  await openDialog()
  await dialog.getByText('Another account').click()
  await dialog.getByRole('button', { name: /^Refund €/ }).click()
  await dialog.getByText('Enter the full IBAN.').waitFor()
  await dialog.getByLabel('Recipient’s IBAN').fill('FR14 2004 1010 0505 0001 3M02 606')
  await dialog.getByLabel('Account holder').fill('Rui')
  await dialog.getByRole('button', { name: /^Refund €/ }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.deepEqual(sent, [
    { amount: 4_500 },
    { amount: 4_500, iban: 'FR14 2004 1010 0505 0001 3M02 606', beneficiary: 'Rui' },
  ])
  shown = { ...inEuro, currency: 'BRL', paymentMethod: 'BOLETO', paymentMethods: ['BOLETO'] }
  await openDialog()
  await dialog.getByText('A boleto cannot be refunded').waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Refund/ }).count(), 0)
  await page.context().close()
})
