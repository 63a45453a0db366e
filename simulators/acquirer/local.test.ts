// Local methods over the official client: what each gives the payer, how it goes on, and how its money goes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stripe } from 'stripe'
import { eventually } from '../../test/eventually.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { closer } from '../kit/harness.ts'
import { item, startTestAcquirer, terms, type TestAccount } from './harness.ts'

type Type = 'multibanco' | 'mb_way' | 'ideal' | 'bancontact' | 'bizum' | 'boleto'

const acquirer = openForTests(startTestAcquirer)
const europe = makeForTests(() => acquirer.account())
const brazil = makeForTests(() => acquirer.account({ country: 'BR', currencies: ['brl'] }))

const email = 'ana@example.com'
const address = {
  line1: 'Rua das Flores, 10',
  city: 'São Paulo',
  state: 'SP',
  postal_code: '01310-100',
  country: 'BR',
}
const payers: Readonly<Record<Type, Omit<Stripe.PaymentIntentCreateParams.PaymentMethodData, 'type'>>> = {
  multibanco: { billing_details: { email } },
  mb_way: { billing_details: { phone: '+351912345678' } },
  ideal: {},
  bancontact: { billing_details: { name: 'Ana Souza' } },
  bizum: {},
  boleto: { boleto: { tax_id: '52998224725' }, billing_details: { name: 'Ana Souza', email, address } },
}
const redirected: readonly Type[] = ['ideal', 'bancontact', 'bizum']

const shopOf = (type: Type) => (type === 'boleto' ? brazil : europe)

function intentOf(type: Type): Promise<Stripe.PaymentIntent> {
  return shopOf(type).stripe.paymentIntents.create({
    amount: 1_990,
    currency: type === 'boleto' ? 'brl' : 'eur',
    confirm: true,
    allowed_payment_method_types: [type],
    payment_method_data: { type, ...payers[type] },
    ...(redirected.includes(type) ? { return_url: 'http://shop.localhost/c/1' } : {}),
  })
}

const act = (intent: string, how: string) => acquirer.control('pay', { intent, act: how })

/** The types of the events about an object, in their order. */
async function typesOf({ stripe }: TestAccount, id: string): Promise<readonly string[]> {
  const { data } = await stripe.events.list({ limit: 100 })
  return data
    .filter((event) => (event.data.object as { id?: string }).id === id)
    .map(({ type }) => type)
    .reverse()
}

/** A paid intent of the type. */
async function paid(type: Type): Promise<string> {
  const { id } = await intentOf(type)
  if (type === 'multibanco' || type === 'boleto') {
    await act(id, 'slow')
    await act(id, 'arrive')
  } else await act(id, 'approve')
  return id
}

test('each method gives the payer what its type has, and is paid', async () => {
  const next: Readonly<Record<Type, string>> = {
    multibanco: 'multibanco_display_details',
    mb_way: 'use_stripe_sdk',
    ideal: 'redirect_to_url',
    bancontact: 'redirect_to_url',
    bizum: 'redirect_to_url',
    boleto: 'boleto_display_details',
  }
  for (const type of Object.keys(payers) as Type[]) {
    const intent = await intentOf(type)
    assert.deepEqual(
      [intent.status, intent.next_action?.type, intent.payment_method_types],
      ['requires_action', next[type], [type]],
    )
    assert.ok(intent.next_action !== null && next[type] in intent.next_action)
    const isVoucher = type === 'multibanco' || type === 'boleto'
    if (isVoucher) await act(intent.id, 'slow')
    await act(intent.id, isVoucher ? 'arrive' : 'approve')
    const { stripe } = shopOf(type)
    const done = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    const charge = done.latest_charge as Stripe.Charge
    assert.deepEqual(
      [done.status, done.amount_received, charge.payment_method_details?.type],
      ['succeeded', 1_990, type],
    )
    assert.deepEqual(await typesOf(shopOf(type), intent.id), [
      'payment_intent.created',
      'payment_intent.requires_action',
      ...(isVoucher ? ['payment_intent.processing'] : []),
      'payment_intent.succeeded',
    ])
  }
})

test('a part and the rest go back of every method but boleto', async () => {
  for (const type of ['multibanco', 'mb_way', 'ideal', 'bancontact', 'bizum'] as const) {
    const intent = await paid(type)
    const { refunder, stripe } = europe
    const part = await refunder.refunds.create({ payment_intent: intent, amount: 990 })
    const rest = await refunder.refunds.create({ payment_intent: intent })
    assert.deepEqual([part.amount, rest.amount], [990, 1_000], type)
    const ends = async () => {
      const { data } = await stripe.refunds.list({ payment_intent: intent })
      return data.every(({ status }) => status === 'succeeded')
    }
    await eventually(`${type} went back`, ends)
    await assert.rejects(refunder.refunds.create({ payment_intent: intent }), /already been refunded/)
  }
  await assert.rejects(
    brazil.refunder.refunds.create({ payment_intent: await paid('boleto') }),
    /cannot be refunded/,
  )
})

