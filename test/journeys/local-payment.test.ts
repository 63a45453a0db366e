// Local methods of the acquirer, from the outside: the API, the acquirer, and a merchant's own server. Later journeys in the same
// installation verify its books.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { openForTests } from '../open-for-tests.ts'
import type { Json } from './merchant.ts'
import { openShop, type Payment } from './shop.ts'

const shop = openForTests(() => openShop({ amount: 1990, currency: 'EUR' }))

const balance = async () => (await shop.wallet('EUR')).balance
/** The payment's intents at the acquirer. */
const intents = async ({ id }: Payment) => {
  const all = (await shop.stateOf('acquirer'))['paymentIntents'] as readonly (Json & {
    readonly metadata: Json
  })[]
  return all.filter(({ metadata }) => metadata['payment_id'] === id)
}

const payerOfBoleto = {
  customerName: 'Ana Souza',
  customerEmail: 'ana@example.com',
  customerTaxId: '529.982.247-25',
  customerAddress: {
    line1: 'Rua das Flores, 10',
    city: 'São Paulo',
    region: 'SP',
    postcode: '01310-100',
    country: 'BR',
  },
}

test('a Portuguese payer’s checkout shows MULTIBANCO first, and is paid by it', async () => {
  const payment = await shop.create({
    paymentMethods: undefined,
    checkout: 'default',
    customerCountry: 'PT',
    customerEmail: 'ana@example.com',
  })
  const methods = payment['paymentMethods'] as readonly string[]
  assert.deepEqual(methods.slice(0, 2), ['MULTIBANCO', 'MB_WAY'])
  assert.ok(methods.includes('CREDIT_CARD') && !methods.includes('BOLETO'))
  const elsewhere = await shop.create({ paymentMethods: undefined, checkout: 'default' })
  assert.equal((elsewhere['paymentMethods'] as readonly string[])[0], 'CREDIT_CARD')
  const free = await balance()
  const pay = { scenario: 'approve', method: 'MULTIBANCO' }
  const answer = await shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, pay)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  const { data } = await shop.notified(payment, 'payment.completed')
  assert.deepEqual([data['paymentMethod'], data['amountReceived']], ['MULTIBANCO', 1990])
  assert.equal(await balance(), free + 1990)
})

test('a local method needs of its payer what it says, and without a checkout in the request', async () => {
  const refusedFor = async (body: Json) => {
    const terms = { amount: 1990, idempotencyKey: 'needs', ...body }
    const refused = await shop.api('POST', '/v1/payments', terms)
    assert.deepEqual([refused.status, refused.body['code']], [400, 'invalid_request'])
    return (refused.body['errors'] as readonly Json[]).map(({ pointer }) => pointer)
  }
  assert.deepEqual(await refusedFor({ paymentMethods: ['MB_WAY'] }), ['/customerPhone'])
  assert.deepEqual(await refusedFor({ paymentMethods: ['BOLETO'], currency: 'BRL' }), [
    '/customerName',
    '/customerEmail',
    '/customerTaxId',
    '/customerAddress',
  ])
  const local = { amount: 1990, currency: 'BRL', paymentMethods: ['IDEAL'], idempotencyKey: 'ideal-brl' }
  const { status, body } = await shop.api('POST', '/v1/payments', local)
  assert.deepEqual([status, body['code']], [422, 'currency_not_supported'])
})

/** The acquirer has delivered its callbacks, and the worker has read them. */
function everythingIsRead(): Promise<unknown> {
  return eventually('every callback is read', async () => {
    const { waiting } = (await shop.stateOf('acquirer'))['webhooks'] as Json
    if (waiting !== 0) return false
    return shop.asOperator(async (sql) => {
      const [row] = await sql<
        { count: number }[]
      >`select count(*)::integer as count from inbox where method = 'CREDIT_CARD'`
      return row?.count === 0
    })
  })
}

