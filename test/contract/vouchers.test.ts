// What the payer takes to a bank is in the answer to the creation, over the API and at the sandbox's acquirer: the merchant need not open a
// page first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { createPageOpener } from '#/payments/open.ts'
import { selectPayments } from '#/payments/queries.ts'
import { readBoletoLine } from '#/rails/acquirer/boleto-line.ts'
import { acquirerModule } from '#/rails/acquirer/module.ts'
import { isMultibancoReference } from '#/rails/acquirer/multibanco-reference.ts'
import { listRails } from '#/rails/all.ts'
import { openForTests } from '../open-for-tests.ts'
import { pages } from '../page-hosts.ts'
import { connectionOf, startTestAcquirer } from '../rails/acquirer/acquirer.ts'
import { brazil, europe, payer } from '../rails/acquirer/local.ts'
import { bookOf } from '../rails/rail.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const acquirer = openForTests(startTestAcquirer)
const shop = openForTests(openShop)

/** A tenant whose methods are at accounts of the acquirer in Portugal and in Brazil. */
async function openShop() {
  const connections = await Promise.all(
    [europe, brazil].map(async (place) => {
      const { secretKey, publishableKey } = await acquirer.control('accounts', { country: place.country })
      return connectionOf({ apiUrl: acquirer.apiUrl, publishableKey, ...place }, { secretKey })
    }),
  )
  const parts = { clock: systemClock, log: silentLog }
  const module = acquirerModule.open({ connections: bookOf(connections), ...parts })
  const rails = listRails(module.rails)
  const { sql, lane } = world
  const creator = createPaymentCreator({ pages, sql, rails, ledger: lane, ...parts })
  const page = createPageOpener({ sql, rails, lane, ...parts })
  const api = await world.openApi({ rails, creator })
  const { key, id: merchantId } = await world.openTenant()
  return {
    async post(body: object): Promise<Answer> {
      const answer = await api.ask('POST', '/v1/payments', { key, body: { ...payer, ...body } })
      assertDocumented('POST', '/v1/payments', answer)
      return answer
    },
    async get({ body }: Answer): Promise<Answer['body']> {
      const answer = await api.ask('GET', `/v1/payments/${String(body['id'] ?? body['paymentId'])}`, { key })
      assertDocumented('GET', '/v1/payments/{id}', answer)
      return answer.body
    },
    /** What the payer's page has. */
    async onPage({ body }: Answer, method: 'BOLETO' | 'MULTIBANCO') {
      const paymentId = String(body['id']) as Parameters<typeof selectPayments>[1][number]['paymentId']
      const [payment] = await selectPayments(sql, [{ merchantId, paymentId }])
      const { attempt } = await page.openPage(must(payment, 'it exists'), { method, locale: 'pt-BR' })
      return attempt?.artifacts['voucher']
    },
    async eventsOf({ body }: Answer): Promise<readonly string[]> {
      const id = String(body['id'] ?? body['paymentId'])
      const rows = await sql<{ type: string }[]>`
        select type from event where merchant_id = ${merchantId} and resource_id = ${id} order by sequence`
      return rows.map(({ type }) => type)
    },
    async [Symbol.asyncDispose]() {
      await creator.close()
      await module.stop()
    },
  }
}

const boleto = () => ({ amount: 15_000, paymentMethods: ['BOLETO'], idempotencyKey: newId() })
const multibanco = () => ({ amount: 43_211, paymentMethods: ['MULTIBANCO'], idempotencyKey: newId() })
const voucherOf = ({ body }: Answer) => body['voucher'] as Readonly<Record<string, string>> | undefined

/** The payment's intents at the acquirer. */
async function intentsOf({ body }: Answer) {
  const all = (await acquirer.state())['paymentIntents'] ?? []
  const id = body['id'] ?? body['paymentId']
  return all.filter(({ metadata }) => (metadata as Readonly<Record<string, unknown>>)['payment_id'] === id)
}