test('a refund of Multibanco asks the payer for an account, is pending, and succeeds', async () => {
  const { refunder, stripe } = europe
  const made = await refunder.refunds.create({ payment_intent: await paid('multibanco') })
  assert.deepEqual([made.status, made.destination_details?.type], ['requires_action', 'multibanco'])
  const details = made.next_action?.display_details
  assert.equal(details?.email_sent.email_sent_to, email)
  assert.equal(details.expires_at, made.created + 45 * 86_400)
  const done = await eventually('it succeeded', async () => {
    const refund = await stripe.refunds.retrieve(made.id)
    return refund.status === 'succeeded' && refund
  })
  assert.equal(done.next_action, undefined)
  assert.deepEqual(await typesOf(europe, made.id), ['refund.created', 'refund.updated', 'refund.updated'])
  const { data } = await stripe.events.list({ type: 'refund.updated' })
  const before = data
    .filter((event) => (event.data.object as Stripe.Refund).id === made.id)
    .map((event) => (event.data.previous_attributes as { status?: string }).status)
  assert.deepEqual(before, ['pending', 'requires_action'])
})

test('a refund whose payer names no account is canceled after 45 days, and its money is there again', async () => {
  await acquirer.control('refunds', { mode: 'pending' })
  try {
    const shop = await acquirer.account()
    const intent = await shop.stripe.paymentIntents.create({
      amount: 1_990,
      currency: 'eur',
      confirm: true,
      payment_method_data: { type: 'multibanco', ...payers.multibanco },
    })
    await act(intent.id, 'slow')
    await act(intent.id, 'arrive')
    const { id } = await shop.refunder.refunds.create({ payment_intent: intent.id })
    const moved = await acquirer.control('clock', closer(shop.accountId, 44 * 86_400))
    assert.equal((moved['moved'] as { refunds?: number }).refunds, 1)
    assert.equal((await shop.stripe.refunds.retrieve(id)).status, 'requires_action')
    await acquirer.control('clock', closer(shop.accountId, 86_400))
    assert.equal((await shop.stripe.refunds.retrieve(id)).status, 'canceled')
    await assert.rejects(acquirer.control(`refunds/${id}`, { outcome: 'answer' }), /409 already_ended/)
    const again = await shop.refunder.refunds.create({ payment_intent: intent.id })
    assert.deepEqual([again.amount, again.status], [1_990, 'requires_action'])
    await acquirer.control(`refunds/${again.id}`, { outcome: 'answer' })
    assert.equal((await shop.stripe.refunds.retrieve(again.id)).status, 'pending')
    await acquirer.control(`refunds/${again.id}`, { outcome: 'fail' })
    const { status, failure_reason: reason } = await shop.stripe.refunds.retrieve(again.id)
    assert.deepEqual([status, reason], ['failed', 'declined'])
  } finally {
    await acquirer.control('refunds', { mode: 'succeed' })
  }
})

/** A session of 19.90 EUR whose payer has a Multibanco voucher. */
async function sessionWithVoucher() {
  const session = await europe.stripe.checkout.sessions.create(
    terms({ allowed_payment_method_types: ['card', 'multibanco'], customer_email: email }),
  )
  const chosen = await acquirer.control('pay', { session: session.id, method: 'multibanco' })
  return { session: session.id, intent: String(chosen['paymentIntent']) }
}

test('a session whose payer chose a voucher is complete and unpaid, until async_payment_succeeded', async () => {
  const { session, intent } = await sessionWithVoucher()
  const now = async () => {
    const { status, payment_status: payment } = await europe.stripe.checkout.sessions.retrieve(session)
    return [status, payment, (await europe.stripe.paymentIntents.retrieve(intent)).status]
  }
  assert.deepEqual(await now(), ['complete', 'unpaid', 'requires_action'])
  await act(intent, 'slow')
  assert.deepEqual(await now(), ['complete', 'unpaid', 'processing'])
  assert.deepEqual(await typesOf(europe, session), ['checkout.session.completed'])
  await act(intent, 'arrive')
  assert.deepEqual(await now(), ['complete', 'paid', 'succeeded'])
  const { data } = await europe.stripe.events.list({ type: 'checkout.session.async_payment_succeeded' })
  const event = data[0]
  assert.ok(event?.type === 'checkout.session.async_payment_succeeded')
  const { id, payment_intent: of, payment_status: paid } = event.data.object
  assert.deepEqual([id, of, paid], [session, intent, 'paid'])
  await assert.rejects(acquirer.control('pay', { session, card: 'success' }), /409 complete/)
})

