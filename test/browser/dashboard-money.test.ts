// The dashboard's pages about money: a withdrawal is reviewed and requested by one person and approved by another, the statement shows it, and
// every page is examined by axe in both themes.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { writeLimit } from '#/withdrawals/limit-queries.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { withdrawalBody, type Tenant } from '../contract/site.ts'
import { openDashboardDesk, type DashboardDesk, type Person } from '../dashboard/desk.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { axeFindings } from './axe.ts'
import { builtPages } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { playSubAccount } from './sub-account.ts'
import { examinedIn, fitsWidths, viewports } from './viewports.ts'

let browser: Browser
let desk: DashboardDesk
let tenant: Tenant
let owner: Person
let base: string
before(async () => {
  browser = await sharedBrowser()
  const pages = await builtPages()
  desk = await openDashboardDesk({ pages: () => pages })
  tenant = await desk.site.openTenant()
  await desk.site.fund(tenant, 100_000n)
  await writeLimit(desk.site.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: null,
    dayMinor: 90_000n,
    approvalAboveMinor: 10_000n,
    listedOnly: false,
  })
  owner = await desk.person([{ merchantId: tenant.id, role: 'OWNER' }])
  base = `${desk.origin}/m/${tenant.id}`
})
after(() => desk.close())

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
  context.setDefaultTimeout(20_000)
  if (person !== undefined) {
    const [name = '', value = ''] = person.cookie.split('=')
    await context.addCookies([{ name, value, url: desk.origin, httpOnly: true, sameSite: 'Strict' }])
  }
  return context.newPage()
}

