// The second factor in the dashboard: an authenticator app is turned on by clicks, and from then on a refund asks for its code.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { connect } from '#/db/client.ts'
import { joinEmbeddedPostgres } from '#/db/embedded.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { secondMs } from '#/kernel/time.ts'
import { eventually } from '../eventually.ts'
import {
  examineScreen,
  join,
  openBrowserWorld,
  visit,
  watchConsoles,
  type BrowserWorld,
} from './dashboard-world.ts'

const email = 'factor@example.com'

let world: BrowserWorld
/** Where the app is turned on. */
let page: Page
before(async () => {
  world = await openBrowserWorld()
  page = await join(world, { email, name: 'Fátima' })
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

const below = (path: string) => `${world.origin}/m/${world.merchantId}/${path}`

let secret: string
/** The code of this step, or of one after it. Each step's code works once. */
function code(steps: number): string {
  const stepSeconds = 30
  return generateSync({ secret, epoch: Math.floor(Date.now() / secondMs) + steps * stepSeconds })
}

test('an authenticator app is turned on by its key and a code, and gives ten recovery codes', async () => {
  await visit(page, below('settings/security'))
  const card = page.getByRole('region', { name: 'Authenticator app' })
  await card.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Or type the key').waitFor()
  const shown = /\b[A-Z2-7]{4}(?: ?[A-Z2-7]{4}){3,}\b/.exec(await dialog.innerText())
  assert.ok(shown !== null, await dialog.innerText())
  secret = shown[0].replaceAll(' ', '')
  await examineScreen(page, 'the key of the app')
  await dialog.getByLabel('Code shown by the app').fill('000000')
  await dialog.getByRole('button', { name: 'Confirm and turn on' }).click()
  await dialog.getByText('The code does not match.').waitFor()
  await dialog.getByLabel('Code shown by the app').fill(code(0))
  await dialog.getByRole('button', { name: 'Confirm and turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await codes.getByRole('listitem').first().waitFor()
  assert.equal(await codes.getByRole('listitem').count(), 10)
  await examineScreen(page, 'recovery codes')
  await codes.getByRole('button', { name: 'Done' }).click()
  await card.getByText('On', { exact: true }).waitFor()
})

/** A payment by Pix that is paid, which can be given back. */
async function paidPayment(): Promise<string> {
  const { body } = await world.api('POST', '/v1/payments', {
    amount: 6_420,
    currency: 'BRL',
    paymentMethods: ['PIX'],
    idempotencyKey: newId(),
  })
  const id = String(body['id'])
  await world.api('POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
  await eventually('it is paid', async () => {
    const { body: now } = await world.api('GET', `/v1/payments/${id}`)
    return now['status'] === 'PAID'
  })
  return id
}

/** As if the factors of all sessions had been given six minutes ago. */
async function ageFactors(): Promise<void> {
  const { dataDir, port } = world.installation
  const { ownerUrl } = await joinEmbeddedPostgres({ dataDir, port: port + 20, log: silentLog })
  const sql = connect(ownerUrl, { max: 1 })
  try {
    await sql`update user_session set second_factor_at = second_factor_at - interval '6 minutes'`
  } finally {
    await sql.end()
  }
}

async function refundsOf(paymentId: string): Promise<number> {
  const { body } = await world.api('GET', `/v1/refunds?paymentId=${paymentId}`)
  return (body['data'] as readonly unknown[]).length
}

test('a refund asks for the code: canceled nothing happens, a wrong one is refused, and with the right one it goes on', async () => {
  const paymentId = await paidPayment()
  await ageFactors()
  await visit(page, below(`payments/${paymentId}`))
  await page.getByRole('button', { name: 'Refund' }).click()
  const form = page.getByRole('dialog', { name: /R\$64\.20/ })
  const ask = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await form.getByRole('button', { name: /^Refund/ }).click()
  await ask.waitFor()
  await examineScreen(page, 'the question for the second factor')
  await page.keyboard.press('Escape')
  await ask.waitFor({ state: 'detached' })
  await form.getByText('it was not given. Nothing was done.').waitFor()
  assert.equal(await refundsOf(paymentId), 0)

  await form.getByRole('button', { name: /^Refund/ }).click()
  await ask.getByLabel('Code from the app').fill('000000')
  await ask.getByRole('button', { name: 'Confirm' }).click()
  await ask.getByText('The code does not match.').waitFor()
  await examineScreen(page, 'a wrong code')
  assert.equal(await refundsOf(paymentId), 0)
  // The code of this step was used when the app was turned on.
  await ask.getByLabel('Code from the app').fill(code(1))
  await ask.getByRole('button', { name: 'Confirm' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Refunds' }).waitFor()
  assert.equal(await refundsOf(paymentId), 1)
})
