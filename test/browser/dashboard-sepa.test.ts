// Euro by bank transfer in a browser, on real books: a second transfer, a refund and a withdrawal of a member, and what an operator does with
// the bank's files and files of payments in between.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { payoutDeps, workerParts } from '#/app/work.ts'
import { must } from '#/kernel/check.ts'
import { newId, type PaymentId, type WithdrawalId } from '#/kernel/id.ts'
import { reconcilePayouts } from '#/settlement/reconcile-payouts.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import type { Person } from '../dashboard/world.ts'
import { notificationFile, statementFile, type Transfer } from '../rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../sepa-world.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'

/** The example of the registry of IBANs (ISO 13616). */
const payer = 'DE89370400440532013000'

let world: SepaWorld
let browser: BrowserWorld
let console: Page
let member: Page
let base: string
let held = 0
let day = 0
const stopping = new AbortController()
let working: Promise<void>
before(async () => {
  world = await openSepaWorld()
  const { core, clock, merchant } = world.pix
  const { sql, lane, connections, rails } = core
  const over = { sql, lane, clock }
  browser = await openBrowserWorld(await sharedBrowser(), { over, connections, rails })
  const part = workerParts(core).find(({ name }) => name === 'jobs of operators')
  working = must(part, 'a worker runs jobs').run(stopping.signal)
  const { dashboard } = browser
  const [operator, owner] = [
    await dashboard.person([], { isOperator: true }),
    await dashboard.person([{ merchantId: merchant.id, role: 'OWNER' }]),
  ]
  const opened = async (person: Person) => {
    await dashboard.enrol(person)
    return browser.open(person)
  }
  ;[console, member] = [await opened(operator), await opened(owner)]
  base = `${dashboard.origin}/m/${merchant.id}`
})
after(async () => {
  await using _ = world
  await using _browser = { [Symbol.asyncDispose]: () => browser.close() }
  await Promise.all([console, member].map((page) => page.context().close()))
  stopping.abort()
  await working
  assert.deepEqual((await world.pix.verify()).faults, [])
})

/** The next day's statement. */
function statement(transfers: readonly Transfer[], opening = held) {
  const on = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
  const dated = transfers.map((each) => ({ ...each, day: on }))
  return {
    name: `day-${day}.xml`,
    bytes: statementFile({ iban, id: `S${day}`, opening, day: on, transfers: dated }),
  }
}
function isTaken(transfers: readonly Transfer[]): void {
  held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
  day += 1
}

/** Hands in one file at the console, and waits until its outcome is shown. */
async function handIn({ name, bytes }: { readonly name: string; readonly bytes: Buffer }, outcome: string) {
  const dialog = console.getByRole('dialog')
  await console.goto(`${browser.dashboard.origin}/operator/bank-files`)
  await console.getByRole('button', { name: 'Import files' }).first().click()
  await dialog.getByLabel('Chosen files').setInputFiles([{ name, mimeType: 'text/xml', buffer: bytes }])
  await dialog.getByRole('button', { name: 'Import files' }).click()
  const last = console.getByRole('region', { name: 'Last import' })
  await last.getByText(name).first().waitFor()
  await last.getByText(outcome).waitFor()
  await world.drain()
}

async function importDay(transfers: readonly Transfer[]): Promise<void> {
  await handIn(statement(transfers), `New movements: ${transfers.length}.`)
  isTaken(transfers)
}

/** A payment that was paid once by this transfer. */
async function paid(
  minor: number,
  ref: string,
): Promise<{ readonly id: PaymentId; readonly again: Transfer }> {
  const { payment } = await world.create(minor)
  const transfer = { ref, minor, structured: await world.referenceOf(payment.id), from: payer }
  await importDay([transfer])
  return { id: payment.id, again: { ...transfer, ref: `${ref}-AGAIN` } }
}

/** Makes and takes a file of what waits, at the console. Returns what was downloaded. */
async function takeFile(sum: string): Promise<string> {
  const dialog = console.getByRole('dialog')
  await console.goto(`${browser.dashboard.origin}/operator/payment-files`)
  await console.getByRole('region', { name: 'Waiting for a file' }).getByText(sum).waitFor()
  await console.getByRole('button', { name: 'Create file' }).click()
  await dialog.getByRole('heading', { name: `Create a file of ${sum}?` }).waitFor()
  await dialog.getByRole('button', { name: 'Create file' }).click()
  await console.getByText('No withdrawal is waiting for a file.').waitFor()
  await console.getByRole('button', { name: 'Download' }).click()
  const downloading = console.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const file = await (await downloading).path()
  await dialog.getByRole('heading', { name: 'The file was downloaded' }).waitFor()
  return readFile(file, 'utf8')
}

