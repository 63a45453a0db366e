// The life of a sub-account in the dashboard: its parent makes it, the operator allows it to withdraw, it is given money, its parent takes
// money by its grants, and it has a debt after a dispute, which its next shares repay.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { settleKind } from '#/settlement/settle.ts'
import { arrival } from '../contract/rail.ts'
import { paymentBody, type Tenant } from '../contract/world.ts'
import type { DashboardWorld, Person } from '../dashboard/world.ts'
import { axeFindings } from './axe.ts'
import { fitsWidths } from './viewports.ts'

type Stage = {
  readonly dashboard: DashboardWorld
  /** The parent, and a person who owns it. */
  readonly tenant: Tenant
  readonly owner: Person
  /** Opens a browser of the person's own. */
  open(person: Person): Promise<Page>
}

const baseOf = ({ dashboard, tenant }: Stage) => `${dashboard.origin}/m/${tenant.id}`

export type MadeSubAccount = {
  readonly id: string
  /** Of its page. */
  readonly address: string
  /** A payment of 12.34 USDT, a third of which is its share. */
  readonly paymentId: PaymentId
}

/** Makes a sub-account with a key and a share in the browser; the operator lets it withdraw. */
export async function makeSubAccount(stage: Stage): Promise<MadeSubAccount> {
  const { dashboard, tenant, owner, open } = stage
  const base = baseOf(stage)
  const page = await open(owner)
  await page.goto(`${base}/sub-accounts`)
  await page.getByRole('button', { name: 'New sub-account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Livraria <b>Bea</b>')
  await dialog.getByRole('button', { name: 'Create sub-account' }).click()
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.waitForURL(/\/sub-accounts\/[0-9a-f-]{36}$/)
  const address = page.url()
  const id = address.split('/').at(-1) ?? ''
  await page.getByText('not withdraw yet').waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  await dialog.getByLabel('Key name').fill('seller')
  await dialog.getByRole('button', { name: 'New key' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('table', { name: 'API keys' }).getByText('seller').waitFor()
  const body = paymentBody({ splits: [{ subAccountId: id, percent: '33.33', label: 'Book 1' }] })
  const created = await owner.ask('POST', `/api/m/${tenant.id}/payments`, body)
  const paymentId = created.body['id'] as PaymentId
  await dashboard.base.settlePayment(tenant.id, paymentId, 1_234n)
  await page.goto(`${base}/payments/${paymentId}`)
  const split = page.getByRole('region', { name: 'Split' })
  await split.getByText('33.33% of what is kept').waitFor()
  await split.getByText('4.11 USDT').waitFor()
  assert.deepEqual(await axeFindings(page), [], 'the split of a payment')
  await split.getByRole('link', { name: 'Book 1' }).click()
  await page.waitForURL(address)
  await page.getByRole('group', { name: 'USDT' }).getByText('4.11 USDT').waitFor()
  assert.deepEqual(await axeFindings(page), [], 'a sub-account')
  await fitsWidths(page, 'a sub-account')
  const operator = await open(await dashboard.person([], { isOperator: true }))
  await operator.goto(`${dashboard.origin}/operator/merchants/${id}`)
  await operator.getByText('Receives only').waitFor()
  await operator.getByRole('button', { name: 'Activate sub-account' }).click()
  await operator.getByRole('dialog').getByLabel('Reason').fill('papers seen')
  await operator.getByRole('dialog').getByRole('button', { name: 'Activate sub-account' }).click()
  await operator.getByRole('dialog').waitFor({ state: 'detached' })
  await operator.getByText('Receives only').waitFor({ state: 'detached' })
  await page.goto(`${base}/sub-accounts`)
  await page.getByRole('row', { name: /Livraria <b>Bea<.b> Active/ }).waitFor()
  assert.deepEqual(await axeFindings(page), [], 'the list')
  for (const each of [page, operator]) await each.context().close()
  return { id, address, paymentId }
}

export async function playSubAccount(stage: Stage): Promise<void> {
  const { owner, open } = stage
  const { id, address, paymentId } = await makeSubAccount(stage)
  // What it has is given and taken back by its own grant; a dispute after that is covered, and shown as its debt.
  await givenAndTaken(stage, id)
  await disputeAll(stage, paymentId)
  const covered = await open(owner)
  await covered.goto(address)
  const held = covered.getByRole('group', { name: 'USDT' })
  await held.getByText('Owes you').waitFor()
  assert.match(await held.innerText(), /Owes you\s+4\.11\sUSDT/)
  assert.deepEqual(await axeFindings(covered), [], 'a debt')
  await repaid(stage, id, covered)
  await covered.context().close()
}

/** Its next credits go to its platform until the debt is paid, and the first cent after that is its own. */
async function repaid({ dashboard, tenant, owner }: Stage, id: string, page: Page): Promise<void> {
  const held = page.getByRole('group', { name: 'USDT' })
  const credit = async (minor: bigint) => {
    const amount = Number(minor)
    const body = paymentBody({ amount, splits: [{ subAccountId: id, amount: amount - 1, label: 'Book 2' }] })
    const created = await owner.ask('POST', `/api/m/${tenant.id}/payments`, body)
    assert.equal(created.status, 201, created.text)
    await dashboard.base.settlePayment(tenant.id, created.body['id'] as PaymentId, minor)
    await page.reload()
    await held.waitFor()
  }
  await credit(112n)
  await held.getByText('Owes you').waitFor()
  assert.match(await held.innerText(), /Owes you\s+3\.00\sUSDT/)
  await credit(302n)
  await held.getByText('0.01 USDT').first().waitFor()
  assert.doesNotMatch(await held.innerText(), /Owes you/)
}

/** The platform pays its sub-account; a person of the sub-account gives two grants, and the platform takes by them. */
async function givenAndTaken(stage: Stage, id: string): Promise<void> {
  const { dashboard, owner, open } = stage
  const base = baseOf(stage)
  const page = await open(owner)
  await page.goto(`${base}/sub-accounts/${id}`)
  await page.getByText('The sub-account gives one in its settings').waitFor()
  await page.getByRole('button', { name: 'Transfer to the sub-account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('10.00')
  assert.deepEqual(await axeFindings(page), [], 'the dialog of a transfer')
  await dialog.getByRole('button', { name: 'Transfer R$10.00' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('group', { name: 'BRL' }).getByText('R$10.00').waitFor()

  const seller = await open(await dashboard.person([{ merchantId: id as MerchantId, role: 'OWNER' }]))
  await seller.goto(`${dashboard.origin}/m/${id}/settings`)
  await seller.getByRole('link', { name: 'Transfer grants' }).click()
  const give = async (currency: string, most: string) => {
    await seller.getByRole('button', { name: 'Give a grant' }).click()
    const form = seller.getByRole('dialog')
    await form.getByLabel('Currency').selectOption(currency)
    await form.getByRole('button', { name: 'Give a grant' }).click()
    await form.getByText('Enter an amount or choose a last day.').waitFor()
    await form.getByRole('textbox', { name: 'Maximum in total' }).fill(most)
    await form.getByRole('button', { name: 'Give a grant' }).click()
    await form.waitFor({ state: 'detached' })
  }
  await give('BRL', '5.00')
  await give('USDT', '100.00')
  await seller.getByRole('row').filter({ hasText: 'R$5.00' }).getByText('Active').waitFor()
  assert.deepEqual(await axeFindings(seller), [], 'the grants')
  await fitsWidths(seller, 'the grants')

  // New records of a list come with the next look at it.
  await page.reload()
  const take = async (grant: string, amount: string, name: string) => {
    const row = page.getByRole('row').filter({ hasText: grant })
    await row.getByRole('button', { name: 'Transfer to me' }).click()
    await dialog.getByRole('textbox', { name: 'Amount' }).fill(amount)
    await dialog.getByRole('button', { name }).click()
    await dialog.waitFor({ state: 'detached' })
    return row
  }
  const row = await take('R$5.00', '4.00', 'Transfer R$4.00')
  await row.getByText('R$4.00').waitFor()
  await page.getByRole('group', { name: 'BRL' }).getByText('R$6.00').waitFor()
  await take('100.00 USDT', '4.11', 'Transfer 4.11 USDT')
  await page.getByRole('group', { name: 'USDT' }).getByText('0.00 USDT').first().waitFor()

  await seller.getByRole('row').filter({ hasText: 'R$5.00' }).getByRole('button', { name: 'Revoke' }).click()
  await seller.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await seller.getByRole('row').filter({ hasText: 'R$5.00' }).getByText('Revoked').waitFor()
  await page.getByRole('row').filter({ hasText: 'R$5.00' }).getByText('Revoked').waitFor()
  // Who is no sub-account has no grants to give.
  await page.goto(`${base}/settings`)
  await page.getByRole('link', { name: 'Audit log' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Transfer grants' }).count(), 0)
  for (const each of [page, seller]) await each.context().close()
}

/** The payer's bank wants all of the payment back. */
async function disputeAll({ dashboard, tenant }: Stage, paymentId: PaymentId): Promise<void> {
  const { sql, lane, rails } = dashboard.base
  const [attempt] = await selectAttempts(sql, [{ merchantId: tenant.id, paymentId }])
  const [paid] = await sql<{ ref: string; minor: bigint }[]>`
    select provider_ref as ref, booked_minor as minor from receipt where payment_id = ${paymentId} and outcome = 'paid'`
  const { ref, minor } = must(paid, 'it was paid')
  const receipt = {
    ...arrival(
      { merchantId: tenant.id, id: paymentId },
      must(attempt, 'an attempt').id,
      { minor, currency: 'USDT' },
      9,
    ),
    outcome: 'dispute_opened' as const,
    providerRef: 'dp_1',
    dispute: { paidRef: ref, kind: 'CHARGEBACK' as const },
  }
  assert.deepEqual(await lane.submit(settleKind(rails), { receipts: [receipt] }), ['booked'])
}
