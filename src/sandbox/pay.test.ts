// The payer of the sandbox: each method pays by its own scenarios, and pays what is missing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import { createSandboxPayer, type MethodPayer } from './pay.ts'

const merchantId: MerchantId = newId()
const paymentId: PaymentId = newId()

function payerOf(payment: { readonly [Name in keyof Payment]?: Payment[Name] | undefined } | undefined) {
  const paid: unknown[] = []
  const pix: MethodPayer = {
    scenarios: ['exact', 'med'],
    pay: async (ref, how) => {
      paid.push([ref.paymentId, how.minor, how.scenario])
      return { endToEndIds: ['E1'] }
    },
  }
  const find = async (of: MerchantId) =>
    of === merchantId && payment !== undefined
      ? ({ amountMinor: 1_000n, receivedMinor: 0n, refundedMinor: 0n, method: 'PIX', ...payment } as Payment)
      : undefined
  const chosen: Method[] = []
  const expired: PaymentId[] = []
  const payer = createSandboxPayer({
    payers: new Map<Method, MethodPayer>([['PIX', pix]]),
    find,
    choose: async (_payment, method) => chosen.push(method),
    async expire(_merchantId, id) {
      if (payment?.status === 'PAID') return false
      expired.push(id)
      return true
    },
  })
  return { payer, paid, chosen, expired }
}

test('without an amount what is missing is paid, or the whole again when nothing is missing', async () => {
  for (const { receivedMinor, refundedMinor, expected } of [
    { receivedMinor: 0n, refundedMinor: 0n, expected: 1_000n },
    { receivedMinor: 400n, refundedMinor: 0n, expected: 600n },
    { receivedMinor: 1_000n, refundedMinor: 300n, expected: 300n },
    { receivedMinor: 1_000n, refundedMinor: 0n, expected: 1_000n },
    { receivedMinor: 5_000n, refundedMinor: 0n, expected: 1_000n },
  ]) {
    const { payer, paid } = payerOf({ receivedMinor, refundedMinor })
    const answer = await payer.pay(merchantId, paymentId, { scenario: 'exact' })
    assert.deepEqual(answer, { paymentId, scenario: 'exact', endToEndIds: ['E1'] })
    assert.deepEqual(paid, [[paymentId, expected, 'exact']])
  }
})

test('an amount in the request is paid as it is', async () => {
  const { payer, paid } = payerOf({})
  await payer.pay(merchantId, paymentId, { scenario: 'med', amount: 7n })
  assert.deepEqual(paid, [[paymentId, 7n, 'med']])
})

test('a scenario of another method is refused, and nothing is paid', async () => {
  const { payer, paid } = payerOf({})
  await assert.rejects(payer.pay(merchantId, paymentId, { scenario: 'reorged' }), { code: 'invalid_request' })
  assert.deepEqual(paid, [])
})

test('the payer of a checkout chooses the method in the request; without one, and none chosen, the call is refused', async () => {
  const checkout = {
    method: undefined,
    methods: ['PIX', 'CREDIT_CARD'],
    request: { amount: 1_000, checkout: 'x' },
  } as const
  const open = payerOf(checkout)
  await assert.rejects(open.payer.pay(merchantId, paymentId, { scenario: 'exact' }), {
    code: 'invalid_request',
    message: 'method is required until the payer has chosen: PIX, CREDIT_CARD.',
  })
  const wrong = { scenario: 'exact', method: 'CRYPTO' } as const
  await assert.rejects(open.payer.pay(merchantId, paymentId, wrong), { code: 'method_not_available' })
  await assert.rejects(open.payer.pay(merchantId, paymentId, { scenario: 'free', method: 'PIX' }), {
    code: 'invalid_request',
  })
  assert.deepEqual([open.chosen, open.paid], [[], []])
  await open.payer.pay(merchantId, paymentId, { scenario: 'exact', method: 'PIX' })
  assert.deepEqual([open.chosen, open.paid], [['PIX'], [[paymentId, 1_000n, 'exact']]])
  const direct = payerOf({ methods: ['PIX'], request: { amount: 1_000 } })
  await direct.payer.pay(merchantId, paymentId, { scenario: 'exact', method: 'PIX' })
  assert.deepEqual(direct.chosen, [])
  const other = { scenario: 'exact', method: 'CREDIT_CARD' } as const
  await assert.rejects(direct.payer.pay(merchantId, paymentId, other), { code: 'method_not_available' })
})

test('a payment that does not exist, is another merchant’s, or has no payer is not found', async () => {
  const exact = { scenario: 'exact' }
  await assert.rejects(payerOf(undefined).payer.pay(merchantId, paymentId, exact), { code: 'not_found' })
  await assert.rejects(payerOf({}).payer.pay(newId(), paymentId, exact), { code: 'not_found' })
  await assert.rejects(payerOf({ method: 'CRYPTO' }).payer.pay(merchantId, paymentId, exact), {
    code: 'not_found',
  })
})

test('any payment expires, before a method is chosen too, and nobody chooses or pays; one that has ended is refused', async () => {
  const expire = { scenario: 'expire' }
  for (const method of ['PIX', 'CREDIT_CARD', undefined] as const) {
    const { payer, ...done } = payerOf({
      method,
      methods: ['PIX', 'CREDIT_CARD'],
      request: { amount: 1, checkout: 'x' },
    })
    assert.deepEqual(await payer.pay(merchantId, paymentId, expire), { paymentId, scenario: 'expire' })
    assert.deepEqual(done, { paid: [], chosen: [], expired: [paymentId] })
  }
  await assert.rejects(payerOf({ status: 'PAID' }).payer.pay(merchantId, paymentId, expire), {
    code: 'invalid_state',
  })
  await assert.rejects(payerOf({}).payer.pay(newId(), paymentId, expire), { code: 'not_found' })
})
