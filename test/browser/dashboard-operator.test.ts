// The operator's console in a browser: a merchant and a connection are added, tested and verified; for others it does not exist.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { newId } from '#/kernel/id.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { eventually } from '../eventually.ts'
import { call } from '../journeys/merchant.ts'
import { sharedInstallation, talkative } from '../journeys/shared-installation.ts'
import { notificationFile } from '../rails/sepa-files.ts'
import { sharedBrowser } from './shared-browser.ts'

type Application = Readonly<
  Record<'clientId' | 'clientSecret' | 'certificate' | 'privateKey' | 'ca' | 'pixKey', string>
>

/** Opens an account at the sandbox's bank, as a merchant's operator does at a real one. */
async function applyAtBank(controlUrl: string): Promise<Application> {
  const answer = await fetch(`${controlUrl}/_sim/applications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Padaria Sol',
      scopes: ['cob.write', 'cob.read', 'pix.read', 'webhook.write', 'webhook.read'],
    }),
  })
  assert.ok(answer.ok, await answer.clone().text())
  return (await answer.json()) as Application
}

/** Accepts the link of an invitation or a new password. */
async function accept(page: Page, link: string, name?: string): Promise<void> {
  await page.goto(link)
  if (name !== undefined) await page.getByLabel('Your name').fill(name)
  await page.locator('[name="password"]').fill('bolo de fuba com cafe')
  await page.locator('button[type="submit"]').click()
}

/**
 * A refusal for lack of a second factor says how to get one, also to an operator without a merchant. Adds an authenticator app by clicks;
 * from then on the session has a fresh factor.
 */
async function addFactor(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New merchant' }).first().click()
  await dialog.getByLabel('Name').fill('Padaria Real')
  await dialog.getByText('Real money').click()
  await dialog.getByRole('button', { name: 'New merchant' }).click()
  await page.getByRole('link', { name: 'Add one in Security' }).click()
  await page.waitForURL('**/account/security')
  await page.getByText('Authenticator app').first().waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  const secret = await dialog.getByText(/^[A-Z2-7]{26,}=*$/).textContent()
  await dialog.getByLabel('Code shown by the app').fill(generateSync({ secret: secret ?? '' }))
  await dialog.getByRole('button', { name: 'Confirm and turn on' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
}

/** The palette and the account menu offer the console and what belongs to the user, and nothing that needs a merchant. */
async function goByPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByLabel('Time zone').waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  await palette.getByRole('option', { name: 'Security' }).waitFor()
  assert.equal(await palette.getByRole('option', { name: 'Payments' }).count(), 0)
  await palette.getByRole('combobox').fill('merch')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/operator/merchants')
}

/** Freezes the partner's wallet, whose money no other test of this installation sends, and lifts it. */
async function freezeAndLift(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Freeze' }).click()
  const offered = await dialog.getByRole('combobox').getByRole('option').allTextContents()
  assert.ok(offered.includes('SEPA transfer') && !offered.includes('Boleto'), offered.join())
  await dialog.getByRole('combobox').selectOption('PARTNER_PAY')
  await dialog.getByRole('button', { name: 'Freeze' }).click()
  await dialog.getByText('Enter the reason in a few words.').waitFor()
  await dialog.getByLabel('Reason').fill('the partner is attacked')
  await dialog.getByRole('button', { name: 'Freeze' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'the partner is attacked' })
  await line.getByText('olga@example.com').waitFor()
  await line.getByRole('button', { name: /^Unfreeze/ }).click()
  await dialog.getByLabel('Reason').fill('it is over')
  await dialog.getByRole('button', { name: 'Unfreeze' }).click()
  await line.waitFor({ state: 'detached' })
}

/** The IBAN of the sandbox's account. */
async function ibanOf(page: Page): Promise<string> {
  const body = await page.evaluate(async () => (await fetch('/api/operator/connections?limit=100')).json())
  const { data } = body as { data: readonly { method: string; settings: Readonly<Record<string, string>> }[] }
  return data.find(({ method }) => method === 'SEPA_TRANSFER')?.settings['iban'] ?? assert.fail('an account')
}

/** Hands in two files of the sandbox's account: one in which nothing happened, and one that no bank wrote. */
async function importFiles(page: Page, iban: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Import files' }).first().click()
  await dialog.getByRole('button', { name: 'Import files' }).click()
  await dialog.getByText('Choose at least one file.').waitFor()
  await dialog.getByLabel('Chosen files').setInputFiles([
    { name: 'b.xml', mimeType: 'text/xml', buffer: Buffer.from('<html>holiday</html>') },
    { name: 'a.xml', mimeType: 'text/xml', buffer: notificationFile({ iban, id: 'UI', transfers: [] }) },
  ])
  await dialog.getByRole('button', { name: 'Import files' }).click()
  const last = page.getByRole('region', { name: 'Last import' })
  await last.getByText('New movements: 0. With a reference: 0.').waitFor()
  await last.getByText('Fix the cause and import it again.').waitFor()
  const list = page.getByRole('table', { name: 'Bank files' })
  await list.getByText('a.xml', { exact: true }).waitFor()
}

/** A payer's typo is decided, and the payment is paid. */
async function acceptTypo(page: Page, sandbox: SandboxFile): Promise<void> {
  const { body } = await call(sandbox, 'POST', '/v1/payments', {
    amount: 4_711,
    currency: 'EUR',
    paymentMethods: ['SEPA_TRANSFER'],
    idempotencyKey: newId(),
  })
  const path = `/v1/payments/${String(body['id'])}`
  await call(sandbox, 'POST', `/v1/sandbox${path.slice(3)}/pay`, { scenario: 'typo' })
  const line = page.getByRole('region', { name: 'References with a typo' }).getByRole('listitem')
  const typo = line.filter({ hasText: '€47.11' })
  await eventually('the typo is listed', async () => {
    await page.reload()
    await page.getByRole('table', { name: 'Bank files' }).waitFor()
    return (await typo.count()) === 1
  })
  await typo.getByRole('button', { name: 'It is this payment’s' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Book €47.11 to this payment?' }).waitFor()
  await dialog.getByRole('button', { name: 'It is this payment’s' }).click()
  await typo.waitFor({ state: 'detached' })
  await eventually(
    'the payment is paid',
    async () => (await call(sandbox, 'GET', path)).body['status'] === 'PAID',
  )
}

test('an operator adds a merchant and a connection, tests it and verifies the books; the new owner sees no console', async () => {
  const [installation, browser] = await Promise.all([sharedInstallation(talkative), sharedBrowser()])
  const { dashboard, simulators } = installation.sandbox()
  const options = { locale: 'en-US', reducedMotion: 'reduce' } as const
  const context = await browser.newContext(options)
  const visitors = await browser.newContext(options)
  try {
    const made = await installation.run('user', 'create', 'olga@example.com', '--name', 'Olga', '--operator')
    const token = /\/open#(\S+)/.exec(made.output)?.[1]
    assert.ok(token !== undefined, made.output)
    const page = await context.newPage()
    await accept(page, `${dashboard.url}/open#${token}`)
    const navigation = page.getByRole('navigation')
    // The start leads an operator to the console.
    await page.waitForURL('**/operator')
    await page.getByRole('heading', { level: 1, name: 'To do' }).waitFor()
    await page.getByRole('region', { name: 'Books' }).waitFor()
    await navigation.getByRole('link', { name: 'Merchants' }).click()
    await addFactor(page)
    await goByPalette(page)

    // A merchant, and the link for its owner.
    await page.getByRole('button', { name: 'New merchant' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Padaria Sol')
    await dialog.getByRole('button', { name: 'New merchant' }).click()
    await dialog.getByText('The merchant Padaria Sol was created').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name: 'Padaria Sol' }).waitFor()
    const merchantId = page.url().split('/').at(-1) ?? ''
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await dialog.getByLabel('Email').fill('vera@example.com')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.getByText(/\/open#/).textContent()

    // Its connection at the bank, made by the form of its type.
    const account = await applyAtBank(simulators.pixBank.controlUrl)
    await page.goto(`${dashboard.url}/operator/connections/new`)
    await page.getByText('One merchant').click()
    await page.getByLabel('Account ID').fill(merchantId)
    const fill = (name: string, value: string) => page.locator(`[name="${name}"]`).first().fill(value)
    await fill('baseUrl', `${simulators.pixBank.apiUrl}/v2`)
    await fill('tokenUrl', `${simulators.pixBank.apiUrl}/oauth/token`)
    await fill('pixKey', account.pixKey)
    await fill('receiverName', 'PADARIA SOL')
    await fill('receiverCity', 'SAO PAULO')
    await fill('ca', account.ca)
    await fill('clientId', account.clientId)
    await fill('clientSecret', account.clientSecret)
    await fill('certificate', account.certificate)
    await fill('privateKey', account.privateKey)
    assert.equal(await page.locator('[name="clientSecret"]').first().getAttribute('type'), 'password')
    await page.getByRole('button', { name: 'Add a connection' }).click()
    await page.getByText('Not tested yet.').waitFor()
    assert.ok(!(await page.content()).includes(account.clientSecret), 'a secret is shown')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The provider answered everything.').waitFor()

    // The books.
    await navigation.getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('button', { name: /^Run now.*Verify the books$/ }).click()
    await dialog.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('unexplained: 0.00', { exact: true }).waitFor()

    // Lists that are empty say so; a freeze is set and lifted with a reason.
    await navigation.getByRole('link', { name: 'Stuck withdrawals' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stuck withdrawals' }).waitFor()
    // The list itself is there only while it is fetched, or when other stories of this installation left a withdrawal.
    const stuck = page.getByRole('list', { name: 'Stuck withdrawals' }).locator('> *')
    await stuck.or(page.getByText('Nothing is stuck')).first().waitFor()
    await navigation.getByRole('link', { name: 'Stuck refunds' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stuck refunds' }).waitFor()
    await navigation.getByRole('link', { name: 'Queues' }).click()
    await page.getByText('Measured on this machine').waitFor()
    await navigation.getByRole('link', { name: 'Freezes' }).click()
    await freezeAndLift(page)

    // Files of the bank, and of payments.
    await navigation.getByRole('link', { name: 'Bank files' }).click()
    await importFiles(page, await ibanOf(page))
    await acceptTypo(page, installation.sandbox())
    // What only a command may do is said there, and the log is filtered by an action.
    await navigation.getByRole('link', { name: 'Users' }).click()
    await page.getByText('./vintem user promote <email>').waitFor()
    await navigation.getByRole('link', { name: 'Chains and treasury' }).click()
    await page.getByText('./vintem coins refill').waitFor()
    await navigation.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Imported a bank file' })
    await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: 'Olga' })
    const entries = page.getByRole('table', { name: 'Audit log' }).getByRole('button')
    await eventually(
      'only imports are listed',
      async () => (await entries.allTextContents()).join() === 'Imported a bank file',
    )
    await navigation.getByRole('link', { name: 'Payment files' }).click()
    await page.getByText('No withdrawal is waiting for a file.').waitFor()

    // The owner of the merchant is no operator.
    const visitor = await visitors.newPage()
    await accept(visitor, link ?? '', 'Vera')
    await visitor.waitForURL(`**/m/${merchantId}`)
    await visitor.getByRole('link', { name: 'Payments' }).waitFor()
    assert.equal(await visitor.getByRole('link', { name: 'Merchants' }).count(), 0)
    await visitor.goto(`${dashboard.url}/operator/merchants`)
    await visitor.getByText('This page does not exist').waitFor()
  } finally {
    await context.close()
    await visitors.close()
  }
})
