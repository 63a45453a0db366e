// A card's dispute in the dashboard: the card is charged at the sandbox's acquirer and disputed there, the evidence is written in the browser by
// the keyboard, with a file, and the acquirer has exactly that.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { eventually } from '../eventually.ts'
import { openBrowserWorld, signedIn, watchConsoles, type BrowserWorld } from './dashboard-world.ts'

const pdf = Buffer.from('%PDF-1.7\n% delivered at the door\n')
const tracking = 'BR123456785BR'
const sold = 'Coffee & tea <b>1 kg</b>, “whole beans”'

type Row = Readonly<Record<string, unknown>>

let world: BrowserWorld
let page: Page
before(async () => {
  world = await openBrowserWorld()
  const { url, options } = signedIn(world.installation)
  page = await world.open(options)
  await page.goto(url)
  await page.waitForURL(/\/m\//)
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

/** A card payment that its holder disputes, once the acquirer has said so. */
async function dispute(): Promise<{ readonly paymentId: string; readonly id: string }> {
  const { body, status } = await world.api('POST', '/v1/payments', {
    amount: 7_350,
    currency: 'BRL',
    paymentMethods: ['CREDIT_CARD'],
    customerName: 'Ana Souza',
    idempotencyKey: newId(),
  })
  assert.equal(status, 201, JSON.stringify(body))
  const paymentId = String(body['id'])
  await world.api('POST', `/v1/sandbox/payments/${paymentId}/pay`, { scenario: 'dispute' })
  return eventually('the dispute is here', async () => {
    const found = await world.api('GET', `/v1/disputes?paymentId=${paymentId}&limit=1`)
    const [row] = found.body['data'] as readonly Row[]
    return row !== undefined && { paymentId, id: String(row['id']) }
  })
}

/** What the acquirer has of the payment's dispute. */
async function atAcquirer(
  paymentId: string,
): Promise<{ readonly evidence: Row; readonly submissions: number }> {
  const state = await control('/_sim/state')
  const intents = state['paymentIntents'] as readonly Row[]
  const intent = intents.find(({ metadata }) => (metadata as Row)['payment_id'] === paymentId)
  const disputes = state['disputes'] as readonly Row[]
  const found = must(
    disputes.find((each) => each['payment_intent'] === intent?.['id']),
    'a dispute at the acquirer',
  )
  const details = found['evidence_details'] as Row
  return { evidence: found['evidence'] as Row, submissions: Number(details['submission_count']) }
}

async function control(path: string): Promise<Row> {
  const { controlUrl } = world.installation.sandbox().simulators.acquirer
  const answer = await fetch(controlUrl + path)
  assert.equal(answer.status, 200, path)
  return (await answer.json()) as Row
}

test('evidence is written, with a file, reviewed and submitted by the keyboard, and arrives at the acquirer as it was written', async () => {
  const { id, paymentId } = await dispute()
  await page.goto(`${world.origin}/m/${world.merchantId}/disputes`)
  await page
    .getByRole('link', { name: /73\.50/ })
    .first()
    .click()
  await page.waitForURL(new RegExp(`/disputes/${id}$`))
  await page.getByLabel('What was sold').fill(sold)
  const files = page.getByLabel('Proof of delivery', { exact: true })
  await files.setInputFiles({ name: 'delivery <b>.pdf', mimeType: 'application/pdf', buffer: pdf })
  await page.getByText('delivery <b>.pdf').waitFor()
  await page.getByRole('button', { name: 'Show all fields' }).press('Enter')
  await page.getByLabel('Tracking number').focus()
  await page.keyboard.type(tracking)
  await page.keyboard.press('Enter')

  // The review lists all of it, and going back keeps it.
  const dialog = page.getByRole('dialog')
  for (const text of [tracking, sold, 'delivery <b>.pdf']) await dialog.getByText(text).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual((await atAcquirer(paymentId)).submissions, 0)
  await page.reload()
  assert.equal(await page.getByLabel('What was sold').inputValue(), sold)
  await page.getByText('delivery <b>.pdf').waitFor()
  await page.getByRole('button', { name: 'Review and submit' }).press('Enter')
  await dialog.getByRole('button', { name: 'Submit evidence' }).press('Enter')

  await page.getByText('The acquirer has received the evidence').waitFor()
  await page.getByText('Submitted by').waitFor()
  assert.equal(await page.getByLabel('Tracking number').count(), 0)
  const { evidence, submissions } = await atAcquirer(paymentId)
  assert.equal(submissions, 1)
  const given = Object.fromEntries(Object.entries(evidence).filter(([, value]) => value !== null))
  const { shipping_documentation: file, enhanced_evidence: _, ...texts } = given
  assert.deepEqual(texts, { product_description: sold, shipping_tracking_number: tracking })
  const kept = await control(`/_sim/files/${String(file)}`)
  assert.deepEqual(Buffer.from(String(kept['content']), 'base64'), pdf)
})