test('a boleto has its line from its creation on, is paid days later, and takes no refund', async () => {
  const payment = await shop.create({ ...payerOfBoleto, currency: 'BRL', paymentMethods: ['BOLETO'] })
  const { line, barcode, pdfUrl } = payment['voucher'] as Json
  const page = await (await fetch(String(payment['cardRedirectUrl']))).text()
  assert.ok(page.replaceAll(/\D/g, '').includes(String(line)), page)
  assert.match(String(line), /^9999\d{43}$/)
  assert.match(String(barcode), /^9999\d{40}$/)
  assert.equal((await fetch(String(pdfUrl))).status, 200)
  await shop.pay(payment, 'slow')
  const [intent] = await intents(payment)
  assert.equal(intent?.['status'], 'processing')
  await everythingIsRead()
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'WAITING_PAYMENT')
  await shop.simulate('acquirer', '/pay', { intent: intent?.['id'], act: 'arrive' })
  await shop.untilPaid(payment)
  const refused = await shop.api('POST', `/v1/payments/${payment.id}/refunds`, {})
  assert.deepEqual(
    [refused.status, refused.body['code'], refused.body['detail']],
    [422, 'method_not_available', 'What came by BOLETO cannot be given back here.'],
  )
})

test('iDEAL: declined, tried again on the same page, and paid', async () => {
  const payment = await shop.create({ paymentMethods: ['IDEAL'] })
  await shop.pay(payment, 'decline')
  const declined = await shop.until(payment, 'is declined', ({ lastError }) => lastError !== undefined)
  assert.equal((declined['lastError'] as Json)['code'], 'not_confirmed')
  await eventually('the page offers another', async () => {
    await fetch(String(payment['cardRedirectUrl']))
    return (await intents(payment)).some(({ status }) => status === 'requires_action')
  })
  await shop.pay(payment, 'approve')
  await shop.untilPaid(payment)
})

/** What a payment of each method has, whose money can go back. */
const refundable: Readonly<Record<string, Json>> = {
  MULTIBANCO: { customerEmail: 'ana@example.com' },
  MB_WAY: { customerPhone: '+351912345678' },
  IDEAL: {},
  BANCONTACT: { customerName: 'Ana Souza' },
  BIZUM: {},
}

test('a part goes back and then the rest, of every method but boleto; of Multibanco once the payer named an account', async () => {
  const { balance: before, held } = await shop.wallet('EUR')
  await Promise.all(
    Object.entries(refundable).map(async ([method, payer]) => {
      const payment = await shop.create({ ...payer, paymentMethods: [method] })
      await shop.pay(payment, 'approve')
      await shop.untilPaid(payment)
      const ask = (body: Json) => shop.api('POST', `/v1/payments/${payment.id}/refunds`, body)
      const refunds: string[] = []
      for (const amount of [990, undefined]) {
        const made = await ask(amount === undefined ? {} : { amount })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        assert.deepEqual([made.body['status'], made.body['amount']], ['PENDING', amount ?? 1000])
        refunds.push(String(made.body['id']))
      }
      if (method === 'MULTIBANCO') await passesThrough(payment)
      const back = await shop.until(payment, 'is refunded', ({ amountRefunded }) => amountRefunded === 1990)
      assert.deepEqual([back['status'], back['refundStatus']], ['PAID', 'FULL'], method)
      for (const id of refunds)
        await eventually(`refund ${id} is notified`, () =>
          Promise.resolve(
            shop.hooks.received.some(({ type, data }) => type === 'refund.completed' && data['id'] === id),
          ),
        )
      assert.equal((await ask({ amount: 1 })).status, 422, method)
    }),
  )
  assert.deepEqual(await shop.wallet('EUR'), { balance: before, held })
})

/** The acquirer asks the payer, then sends the money: in its log of events both refunds were `requires_action` and `pending` before. */
async function passesThrough(payment: Payment): Promise<void> {
  const [intent] = await intents(payment)
  const updates = await eventually('both refunds have ended there', async () => {
    const events = (await shop.stateOf('acquirer'))['events'] as readonly (Json & { readonly data: Json })[]
    const found = events.filter(({ type, data }) => {
      const { payment_intent: of } = data['object'] as Json
      return type === 'refund.updated' && of === intent?.['id']
    })
    return found.length === 4 && found
  })
  const before = updates.map(({ data }) => String((data['previous_attributes'] as Json)['status']))
  for (const status of ['pending', 'requires_action'])
    assert.equal(before.filter((each) => each === status).length, 2, before.join(', '))
}
