// The payment provider for Medusa at a running sandbox, called as Medusa calls it, over a line that can lose answers. `npm run test:tools medusa`
// has it in a real Medusa.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, mock, test } from 'node:test'
import { VintemProvider } from '../../integrations/medusa/src/provider.ts'
import { createClient } from '../../sdk/typescript/src/vintem.ts'
import { eventually } from '../eventually.ts'
import { openLossyLine } from '../lossy-line.ts'
import type { Installation } from './installation.ts'
import { sharedInstallation } from './shared-installation.ts'

let installation: Installation
before(async () => {
  installation = await sharedInstallation()
})

const client = () => {
  const { apiKey, apiUrl } = installation.sandbox()
  return createClient({ apiKey, baseUrl: apiUrl })
}

function providerAt(baseUrl: string, options: object = {}) {
  const { apiKey, webhookSecret } = installation.sandbox()
  return new VintemProvider({}, { apiKey, baseUrl, webhookSecret, ...options })
}

const here = () => installation.sandbox().apiUrl
const sessionData = () => ({ session_id: `payses_${randomUUID()}` })

const openLine = () => openLossyLine(here)

type Means = Parameters<ReturnType<typeof client>['sandbox']['payPayment']>[1]

/** A session whose payment is paid or authorised. */
async function paid(provider: VintemProvider, amount: string, means: Means, status = 'PAID') {
  const { id, data } = await provider.initiatePayment({ amount, currency_code: 'brl', data: sessionData() })
  await client().sandbox.payPayment(id, { scenario: 'exact', ...means })
  await eventually(status, async () => (await client().payments.get(id)).status === status)
  return { id, data }
}

const refundsOf = async (paymentId: string) =>
  (await Array.fromAsync(client().refunds.list({ paymentId }))).map(({ amount }) => amount)

test('a session asked for twice is one payment; what its page sends along is not believed', async () => {
  const provider = providerAt(here(), { checkout: 'default', expiresIn: 900 })
  const data = { ...sessionData(), id: randomUUID(), refundIds: ['x'] }
  const customer = { email: 'ana@example.com', first_name: 'Ana', billing_address: { country_code: 'br' } }
  const input = { amount: { value: '49.90' }, currency_code: 'brl', data, context: { customer } }
  const [first, second] = await Promise.all([
    provider.initiatePayment(input),
    provider.initiatePayment(input),
  ])
  assert.equal(first.id, second.id)
  assert.notEqual(first.id, data.id)
  assert.equal(first.status, 'pending')
  const { id, session_id, refundIds, amount, currency, status } = first.data
  assert.deepEqual(
    { id, session_id, refundIds, amount, currency, status },
    {
      id: first.id,
      session_id: data.session_id,
      refundIds: [],
      amount: 4990,
      currency: 'BRL',
      status: 'PENDING',
    },
  )
  assert.match(String(first.data['checkoutUrl']), /^http/)
  const payment = await client().payments.get(first.id)
  assert.deepEqual(
    [payment.customerName, payment.customerEmail, payment.metadata],
    ['Ana', 'ana@example.com', { medusaSessionId: data.session_id }],
  )
})

test('a session that names the payment of another moves nothing', async () => {
  const provider = providerAt(here())
  const victim = await provider.initiatePayment({ amount: 10, currency_code: 'brl', data: sessionData() })
  const data = { ...sessionData(), id: victim.id }
  const calls = [
    'authorizePayment',
    'cancelPayment',
    'deletePayment',
    'retrievePayment',
    'capturePayment',
  ] as const
  for (const call of calls)
    await assert.rejects(provider[call]({ data }), /is not of this payment session/, call)
  const context = { idempotency_key: randomUUID() }
  await assert.rejects(provider.refundPayment({ data, context, amount: 1 }), /is not of this payment session/)
  assert.equal((await client().payments.get(victim.id)).status, 'PENDING')
})

test('a payment is canceled once, also when the answer was lost; one that is paid is not', async () => {
  await using line = await openLine()
  const provider = providerAt(line.url)
  const { id, data } = await provider.initiatePayment({
    amount: 10,
    currency_code: 'brl',
    data: sessionData(),
  })
  line.breakAt(/\/cancel$/)
  await assert.rejects(provider.deletePayment({ data }), { name: 'VintemConnectionError' })
  assert.equal((await client().payments.get(id)).status, 'CANCELED')
  line.mend()
  assert.equal((await provider.deletePayment({ data })).data?.['status'], 'CANCELED')
  assert.equal((await provider.authorizePayment({ data })).status, 'canceled')

  const other = await paid(provider, '10', { method: 'PIX' })
  await assert.rejects(provider.deletePayment(other), { type: 'not_allowed', message: /is paid/ })
  await assert.rejects(provider.cancelPayment(other), { type: 'not_allowed', message: /is paid/ })
  assert.equal((await provider.authorizePayment(other)).status, 'captured')
})

