import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { eventually } from '../../test/eventually.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { closer, type Json } from '../kit/harness.ts'
import { cards, declines, isCardNumber } from './cards.ts'
import { startTestAcquirer, terms } from './harness.ts'

const acquirer = openForTests(startTestAcquirer)
const shop = makeForTests(() => acquirer.account())

const manual = { payment_intent_data: { capture_method: 'manual', metadata: { attempt_id: 'a9' } } } as const

async function pay(card: string, more: Partial<Stripe.Checkout.SessionCreateParams> = {}, how: Json = {}) {
  const session = await shop.stripe.checkout.sessions.create(terms(more))
  const paid = await acquirer.control('pay', { session: session.id, card, ...how })
  return { session: session.id, intent: String(paid['paymentIntent']), ...paid } as const
}

async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return error
}

async function chargeOf(intent: string): Promise<Stripe.Charge> {
  const found = await shop.stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })
  return found.latest_charge as Stripe.Charge
}

async function typesOf(id: string): Promise<readonly string[]> {
  const { data } = await shop.stripe.events.list({ limit: 100 })
  const about = data.filter(({ data: { object } }) => {
    const { id: objectId, payment_intent: intent } = object as { id?: string; payment_intent?: string }
    return objectId === id || intent === id
  })
  return about.map(({ type }) => type).reverse()
}

test('a successful payment is announced in order, and can be read from its session', async () => {
  const paid = await pay('4242 4242 4242 4242', { payment_intent_data: { metadata: { attempt_id: 'a1' } } })
  assert.equal((paid as Json)['status'], 'succeeded')
  const session = await shop.stripe.checkout.sessions.retrieve(paid.session, {
    expand: ['payment_intent.latest_charge.balance_transaction'],
  })
  const intent = session.payment_intent as Stripe.PaymentIntent
  const charge = intent.latest_charge as Stripe.Charge
  assert.deepEqual([session.status, session.payment_status, session.url], ['complete', 'paid', null])
  assert.deepEqual([intent.amount_received, intent.metadata], [1990, { attempt_id: 'a1' }])
  assert.deepEqual(
    [charge.paid, charge.captured, charge.amount_captured, charge.metadata],
    [true, true, 1990, { attempt_id: 'a1' }],
  )
  const card = charge.payment_method_details?.card
  assert.deepEqual([card?.brand, card?.last4, card?.three_d_secure], ['visa', '4242', null])
  const balance = charge.balance_transaction as Stripe.BalanceTransaction
  // 2.9 % of 19.90 is 0.5771.
  assert.deepEqual([balance.amount, balance.fee, balance.net], [1990, 88, 1902])
  assert.deepEqual(await typesOf(intent.id), [
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ])
})

test('money is pending for two days, and available then', async () => {
  const other = await acquirer.account({ currencies: ['eur'] })
  const session = await other.stripe.checkout.sessions.create(terms())
  await acquirer.control('pay', { session: session.id, card: 'success' })
  const amounts = async () => {
    const { available, pending } = await other.stripe.balance.retrieve()
    return [available[0]?.amount, pending[0]?.amount]
  }
  assert.deepEqual(await amounts(), [0, 1902])
  await acquirer.control('clock', closer(other.accountId, 2 * 86_400))
  assert.deepEqual(await amounts(), [1902, 0])
})

test('every test card is the number of a card, and does what the table says', async () => {
  for (const [number, plan] of Object.entries(cards)) {
    assert.ok(isCardNumber(number), number)
    const paid = (await pay(number)) as Json
    const isRefused = plan.decline !== undefined || plan.challenge === 'fails'
    assert.equal(paid['status'], isRefused ? 'requires_payment_method' : 'succeeded', number)
    if (!isRefused) {
      const card = (await chargeOf(String(paid['paymentIntent']))).payment_method_details?.card
      assert.deepEqual([card?.brand, card?.last4], [plan.brand, number.slice(-4)])
      assert.equal(card?.three_d_secure?.result, plan.challenge === 'always' ? 'authenticated' : undefined)
      continue
    }
    const { code, declineCode } = paid['error'] as Json
    const expected = plan.decline ?? declines.processing
    assert.deepEqual([code, declineCode], [expected.code, expected.decline], number)
  }
})

test('a card that offers 3-D Secure is challenged only when the merchant requests it', async () => {
  const wanted = { payment_method_options: { card: { request_three_d_secure: 'challenge' } } } as const
  const offered = (await pay('4000000000003055', wanted, { challenge: 'leave' })) as Json
  assert.equal(offered['status'], 'requires_action')
  const failed = (await pay('4000000000003097', wanted)) as Json
  assert.equal((failed['error'] as Json)['code'], 'processing_error')
})