test('a voucher of a session that is not paid, in time or at all, is async_payment_failed', async () => {
  const shop = await acquirer.account()
  for (const how of ['time', 'money']) {
    const { id } = await shop.stripe.checkout.sessions.create(
      terms({ allowed_payment_method_types: ['multibanco'] }),
    )
    const { paymentIntent } = await acquirer.control('pay', { session: id, method: 'multibanco' })
    if (how === 'time') await acquirer.control('clock', closer(shop.accountId, 8 * 86_400))
    else {
      await act(String(paymentIntent), 'slow')
      await act(String(paymentIntent), 'fail')
    }
    const session = await shop.stripe.checkout.sessions.retrieve(id)
    assert.deepEqual([session.status, session.payment_status], ['complete', 'unpaid'], how)
    const types = ['checkout.session.completed', 'checkout.session.async_payment_failed']
    assert.deepEqual(await typesOf(shop, id), types, how)
  }
})

test('an intent of its own has no events of a session', async () => {
  const shop = await acquirer.account()
  const { id } = await shop.stripe.paymentIntents.create({
    amount: 1_990,
    currency: 'eur',
    confirm: true,
    payment_method_data: { type: 'multibanco', ...payers.multibanco },
  })
  await act(id, 'slow')
  await act(id, 'arrive')
  const { data } = await shop.stripe.events.list({ limit: 100 })
  assert.deepEqual(
    data.filter(({ type }) => type.startsWith('checkout.')),
    [],
  )
})

test('a session offers cards and the vouchers of its currency that the account has enabled, as far as the filters let it', async () => {
  const shop = await acquirer.account({ methods: ['ideal', 'multibanco'] })
  const typesIn = async (more: Parameters<typeof terms>[0], account = shop) =>
    (await account.stripe.checkout.sessions.create(terms(more))).payment_method_types
  assert.deepEqual(await typesIn({}), ['card', 'multibanco'])
  assert.deepEqual(await typesIn({ excluded_payment_method_types: ['card'] }), ['multibanco'])
  assert.deepEqual(await typesIn({ line_items: [item('brl', 1_990)] }), ['card'])
  assert.deepEqual(await typesIn({ line_items: [item('brl', 1_990)] }, brazil), ['card', 'boleto'])
  assert.deepEqual(await typesIn({ payment_intent_data: { capture_method: 'manual' } }), ['card'])
  await assert.rejects(typesIn({ allowed_payment_method_types: ['boleto'] }), /No valid payment method types/)
  const { id } = await shop.stripe.checkout.sessions.create(terms({ allowed_payment_method_types: ['card'] }))
  await assert.rejects(acquirer.control('pay', { session: id, method: 'multibanco' }), /400 invalid_request/)
})

test('a SEPA debit needs an account and its holder’s acceptance, is processing at once, and ends by the bank', async () => {
  const terms: Stripe.PaymentIntentCreateParams = {
    amount: 1_990,
    currency: 'eur',
    confirm: true,
    allowed_payment_method_types: ['sepa_debit'],
    payment_method_data: {
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89370400440532013000' },
      billing_details: { name: 'Ana Souza', email },
    },
    mandate_data: {
      customer_acceptance: { type: 'online', online: { ip_address: '192.0.2.7', user_agent: 'Firefox' } },
    },
  }
  const { stripe } = europe
  const { mandate_data: _, ...unaccepted } = terms
  await assert.rejects(stripe.paymentIntents.create(unaccepted), {
    param: 'mandate_data[customer_acceptance][type]',
  })
  const wrong = {
    ...terms.payment_method_data,
    type: 'sepa_debit',
    sepa_debit: { iban: 'DE88370400440532013000' },
  }
  await assert.rejects(
    stripe.paymentIntents.create({
      ...terms,
      payment_method_data: wrong,
    }),
    { code: 'invalid_bank_account_iban' },
  )
  const ends = { arrive: 'succeeded', fail: 'requires_payment_method' } as const
  for (const [how, status] of Object.entries(ends)) {
    const intent = await stripe.paymentIntents.create(terms)
    assert.deepEqual([intent.status, intent.next_action], ['processing', null])
    await assert.rejects(act(intent.id, 'decline'))
    await assert.rejects(stripe.paymentIntents.cancel(intent.id))
    await act(intent.id, how)
    assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, status)
    assert.deepEqual(await typesOf(europe, intent.id), [
      'payment_intent.created',
      'payment_intent.processing',
      how === 'arrive' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
    ])
  }
})