test('another amount cancels the payment and makes one more, once', async () => {
  const provider = providerAt(here())
  const { id, data } = await provider.initiatePayment({
    amount: 10,
    currency_code: 'brl',
    data: sessionData(),
  })
  const same = await provider.updatePayment({ amount: '10.001', currency_code: 'brl', data })
  assert.equal(same.data['id'], id)
  const change = { amount: 12, currency_code: 'brl', data }
  const next = await provider.updatePayment(change)
  assert.equal((await provider.updatePayment(change)).data['id'], next.data['id'])
  assert.equal((await client().payments.get(id)).status, 'CANCELED')
  assert.equal((await client().payments.get(String(next.data['id']))).amount, 1200)
  // And back: neither of the two that are canceled.
  const back = await provider.updatePayment({ amount: 10, currency_code: 'brl', data: next.data })
  assert.equal(new Set([id, next.data['id'], back.data['id']]).size, 3)
})

test('a card is captured once, and what was captured in part elsewhere is told as it is', async () => {
  const provider = providerAt(here(), { capture: 'manual' })
  const means = { method: 'CREDIT_CARD', scenario: 'success' } as const
  const whole = await paid(provider, '25', means, 'APPROVED')
  assert.equal((await provider.authorizePayment(whole)).status, 'authorized')
  for (const _ of [1, 2]) assert.equal((await provider.capturePayment(whole)).data['status'], 'PAID')
  const part = await paid(provider, '25', means, 'APPROVED')
  await client().payments.capture(part.id, { amount: 2000 })
  assert.equal((await provider.authorizePayment(part)).status, 'authorized')
  const open = await provider.initiatePayment({ amount: 5, currency_code: 'brl', data: sessionData() })
  await assert.rejects(provider.capturePayment(open), /PENDING: nothing to capture/)
})

test('a refund whose answer was lost is not made a second time, and is on record in the end', async () => {
  await using line = await openLine()
  const provider = providerAt(line.url)
  const { id, data } = await paid(provider, '50', { method: 'PIX' })
  const refund = (amount: string, of = data) =>
    provider.refundPayment({ amount, data: of, context: { idempotency_key: `ref_${randomUUID()}` } })

  const first = await refund('10.00')
  assert.deepEqual((first.data['refundIds'] as readonly string[]).length, 1)
  line.breakAt(/^POST .*\/refunds$/)
  await assert.rejects(refund('20.00', first.data), { name: 'VintemConnectionError' })
  line.mend()
  assert.deepEqual(await refundsOf(id), [2000, 1000])

  // It may still be under way: nothing is refunded.
  await assert.rejects(refund('20.00', first.data), { type: 'not_allowed', message: /just now/ })
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 11 * 60_000 })
  try {
    await assert.rejects(refund('5.00', first.data), /Refund 20\.00 BRL first/)
    const found = await refund('20.00', first.data)
    assert.deepEqual((found.data['refundIds'] as readonly string[]).length, 2)
    assert.deepEqual(await refundsOf(id), [2000, 1000])
    // What is on record is in nobody's way, and the same amount again is another refund.
    await refund('20.00', found.data)
  } finally {
    mock.timers.reset()
  }
  assert.deepEqual(await refundsOf(id), [2000, 2000, 1000])
})

test('a refund that Vintem refuses is told to the administrator; what is wrong with the key is not', async () => {
  const provider = providerAt(here())
  const { data } = await paid(provider, '5', { method: 'PIX' })
  const context = { idempotency_key: randomUUID() }
  await assert.rejects(provider.refundPayment({ data, context, amount: '5.01' }), {
    type: 'not_allowed',
    message: /more than/i,
  })
  const wrong = providerAt(here(), { apiKey: 'vtm_test_wrong' })
  await assert.rejects(
    wrong.authorizePayment({ data }),
    (error: object) => !('type' in error) && 'status' in error && error.status === 401,
  )
})

test('a refund that fails is an error with its reason, and is in the way of no other', async () => {
  const provider = providerAt(here())
  const { id, data } = await paid(provider, '5', { method: 'PIX' })
  const refund = () =>
    provider.refundPayment({ amount: 2, data, context: { idempotency_key: `ref_${randomUUID()}` } })
  await refundsEnd('fail')
  try {
    await assert.rejects(refund(), { type: 'not_allowed', message: /could not refund/ })
  } finally {
    await refundsEnd('done')
  }
  assert.equal((await refund()).data['status'], 'PAID')
  assert.equal((await client().payments.get(id)).amountRefunded, 200)
})

/** How refunds end at the bank. */
async function refundsEnd(mode: 'done' | 'fail'): Promise<void> {
  const { pixBank } = installation.sandbox().simulators
  const answer = await fetch(`${pixBank.controlUrl}/_sim/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  })
  await answer.arrayBuffer()
  assert.ok(answer.ok)
}
