// The payer whom a sandbox's developer plays on a payment's page: for each method every act that its page offers, by the page's own form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import type { Json } from './merchant.ts'
import { openShop, type Payment } from './shop.ts'

const shop = openForTests(() => openShop({ amount: 1_000 }))

const payer = {
  customerName: 'Ana Souza',
  customerEmail: 'ana@example.com',
  customerPhone: '+351912345678',
  customerTaxId: '52998224725',
  customerAddress: {
    line1: 'Rua A, 1',
    city: 'São Paulo',
    region: 'SP',
    postcode: '01310-100',
    country: 'BR',
  },
}

/** Status, cents received, exceptions, and the code of the last error. */
type End = readonly [status: string, received: number, exceptions: readonly string[], error?: string]

const paid: End = ['PAID', 1_000, []]
const expired: End = ['EXPIRED', 0, []]
const transferred = {
  exact: paid,
  less: ['WAITING_PAYMENT', 500, ['UNDERPAID']],
  twice: ['PAID', 2_000, ['DUPLICATE']],
  later: ['PAID', 1_000, ['LATE']],
  expire: expired,
} as const

const ends: Readonly<
  Record<string, { readonly currency: string; readonly acts: Readonly<Record<string, End>> }>
> = {
  PIX: { currency: 'BRL', acts: transferred },
  CRYPTO: { currency: 'USDT', acts: transferred },
  SEPA_TRANSFER: { currency: 'EUR', acts: transferred },
  CREDIT_CARD: {
    currency: 'BRL',
    acts: { exact: paid, refuse: ['WAITING_PAYMENT', 0, [], 'card_declined'], expire: expired },
  },
  MB_WAY: {
    currency: 'EUR',
    acts: { exact: paid, refuse: ['WAITING_PAYMENT', 0, [], 'not_confirmed'], expire: expired },
  },
  PARTNER_PAY: {
    currency: 'USDT',
    acts: { exact: paid, refuse: ['WAITING_PAYMENT', 0, [], 'order_canceled'], expire: expired },
  },
  BOLETO: { currency: 'BRL', acts: { exact: paid, expire: expired } },
  MULTIBANCO: { currency: 'EUR', acts: { exact: paid, expire: expired } },
}

const postTo = (url: string, values: Readonly<Record<string, string>>) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(values) })

/** The page's acts, once its payer can pay. */
function actsOf(page: string): Promise<readonly string[]> {
  return eventually(`${page} can be paid`, async () => {
    const state = (await (await fetch(`${page}/state`)).json()) as Json
    const simulation = state['simulation'] as
      | { readonly acts: readonly { readonly name: string }[] }
      | undefined
    const names = simulation?.acts.map(({ name }) => name) ?? []
    return names.length > 1 && names
  })
}

async function open(method: string, currency: string): Promise<{ payment: Payment; page: string }> {
  const payment = await shop.create({ ...payer, currency, paymentMethods: [method], checkout: 'default' })
  const page = String(payment['checkoutUrl'])
  assert.equal((await postTo(`${page}/choose`, { method })).status, 303)
  return { payment, page }
}

const isEnd =
  ([status, received, exceptions, error]: End) =>
  (payment: Json) =>
    payment['status'] === status &&
    payment['amountReceived'] === received &&
    String(payment['exceptions']) === exceptions.join() &&
    (error === undefined || (payment['lastError'] as Json | undefined)?.['code'] === error)

for (const [method, { currency, acts }] of Object.entries(ends))
  test(`${method}: each act of its page ends the payment as it says, and there are no others`, async () => {
    for (const [act, end] of Object.entries(acts)) {
      const { payment, page } = await open(method, currency)
      assert.deepEqual(await actsOf(page), Object.keys(acts))
      assert.equal((await postTo(`${page}/simulate`, { act })).status, 303)
      await shop.until(payment, `ends by ${act}`, isEnd(end))
    }
  })

const over = makeForTests(() => open('PIX', 'BRL'))

test('an act that is none, and one from another site, are refused and change nothing', async () => {
  const { payment, page } = over
  await actsOf(page)
  assert.equal((await postTo(`${page}/simulate`, { act: 'paid' })).status, 403)
  const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
  const body = new URLSearchParams({ act: 'exact' })
  assert.equal(
    (await fetch(`${page}/simulate`, { method: 'POST', redirect: 'manual', headers, body })).status,
    403,
  )
  const { status, amountReceived } = await shop.get(`/v1/payments/${payment.id}`)
  assert.deepEqual([status, amountReceived], ['WAITING_PAYMENT', 0])
})

test('by the API too every payment expires, by any method and before one is chosen; what has ended is refused', async () => {
  const expire = (payment: Payment) =>
    shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, { scenario: 'expire' })
  for (const [method, { currency }] of [...Object.entries(ends), [undefined, { currency: 'BRL' }] as const]) {
    const methods = method === undefined ? {} : { paymentMethods: [method] }
    const payment = await shop.create({ ...payer, currency, ...methods, checkout: 'default' })
    const answer = await expire(payment)
    assert.deepEqual([answer.status, answer.body['scenario'], method], [202, 'expire', method])
    await shop.until(payment, 'is expired', isEnd(expired))
    assert.equal((await expire(payment)).status, 202, 'it is expired already')
  }
  const { payment, page } = await open('PIX', 'BRL')
  await actsOf(page)
  assert.equal((await postTo(`${page}/simulate`, { act: 'exact' })).status, 303)
  await shop.until(payment, 'is paid', isEnd(paid))
  assert.equal((await expire(payment)).status, 409)
})