test('a number that is no test card is declined, and one that is no card is refused', async () => {
  const unknown = (await pay('4111111111111111')) as Json
  assert.equal((unknown['error'] as Json)['declineCode'], 'test_mode_live_card')
  await assert.rejects(pay('4242424242424241'), /400 invalid_request/)
})

test('a decline leaves the session open, and the next card can pay it', async () => {
  const first = await pay('insufficient_funds')
  const intent = await shop.stripe.paymentIntents.retrieve(first.intent, { expand: ['latest_charge'] })
  const { last_payment_error: error } = intent
  assert.deepEqual(
    [error?.type, error?.code, error?.decline_code],
    ['card_error', 'card_declined', 'insufficient_funds'],
  )
  const failed = intent.latest_charge as Stripe.Charge
  assert.deepEqual([failed.paid, failed.status, failed.failure_code], [false, 'failed', 'card_declined'])
  assert.equal((await shop.stripe.checkout.sessions.retrieve(first.session)).status, 'open')
  const second = await acquirer.control('pay', { session: first.session, card: 'success' })
  assert.deepEqual([second['status'], second['paymentIntent']], ['succeeded', first.intent])
  const types = await typesOf(first.intent)
  assert.ok(types.includes('charge.failed') && types.includes('payment_intent.payment_failed'))
})

test('a challenge can be left open, refused, and passed', async () => {
  const left = await pay('challenge', {}, { challenge: 'leave' })
  assert.equal((left as Json)['status'], 'requires_action')
  const refused = await acquirer.control('pay', { session: left.session, challenge: 'fail' })
  assert.equal(refused['status'], 'requires_payment_method')
  assert.equal((refused['error'] as Json)['code'], 'payment_intent_authentication_failure')
  assert.equal(refused['charge'], null)
  const passed = await acquirer.control('pay', { session: left.session, card: 'challenge' })
  assert.equal(passed['status'], 'succeeded')
})

test('an authorisation is captured once, as much as requested and no more', async () => {
  const held = await pay('success', manual)
  assert.equal((held as Json)['status'], 'requires_capture')
  const session = await shop.stripe.checkout.sessions.retrieve(held.session)
  assert.deepEqual([session.status, session.payment_status], ['complete', 'unpaid'])
  const { capture } = shop.stripe.paymentIntents
  const captureOf = (amount: number, key: string) =>
    capture.call(
      shop.stripe.paymentIntents,
      held.intent,
      { amount_to_capture: amount },
      { idempotencyKey: key },
    )
  assert.equal((await refusal(captureOf(1991, 'c0'))).code, 'amount_too_large')
  const captured = await captureOf(1500, 'c1')
  assert.deepEqual(
    [captured.status, captured.amount_received, captured.amount_capturable],
    ['succeeded', 1500, 0],
  )
  assert.equal((await captureOf(1500, 'c1')).id, captured.id)
  const twice = await refusal(captureOf(1500, 'c2'))
  assert.equal(twice.code, 'payment_intent_unexpected_state')
  assert.equal(twice.payment_intent?.status, 'succeeded')
  const charge = await chargeOf(held.intent)
  assert.deepEqual([charge.amount, charge.amount_captured, charge.amount_refunded], [1990, 1500, 490])
  assert.equal((await shop.stripe.checkout.sessions.retrieve(held.session)).payment_status, 'paid')
  assert.deepEqual((await typesOf(held.intent)).slice(-2), ['charge.captured', 'payment_intent.succeeded'])
})

test('an authorisation can be canceled, and lapses after seven days', async () => {
  const [void_, left] = [await pay('success', manual), await pay('success', manual)]
  const canceled = await shop.stripe.paymentIntents.cancel(void_.intent, {
    cancellation_reason: 'requested_by_customer',
  })
  assert.deepEqual([canceled.status, canceled.cancellation_reason], ['canceled', 'requested_by_customer'])
  const again = await refusal(shop.stripe.paymentIntents.cancel(void_.intent))
  assert.equal(again.code, 'payment_intent_unexpected_state')
  await acquirer.control('clock', closer(shop.accountId, 7 * 86_400))
  const lapsed = await shop.stripe.paymentIntents.retrieve(left.intent)
  assert.deepEqual([lapsed.status, lapsed.cancellation_reason], ['canceled', 'automatic'])
  assert.deepEqual((await typesOf(left.intent)).slice(-2), ['charge.expired', 'payment_intent.canceled'])
  const charge = await chargeOf(left.intent)
  assert.deepEqual([charge.captured, charge.refunded], [false, true])
})

test('a payment whose session is still open cannot be canceled, only its session', async () => {
  const declined = await pay('decline')
  const error = await refusal(shop.stripe.paymentIntents.cancel(declined.intent))
  assert.match(error.message, /Expire the Checkout Session instead/)
})