test('the line of a boleto is in the answer to its creation, and every later answer and the page have the same', async () => {
  const terms = boleto()
  const made = await shop.post(terms)
  assert.deepEqual([made.status, made.body['status']], [201, 'WAITING_PAYMENT'])
  const voucher = must(voucherOf(made), 'it has a voucher')
  const read = readBoletoLine(String(voucher['line']))
  assert.deepEqual([read?.amountMinor, read?.barcode], [15_000n, voucher['barcode']])
  assert.match(String(made.body['cardRedirectUrl']), /\/c\//)
  assert.deepEqual((await shop.post(terms)).body, made.body)
  assert.deepEqual((await shop.get(made))['voucher'], voucher)
  const { expiresAt: _, ...shown } = voucher
  assert.deepEqual(await shop.onPage(made, 'BOLETO'), shown)
  assert.equal((await intentsOf(made)).length, 1)
  assert.deepEqual(await shop.eventsOf(made), [])
})

test('entity and reference of a Multibanco payment are in the answer to its creation', async () => {
  const made = await shop.post(multibanco())
  const voucher = must(voucherOf(made), 'it has a voucher')
  assert.ok(isMultibancoReference(String(voucher['entity']), String(voucher['reference']), 43_211n))
  assert.deepEqual((await shop.get(made))['voucher'], voucher)
})

test('twenty calls with one key are one intent, and have one line', async () => {
  const terms = boleto()
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post(terms)))
  assert.equal(new Set(answers.map((answer) => voucherOf(answer)?.['line'])).size, 1)
  const [first] = answers
  assert.equal((await intentsOf(must(first, 'one'))).length, 1)
})

for (const fault of ['5xx', 'reset_after_commit'])
  test(`a provider that does not answer (${fault}) is 503 with the payment’s id; the same key goes on, to one line`, async (t) => {
    const terms = boleto()
    await acquirer.control('faults', { mode: fault })
    t.after(() => acquirer.control('faults', { mode: 'none' }))
    const away = await shop.post(terms)
    assert.deepEqual([away.status, away.body['code']], [503, 'provider_unavailable'])
    const kept = await shop.get(away)
    assert.deepEqual([kept['status'], kept['voucher']], ['WAITING_PAYMENT', undefined])
    await acquirer.control('faults', { mode: 'none' })
    const again = await shop.post(terms)
    assert.deepEqual([again.body['id'], again.body['status']], [away.body['paymentId'], 'WAITING_PAYMENT'])
    assert.ok(readBoletoLine(String(voucherOf(again)?.['line'])) !== undefined)
    assert.equal((await intentsOf(again)).length, 1)
  })

test('after a 503 the payer’s page opens the same attempt, and the key then returns its line', async (t) => {
  const terms = boleto()
  await acquirer.control('faults', { mode: '5xx' })
  t.after(() => acquirer.control('faults', { mode: 'none' }))
  const away = await shop.post(terms)
  assert.equal(away.status, 503)
  await acquirer.control('faults', { mode: 'none' })
  const id = { ...away, body: { id: away.body['paymentId'] } }
  const shown = (await shop.onPage(id, 'BOLETO')) as Readonly<Record<string, string>>
  assert.equal(voucherOf(await shop.post(terms))?.['line'], shown['line'])
  assert.equal((await intentsOf(away)).length, 1)
})

test('what the provider refuses is FAILED in the answer, with the reason and without an event; its key returns the same', async (t) => {
  await acquirer.control('vouchers', { spoiled: true })
  t.after(() => acquirer.control('vouchers', { spoiled: false }))
  const terms = boleto()
  const made = await shop.post(terms)
  assert.deepEqual([made.status, made.body['status'], voucherOf(made)], [201, 'FAILED', undefined])
  assert.equal((made.body['lastError'] as { readonly code?: string }).code, 'voucher_malformed')
  assert.deepEqual(await shop.eventsOf(made), [])
  assert.deepEqual((await shop.post(terms)).body, made.body)
})

test('what a boleto lacks of its payer is named, and no payment is made; on a checkout its payer enters it', async () => {
  const { customerAddress: _, ...rest } = payer
  const lacking = await shop.post({
    ...boleto(),
    ...rest,
    customerAddress: undefined,
    customerTaxId: undefined,
  })
  const pointers = (lacking.body['errors'] as readonly { readonly pointer: string }[]).map(
    ({ pointer }) => pointer,
  )
  assert.deepEqual([lacking.status, pointers], [400, ['/customerTaxId', '/customerAddress']])
  const onCheckout = await shop.post({ ...boleto(), currency: 'BRL', checkout: 'default' })
  assert.deepEqual([onCheckout.body['status'], voucherOf(onCheckout)], ['PENDING', undefined])
  assert.equal((await intentsOf(onCheckout)).length, 0)
})