const title = () => member.getByRole('heading', { level: 1 })

test('a second transfer for a paid payment is shown as paid twice, and the refund of it goes back to the account that paid', async () => {
  const { id, again } = await paid(4_500, 'FIRST')
  await member.goto(`${base}/payments/${id}`)
  await title().getByText('Paid', { exact: true }).waitFor()
  assert.equal(await member.getByText('Paid twice').count(), 0)
  await importDay([again])
  await member.reload()
  await title().getByText('Paid twice').waitFor()

  await member.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = member.getByRole('dialog')
  await dialog.getByText('DE89 3704 0044 0532 0130 00 · Ana & Rui').waitFor()
  await dialog.getByText('Partial amount', { exact: true }).click()
  await dialog.getByRole('textbox').first().fill('45.00')
  await dialog.getByRole('button', { name: 'Refund €45.00' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await world.pix.sendRefunds()
  const [refund] = await world.pix.core.sql<{ id: string }[]>`select id from refund where payment_id = ${id}`
  const endToEndId = must(refund, 'it was made').id.replaceAll('-', '')
  const file = await takeFile('€45.00')
  assert.match(file, new RegExp(`<EndToEndId>${endToEndId}</EndToEndId>.*>45\\.00<.*<IBAN>${payer}</IBAN>`))
  await importDay([{ ref: 'LEFT', minor: 4_500, isDebit: true, endToEndId }])
  await member.goto(`${base}/refunds/${must(refund, 'it was made').id}`)
  await title().getByText('Refunded', { exact: true }).waitFor()
})

test('a statement with a forged opening balance is refused in the console with its reason, and the true one is taken', async () => {
  const [transfer] = [{ ref: 'TRUE', minor: 100 }]
  const reason = /opens with 99\.99 EUR, but S\d+ before it closed with [\d.]+ EUR/
  await handIn({ ...statement([transfer], 9_999), name: 'forged.xml' }, 'Fix the cause and import it again.')
  await console.getByRole('region', { name: 'Last import' }).getByText(reason).waitFor()
  const row = console.getByRole('row').filter({ hasText: 'forged.xml' })
  await row.getByText('Rejected', { exact: true }).waitFor()
  await row.getByText(reason).first().waitFor({ state: 'attached' })
  await importDay([transfer])
})

/** A withdrawal that waits for a file. */
async function withdraw(minor: number): Promise<{ readonly id: WithdrawalId; readonly reference: string }> {
  const { core, merchant } = world.pix
  const id = newId<'withdrawal'>()
  const to = { iban: 'DE89370400440532013000', beneficiary: 'Ana Müller' }
  const request = { type: 'SEPA', amount: minor, currency: 'EUR', ...to } as const
  const of = { merchantId: merchant.id, mode: merchant.mode }
  const routing = must(core.payoutRails.get('SEPA'), 'it pays out').route({ ...of, ...request })
  const requestedBy = newId<'api-key'>()
  const verdict = await core.lane.submit(withdrawalKind(), { ...of, id, request, requestedBy, routing })
  assert.equal(verdict.kind, 'created')
  await sendDueWithdrawals(payoutDeps(core))
  const [made] = await selectWithdrawalsById(core.sql, [id])
  return { id, reference: must(made, 'it is there').reference }
}

/** Reads how payouts ended, as the worker does in passes. */
async function learn(): Promise<void> {
  const { core } = world.pix
  await core.sql`update reconciliation set due_at = now() - interval '1 second'`
  await reconcilePayouts({ ...payoutDeps(core), connections: core.connections, periodMs: 1 })
}

/** What the wallet in euro shows. */
async function balanceShown(): Promise<string> {
  await member.goto(`${base}/wallets`)
  const amount = member.getByText(/^€[\d,.]+$/).first()
  await amount.waitFor()
  return (await amount.textContent()) ?? ''
}

test('a withdrawal leaves in a file that was taken in the console, comes back from the bank, and its money is in the wallet again', async () => {
  await paid(2_000, 'FOR-OUT')
  const before = await balanceShown()
  const { id, reference } = await withdraw(1_234)
  assert.notEqual(await balanceShown(), before)
  const file = await takeFile('€12.34')
  assert.match(file, /pain\.001\.001\.09/)
  assert.match(file, new RegExp(`<EndToEndId>${reference}</EndToEndId>.*>12\\.34<`))
  await importDay([{ ref: 'OUT', minor: 1_234, isDebit: true, endToEndId: reference }])
  await learn()
  await member.goto(`${base}/withdrawals/${id}`)
  await title().getByText('Completed', { exact: true }).waitFor()
  await importDay([{ ref: 'BACK', minor: 1_234, endToEndId: reference, returned: 'AC04' }])
  await learn()
  await member.reload()
  await title().getByText('Came back', { exact: true }).waitFor()
  await member.getByText('€12.34 came back after it was sent and is in the wallet again.').waitFor()
  assert.equal(await balanceShown(), before)
})

test('francs are shown in the console until a person says what became of them', async () => {
  const francs = notificationFile({
    iban,
    id: 'F',
    transfers: [{ ref: 'FRANCS', minor: 1_050, text: 'rent' }],
  })
  const bytes = Buffer.from(francs.toString('utf8').replaceAll('EUR', 'CHF'))
  await handIn({ name: 'francs.xml', bytes }, 'New movements: 0.')
  const line = console.getByRole('region', { name: 'Money in other currencies' }).getByRole('listitem')
  await line.getByText('10.50 CHF').waitFor()
  await line.getByRole('button', { name: 'It is settled' }).click()
  const dialog = console.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'What was done with 10.50 CHF?' }).waitFor()
  await dialog.getByLabel('Reason').fill('The bank sent it back.')
  await dialog.getByRole('button', { name: 'It is settled' }).click()
  await line.waitFor({ state: 'detached' })
})