test('refunds are made by the restricted key alone, and never exceed the charge', async () => {
  const { intent } = await pay('success')
  const request = { payment_intent: intent, amount: 1000, metadata: { refund_id: 'r1' } }
  assert.equal((await refusal(shop.stripe.refunds.create(request))).type, 'StripePermissionError')
  const made = await shop.refunder.refunds.create(request, { idempotencyKey: 'r1' })
  assert.deepEqual([made.status, made.amount, made.metadata], ['succeeded', 1000, { refund_id: 'r1' }])
  assert.equal((await shop.refunder.refunds.create(request, { idempotencyKey: 'r1' })).id, made.id)
  assert.equal((await refusal(shop.refunder.refunds.create({ ...request, amount: 991 }))).param, 'amount')
  const rest = await shop.refunder.refunds.create({ payment_intent: intent })
  assert.equal(rest.amount, 990)
  const over = await refusal(shop.refunder.refunds.create({ payment_intent: intent }))
  assert.equal(over.code, 'charge_already_refunded')
  const charge = await chargeOf(intent)
  assert.deepEqual([charge.amount_refunded, charge.refunded], [1990, true])
  const listed = await shop.stripe.refunds.list({ payment_intent: intent })
  assert.deepEqual(
    listed.data.map(({ id }) => id),
    [rest.id, made.id],
  )
  const other = await refusal(shop.refunder.checkout.sessions.create(terms()))
  assert.equal(other.type, 'StripePermissionError')
})

test('a refund can be pending first, and can fail after it succeeded', async () => {
  const slow = await pay('refund_pending')
  const pending = await shop.refunder.refunds.create({ payment_intent: slow.intent })
  assert.deepEqual([pending.status, pending.pending_reason], ['pending', 'processing'])
  await eventually('the refund succeeds', async () => {
    const { status } = await shop.stripe.refunds.retrieve(pending.id)
    return status === 'succeeded'
  })
  const failing = await pay('refund_fails')
  const first = await shop.refunder.refunds.create({ payment_intent: failing.intent })
  assert.equal(first.status, 'succeeded')
  const ended = await eventually('the refund fails', async () => {
    const refund = await shop.stripe.refunds.retrieve(first.id)
    return refund.status === 'failed' && refund
  })
  assert.equal(ended.failure_reason, 'expired_or_canceled_card')
  const charge = await chargeOf(failing.intent)
  assert.deepEqual([charge.amount_refunded, charge.refunded], [0, false])
  assert.deepEqual(await typesOf(first.id), ['refund.created', 'refund.updated', 'refund.failed'])
})

test('refunds follow the control mode, and end by a control call', async () => {
  await acquirer.control('refunds', { mode: 'pending' })
  const { intent } = await pay('success')
  const refund = await shop.refunder.refunds.create({ payment_intent: intent, amount: 10 })
  assert.equal(refund.status, 'pending')
  await acquirer.control('refunds', { mode: 'succeed' })
  assert.equal((await acquirer.control(`refunds/${refund.id}`, { outcome: 'fail' }))['status'], 'failed')
  await assert.rejects(acquirer.control(`refunds/${refund.id}`, { outcome: 'succeed' }), /409/)
})

test('a dispute withdraws the money with a fee; won, the money is reinstated, and the fee is not', async () => {
  const { intent } = await pay('success')
  const before = await sumOf()
  const opened = await acquirer.control('disputes', { paymentIntent: intent, reason: 'product_not_received' })
  const id = String(opened['id'])
  const dispute = await shop.stripe.disputes.retrieve(id)
  assert.deepEqual(
    [dispute.status, dispute.amount, dispute.reason, dispute.is_charge_refundable, dispute.payment_intent],
    ['needs_response', 1990, 'product_not_received', false, intent],
  )
  assert.deepEqual(
    dispute.balance_transactions.map(({ amount, fee, net }) => [amount, fee, net]),
    [[-1990, 1500, -3490]],
  )
  assert.equal((await sumOf()) - before, -3490)
  assert.equal((await chargeOf(intent)).disputed, true)
  const blocked = await refusal(shop.refunder.refunds.create({ payment_intent: intent }))
  assert.equal(blocked.code, 'charge_disputed')
  const won = await acquirer.control(`disputes/${id}`, { outcome: 'won' })
  assert.equal(won['status'], 'won')
  assert.equal((await sumOf()) - before, -1500)
  assert.deepEqual(await typesOf(id), [
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ])
})

test('a lost dispute may be reinstated, and a won one withdrawn once more', async () => {
  const { intent } = await pay('success')
  const before = await sumOf()
  const { id } = await acquirer.control('disputes', { paymentIntent: intent })
  const end = async (outcome: string) =>
    (await acquirer.control(`disputes/${String(id)}`, { outcome }))['status']
  assert.equal(await end('lost'), 'lost')
  await assert.rejects(end('lost'), /409/)
  assert.equal(await end('won'), 'won')
  assert.equal((await sumOf()) - before, -1500)
  assert.equal(await end('lost'), 'lost')
  assert.equal((await sumOf()) - before, -1990 - 2 * 1500)
  assert.deepEqual((await typesOf(String(id))).slice(2), [
    'charge.dispute.closed',
    'charge.dispute.updated',
    'charge.dispute.funds_reinstated',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
  ])
})