/** Sends what is due; the recipient's bank takes it. */
async function payOut(): Promise<void> {
  const { sql, lane } = desk.site
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
  await page.getByLabel('Type of key').selectOption('EMAIL')
  await page.getByRole('textbox', { name: 'Pix key' }).fill('ana@example.com')
  await page.getByRole('textbox', { name: 'Amount' }).fill('150.00')
  await page.getByRole('button', { name: 'Review' }).click()

  // The review names the amount, the fee, the destination and what stays.
  const review = page.getByRole('region', { name: 'Review the withdrawal' })
  for (const text of ['ana@example.com', 'R$0.00', 'R$850.00', 'R$900.00', 'waits until another person'])
    await review.getByText(text).first().waitFor()
  await review.getByRole('button', { name: 'Withdraw R$150.00' }).click()
  await page.waitForURL(/\/withdrawals\/[0-9a-f-]{36}$/)
  const address = page.url()

  // Who asked is told why there is nothing to press, and the server refuses it too.
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
  await other.getByText('In the queue').waitFor()

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
  await dialog.getByText('Will be in Taxes').waitFor()
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

test('a sub-account is made, gets its share and a key, gives grants, and owes what a dispute took', () =>
  playSubAccount({ desk, tenant, owner, open }))

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

/** Records that nothing here makes by itself, as the API shows them. */
const dispute = {
  id: '01a20acf-0d11-7622-b233-56008a0ef732',
  paymentId: '01a20acf-2bda-76b0-a4c7-a6d7cb573d1f',
  reason: 'product_not_received',
  mode: 'SANDBOX',
  status: 'OPEN',
  kind: 'CHARGEBACK',
  amount: 4_990,
  currency: 'BRL',
  fee: 1_500,
  createdAt: new Date().toISOString(),
  evidenceDueAt: new Date(Date.now() + 3.5 * 86_400_000).toISOString(),
  version: 1,
}
const evidence = {
  disputeId: dispute.id,
  status: 'DRAFT',
  canChange: true,
  texts: { productDescription: 'Coffee, 1 kg' } as Record<string, string>,
  files: [] as unknown[],
  version: 1,
}
const refund = {
  id: '01a20acf-2c3c-741e-ba1c-7d82b7db2c71',
  mode: 'SANDBOX',
  paymentId: '01a20acf-2bda-76b0-a4c7-a6d7cb573d1f',
  status: 'PENDING',
  amount: 1_000,
  currency: 'BRL',
  approvalRequired: true,
  createdAt: new Date().toISOString(),
  version: 1,
}
const story = {
  id: refund.id,
  kind: 'REFUND',
  status: 'PENDING',
  language: 'en',
  summary: 'It waits.',
  steps: [],
}

async function answerWith(page: Page): Promise<void> {
  const json = (body: unknown) => JSON.stringify(body)
  for (const [kind, record] of [
    ['disputes', dispute],
    ['refunds', refund],
  ] as const) {
    await page.route(new RegExp(`/api/m/[^/]+/${kind}\\?`), (route) =>
      route.fulfill({ contentType: 'application/json', body: json({ data: [record] }) }),
    )
    await page.route(`**/${kind}/${record.id}`, (route, request) =>
      request.url().includes('/api/')
        ? route.fulfill({ contentType: 'application/json', body: json(record) })
        : route.continue(),
    )
  }
  await page.route(`**/disputes/${dispute.id}/evidence`, (route) =>
    route.fulfill({ contentType: 'application/json', body: json(evidence) }),
  )
  await page.route(`**/payments/${dispute.paymentId}/explain?*`, (route) =>
    route.fulfill({ contentType: 'application/json', body: json(story) }),
  )
  await page.route(`**/refunds/${refund.id}/explain?*`, (route) =>
    route.fulfill({ contentType: 'application/json', body: json(story) }),
  )
}

test('evidence is written, reviewed and submitted by the keyboard; then it is shown, with its person', async () => {
  const page = await open(owner, { width: 1_280 })
  await answerWith(page)
  const members = await owner.ask('GET', `/api/m/${tenant.id}/members`)
  const [me] = members.body['data'] as readonly { keyId: string; name: string }[]
  let now: Record<string, unknown> = { ...evidence }
  const sent: unknown[] = []
  await page.route(`**/disputes/${dispute.id}/evidence**`, async (route, request) => {
    const body = request.postDataJSON() as Record<string, unknown> | null
    const [, path = ''] = request.url().split('/evidence')
    if (body !== null) sent.push([request.method(), path, body])
    if (path === '/files') {
      const { kind, name, content } = body ?? {}
      const size = Buffer.from(String(content), 'base64').length
      now = { ...now, files: [{ kind, name, size, sha256: 'ab'.repeat(32) }], version: 2 }
    } else if (path === '/submit') {
      const at = new Date().toISOString()
      now = { ...now, status: 'SENT', canChange: false, submittedAt: at, submittedBy: me?.keyId, sentAt: at }
    } else if (request.method() === 'PATCH') {
      now = { ...now, texts: { ...evidence.texts, ...(body?.['texts'] as object | undefined) }, version: 3 }
    }
    await route.fulfill({ contentType: 'application/json', body: JSON.stringify(now) })
  })
  await page.goto(`${base}/disputes/${dispute.id}`)
  // The fields of the reason are there, the others on request.
  const tracking = page.getByLabel('Tracking number')
  await tracking.waitFor()
  assert.equal(await page.getByLabel('Why the subscription was not canceled').count(), 0)
  assert.equal(await page.getByLabel('What was sold').inputValue(), 'Coffee, 1 kg')
  await page.getByLabel('Proof of delivery', { exact: true }).setInputFiles({
    name: 'delivery.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  })
  await page.getByText('delivery.pdf').waitFor()
  await tracking.focus()
  await page.keyboard.type('BR123456785BR')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('BR123456785BR').waitFor()
  await dialog.getByText('delivery.pdf').waitFor()
  assert.deepEqual(await axeFindings(page), [], 'the review')
  await dialog.getByRole('button', { name: 'Submit evidence' }).press('Enter')
  await page.getByText('The acquirer has the evidence').waitFor()
  await page.getByText('Submitted by').waitFor()
  assert.equal(await page.getByLabel('Tracking number').count(), 0)
  assert.deepEqual(await axeFindings(page), [], 'what was submitted')
  assert.deepEqual(sent, [
    [
      'POST',
      '/files',
      {
        kind: 'SHIPPING_DOCUMENTATION',
        name: 'delivery.pdf',
        content: Buffer.from('%PDF-1.7').toString('base64'),
      },
    ],
    ['PATCH', '', { texts: { shippingTrackingNumber: 'BR123456785BR' } }],
    ['POST', '/submit', { version: 3 }],
  ])
  await page.context().close()
})

/** The pages about money, and what each shows when it is complete. */
function pagesOf(walletId: unknown, withdrawalId: unknown) {
  return [
    ['wallets', 'Available'],
    [`wallets/${String(walletId)}`, 'Statement'],
    ['withdrawals', 'Completed'],
    ['withdrawals/new', 'available'],
    [`withdrawals/${String(withdrawalId)}`, 'You requested this withdrawal'],
    ['withdrawals/batches', 'In progress'],
    ['withdrawals/batches/new', 'CSV file'],
    ['withdrawals/schedules', 'No payout schedules'],
    ['withdrawals/schedules/new', 'Keep in the wallet'],
    ['refunds', 'Needs approval'],
    [`refunds/${refund.id}`, 'This refund waits'],
    ['disputes', 'Evidence due in 3 days'],
    [`disputes/${dispute.id}`, 'Tracking number'],
    ['reports', 'Closing balance'],
  ] as const
}

for (const [nth, { colorScheme, width }] of viewports.entries())
  test(`axe finds nothing on pages about money, ${width} px ${colorScheme}`, async () => {
    const page = await open(owner, { width, colorScheme })
    await answerWith(page)
    const made = await owner.ask(
      'POST',
      `/api/m/${tenant.id}/withdrawals`,
      withdrawalBody({ amount: 11_000 }),
    )
    const wallets = await owner.ask('GET', `/api/m/${tenant.id}/wallets`)
    const [wallet] = wallets.body['data'] as readonly { readonly id: string }[]
    for (const [path, text] of examinedIn(nth, pagesOf(wallet?.id, made.body['id']))) {
      await page.goto(`${base}/${path}`)
      await page.getByText(text).filter({ visible: true }).first().waitFor()
      await page.locator('.loading-line').first().waitFor({ state: 'detached' })
      assert.deepEqual(await axeFindings(page), [], path)
      await fitsWidths(page, path)
    }
    await page.context().close()
  })