test('a corrected statement is requested by one person and accepted by another, who sees what it takes back and adds', async () => {
  const wrong = { ref: 'WRONG', minor: 77, text: 'rent' }
  await importDay([wrong])
  day -= 1
  const right = { ...wrong, ref: 'RIGHT', minor: 80 }
  const file = { ...statement([right], held - wrong.minor), name: 'right.xml' }
  await handIn(file, 'Fix the cause and import it again.')
  const dialog = console.getByRole('dialog')
  await console.getByRole('button', { name: 'Request correction' }).click()
  await dialog.getByRole('heading', { name: 'Accept it as the corrected statement?' }).waitFor()
  await dialog.getByLabel('Reason').fill('The bank wrote so.')
  await dialog.getByRole('button', { name: 'Request correction' }).click()
  await console.getByText('The request is waiting for another person').waitFor()

  const approvals = `${browser.dashboard.origin}/operator/suspense`
  await console.goto(approvals)
  const own = console.getByRole('listitem').filter({ hasText: 'The bank wrote so.' })
  await own.getByRole('button', { name: 'Cancel' }).waitFor()
  assert.equal(await own.getByRole('button', { name: 'Approve' }).count(), 0)

  const second = await browser.dashboard.person([], { isOperator: true })
  await browser.dashboard.enrol(second)
  const other = await browser.open(second)
  try {
    await other.goto(approvals)
    const asked = other.getByRole('listitem').filter({ hasText: 'The bank wrote so.' })
    await asked.getByText(/Taken back:.*WRONG/).waitFor()
    await asked.getByText(/New:.*RIGHT/).waitFor()
    await browser.examine(other, 'a requested correction')
    await asked.getByRole('button', { name: 'Approve' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await other.getByText('The request was carried out').waitFor()
    await asked.waitFor({ state: 'detached' })
  } finally {
    await other.context().close()
  }
  held += right.minor - wrong.minor
  day += 1
  await world.drain()
  await console.goto(`${browser.dashboard.origin}/operator/bank-files`)
  const row = console.getByRole('row').filter({ hasText: 'right.xml' })
  await row.getByText('Imported', { exact: true }).waitFor()
  // The next day opens with the corrected balance.
  await importDay([{ ref: 'NEXT', minor: 100, text: 'rent' }])
})