async function sumOf(): Promise<number> {
  const { available, pending } = await shop.stripe.balance.retrieve()
  return [...available, ...pending].reduce((sum, { amount }) => sum + amount, 0)
}

test('a dispute is accepted once; evidence goes to the bank, which may be convinced', async () => {
  const lost = await acquirer.control('disputes', { paymentIntent: (await pay('success')).intent })
  assert.equal((await shop.stripe.disputes.close(String(lost['id']))).status, 'lost')
  assert.equal((await refusal(shop.stripe.disputes.close(String(lost['id'])))).statusCode, 400)
  const fought = await acquirer.control('disputes', {
    paymentIntent: (await pay('success')).intent,
    amount: 500,
  })
  const id = String(fought['id'])
  const staged = await shop.stripe.disputes.update(id, { evidence: { customer_name: 'Ana' }, submit: false })
  assert.deepEqual([staged.status, staged.evidence_details.has_evidence], ['needs_response', true])
  const sent = await shop.stripe.disputes.update(id, { evidence: { uncategorized_text: 'It was sent.' } })
  assert.deepEqual([sent.status, sent.evidence_details.submission_count], ['under_review', 1])
  const other = await acquirer.control('disputes', { paymentIntent: (await pay('success')).intent })
  const winning = { evidence: { uncategorized_text: 'winning_evidence' }, submit: true }
  assert.equal((await shop.stripe.disputes.update(String(other['id']), winning)).status, 'won')
})

test('an inquiry withdraws nothing, closes, or becomes a dispute', async () => {
  const { intent } = await pay('success')
  const opened = await acquirer.control('disputes', { paymentIntent: intent, inquiry: true })
  assert.deepEqual([opened['status'], opened['balance_transactions']], ['warning_needs_response', []])
  const closed = await acquirer.control(`disputes/${String(opened['id'])}`, { outcome: 'warning' })
  assert.equal(closed['status'], 'warning_closed')
  const again = await acquirer.control('disputes', { paymentIntent: intent, inquiry: true })
  const escalated = await acquirer.control(`disputes/${String(again['id'])}`, { outcome: 'escalate' })
  assert.equal(escalated['status'], 'needs_response')
  await assert.rejects(acquirer.control(`disputes/${String(again['id'])}`, { outcome: 'warning' }), /409/)
})

test('cards that dispute do so by themselves', async () => {
  const { intent } = await pay('dispute')
  const dispute = await eventually('the dispute', async () => {
    const { data } = await shop.stripe.disputes.list({ payment_intent: intent })
    return data[0]
  })
  assert.deepEqual([dispute.reason, dispute.status], ['fraudulent', 'needs_response'])
})

test('events are listed newest first, by type and time, page by page in both directions', async () => {
  const other = await acquirer.account()
  for (let n = 0; n < 3; n++) {
    const session = await other.stripe.checkout.sessions.create(terms())
    await acquirer.control('pay', { session: session.id, card: 'success' })
  }
  const all = (await other.stripe.events.list({ limit: 100 })).data.map(({ id }) => id)
  assert.equal(all.length, 12)
  const walked: string[] = []
  for await (const { id } of other.stripe.events.list({ limit: 5 })) walked.push(id)
  assert.deepEqual(walked, all)
  const newer = await other.stripe.events.list({ ending_before: all[6] ?? '', limit: 2 })
  assert.deepEqual([newer.data.map(({ id }) => id), newer.has_more], [all.slice(4, 6), true])
  const types = await other.stripe.events.list({
    types: ['charge.succeeded', 'payment_intent.succeeded'],
    limit: 100,
  })
  assert.equal(types.data.length, 6)
  const { created } = await other.stripe.events.retrieve(all[0] ?? '')
  const none = await other.stripe.events.list({ created: { gte: created + 1 } })
  const some = await other.stripe.events.list({ created: { gte: created - 60 }, limit: 100 })
  assert.deepEqual([none.data.length, some.data.length], [0, 12])
  assert.equal((await refusal(other.stripe.events.list({ limit: 101 }))).param, 'limit')
  assert.equal((await refusal(other.stripe.events.list({ starting_after: 'evt_no' }))).statusCode, 404)
})

test('a field that cannot be expanded is refused by name', async () => {
  const { session } = await pay('success')
  const wrong = shop.stripe.checkout.sessions.retrieve(session, { expand: ['customers'] })
  assert.equal((await refusal(wrong)).param, 'expand')
})
