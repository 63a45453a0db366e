// Cards, from the outside: HTTP, the acquirer with its faults, and a merchant's own server.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { systemClock } from '#/kernel/time.ts'
import { createCardClient } from '#/rails/acquirer/client.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { openForTests } from '../open-for-tests.ts'
import type { Json } from './merchant.ts'
import { openShop, type Payment } from './shop.ts'

const shop = openForTests(() =>
  openShop({
    amount: 1990,
    currency: 'EUR',
    paymentMethods: ['CREDIT_CARD'],
    metadata: { orderId: 'A-1' },
  }),
)

const acquirer = (path: string, body?: Json) => shop.simulate('acquirer', path, body)
const balance = async () => (await shop.wallet('EUR')).balance
type Intent = Json & { readonly id: string; readonly metadata: Json; readonly status: string }
/** The acquirer's records of the payment. */
const has = async (kind: 'sessions' | 'paymentIntents', { id }: Payment) => {
  const all = (await shop.stateOf('acquirer'))[kind] as readonly Intent[]
  return all.filter(({ metadata }) => metadata['payment_id'] === id)
}
const intentOf = async (payment: Payment) => (await has('paymentIntents', payment))[0]?.id ?? assert.fail()

test('a card payment is answered with the address of its page at once, by default in the connection’s currency', async () => {
  const inReais = await shop.create({ currency: undefined })
  assert.deepEqual([inReais['status'], inReais['currency']], ['WAITING_PAYMENT', 'BRL'])
  const payment = await shop.create()
  assert.equal(payment['currency'], 'EUR')
  const { checkoutBaseUrl } = shop.installation.sandbox()
  assert.ok(String(payment['cardRedirectUrl']).startsWith(`${checkoutBaseUrl}/c/`))
  assert.equal((await fetch(String(payment['cardRedirectUrl']))).status, 200)
  const other = { amount: 100, currency: 'USDT', paymentMethods: ['CREDIT_CARD'], idempotencyKey: 'usdt' }
  const refused = await shop.api('POST', '/v1/payments', other)
  assert.deepEqual([refused.status, refused.body['code']], [422, 'currency_not_supported'])
  assert.deepEqual(await shop.events(payment), [])
})

test('an amount that cards do not accept is refused, and no payment is created', async () => {
  const request = { currency: 'EUR', paymentMethods: ['CREDIT_CARD'], idempotencyKey: 'one-cent' }
  for (const amount of [1, 49, 10_000_000_000]) {
    const { status, body } = await shop.api('POST', '/v1/payments', { ...request, amount })
    assert.deepEqual([status, body['code']], [422, 'limit_exceeded'])
    assert.match(String(body['detail']), /^CREDIT_CARD takes from 0\.50 to 999999\.99 EUR, not /)
  }
  assert.equal((await shop.api('POST', '/v1/payments', { ...request, amount: 50 })).status, 201)
})

test('a refusal by the acquirer ends the payment, and is reported in our words everywhere', async () => {
  const payment = await shop.create()
  // For example, where the acquirer settles in another currency and its minimum is higher than the published one.
  const askFor = (minor: number) =>
    shop.asOperator(async (sql) => {
      await sql`update attempt set amount_minor = ${minor} where payment_id = ${payment.id}`
    })
  await askFor(10)
  const pay = { scenario: 'success' }
  const refused = await shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, pay)
  await askFor(1_990)
  assert.deepEqual([refused.status, refused.body['code']], [409, 'invalid_state'])
  const { data } = await shop.notified(payment, 'payment.failed')
  const shown = await shop.get(`/v1/payments/${payment.id}`)
  for (const each of [data, shown]) {
    assert.equal(each['status'], 'FAILED')
    assert.deepEqual(each['lastError'], {
      code: 'amount_too_small',
      message: 'The provider takes no payment of so small an amount.',
    })
  }
  const page = await (await fetch(String(payment['cardRedirectUrl']))).text()
  for (const text of [page, JSON.stringify([data, shown, refused.body])])
    assert.doesNotMatch(text, /HTTP 400|at least 50|invalid_request_error|checkout\/sessions/)
  assert.match(shop.installation.output(), /at least 50 cents/)
})

test('on a checkout without a chosen method, the sandbox’s payer pays by the method that the call names', async () => {
  const payment = await shop.create({ checkout: 'default', paymentMethods: undefined })
  const pay = (body: Json) => shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, body)
  const unnamed = await pay({ scenario: 'success' })
  assert.deepEqual(
    [unnamed.status, (unnamed.body['errors'] as readonly Json[])[0]?.['pointer']],
    [400, '/method'],
  )
  assert.equal((await pay({ scenario: 'success', method: 'CREDIT_CARD' })).status, 202)
  const paid = await shop.untilPaid(payment)
  assert.equal(paid['paymentMethod'], 'CREDIT_CARD')
  assert.deepEqual(await shop.events(payment), ['payment.waiting', 'payment.completed'])
})

for (const [scenario, threeDSecure] of [
  ['success', undefined],
  ['challenge', 'AUTHENTICATED'],
] as const) {
  test(`in the scenario ${scenario} it is PAID, credited once, and the event has the merchant’s metadata`, async () => {
    const before = await balance()
    const payment = await shop.create()
    await shop.pay(payment, scenario)
    const { data } = await shop.notified(payment, 'payment.completed')
    assert.deepEqual([data['status'], data['metadata']], ['PAID', { orderId: 'A-1' }])
    const shown = await shop.untilPaid(payment)
    assert.deepEqual([shown['amountReceived'], shown['exceptions']], [1990, []])
    const card = shown['card'] as Json
    assert.deepEqual([card['brand'], card['threeDSecure']], ['visa', threeDSecure])
    assert.equal(await balance(), before + 1990)
    assert.deepEqual(await shop.events(payment), ['payment.completed'])
  })
}

for (const [scenario, code] of [
  ['decline', 'card_declined'],
  ['insufficient_funds', 'insufficient_funds'],
] as const) {
  test(`in the scenario ${scenario} it stays unpaid, says why, and another card pays it`, async () => {
    const payment = await shop.create()
    await shop.pay(payment, scenario)
    const shown = await shop.until(payment, 'says why', ({ lastError }) => lastError !== undefined)
    const lastError = shown['lastError'] as Json
    assert.deepEqual([shown['status'], lastError['code']], ['WAITING_PAYMENT', code])
    assert.deepEqual(Object.keys(lastError), ['code', 'message'])
    await shop.pay(payment, 'success')
    const paid = await shop.untilPaid(payment)
    assert.equal(paid['amountReceived'], 1990)
    assert.equal((await has('sessions', payment)).length, 1)
    assert.deepEqual(await shop.events(payment), ['payment.completed'])
    assert.equal((await shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, { scenario })).status, 409)
  })
}

test('a disputed payment costs a fee and stays PAID; if the dispute is won, the amount comes back', async () => {
  const before = await balance()
  const payment = await shop.create()
  await shop.pay(payment, 'dispute')
  const { data } = await shop.notified(payment, 'dispute.opened')
  assert.deepEqual([data['kind'], data['amount'], data['currency']], ['CHARGEBACK', 1990, 'EUR'])
  await eventually('amount and fee are gone', async () => (await balance()) === before - 1500)
  const path = `/v1/disputes/${String(data['id'])}/evidence`
  const bytes = Buffer.from('%PDF-1.7\nproof of delivery\n')
  const file = { kind: 'SHIPPING_DOCUMENTATION', name: 'delivery.pdf', content: bytes.toString('base64') }
  // The sandbox's bank decides for the merchant when it reads this text.
  await shop.api('PATCH', path, { texts: { statement: 'winning_evidence', customerName: 'Ana' } })
  const { body: draft } = await shop.api('POST', `${path}/files`, file)
  const submitted = await shop.api('POST', `${path}/submit`, { version: draft['version'] })
  assert.deepEqual([submitted.status, submitted.body['status']], [202, 'SENDING'])
  await shop.notified(payment, 'dispute.won')
  await eventually('it is sent', async () => (await shop.get(path))['status'] === 'SENT')
  assert.equal((await shop.api('PATCH', path, { texts: { customerName: 'B' } })).status, 409)
  const dispute = await shop.get(`/v1/disputes/${String(data['id'])}`)
  assert.deepEqual([dispute['status'], dispute['fee'], dispute['amount']], ['WON', 1500, 1990])
  assert.ok(dispute['evidenceDueAt'] !== undefined)
  assert.equal(await balance(), before + 1990 - 1500)
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'PAID')
})

for (const end of ['lost', 'accepted'] as const) {
  test(`a dispute that is ${end} leaves the money with the holder’s bank`, async () => {
    const payment = await shop.paid()
    const before = await balance()
    const opened = await acquirer('/disputes', { paymentIntent: await intentOf(payment), amount: 1000 })
    const { data } = await shop.notified(payment, 'dispute.opened')
    const path = `/v1/disputes/${String(data['id'])}`
    if (end === 'lost') await acquirer(`/disputes/${String(opened['id'])}`, { outcome: 'lost' })
    else assert.equal((await shop.api('POST', `${path}/accept`)).status, 200)
    await shop.notified(payment, 'dispute.lost')
    assert.equal((await shop.get(path))['status'], 'LOST')
    assert.equal(await balance(), before - 1000 - 1500)
    assert.deepEqual(await shop.events(payment), ['payment.completed', 'dispute.opened', 'dispute.lost'])
    const again = await shop.api('POST', `${path}/accept`)
    assert.ok([200, 409].includes(again.status), JSON.stringify(again.body))
  })
}

test('it is refunded in parts, never beyond what came, and each part once', async () => {
  const payment = await shop.paid()
  const before = await balance()
  const path = `/v1/payments/${payment.id}/refunds`
  const request = { amount: 500, reason: 'one item', idempotencyKey: `refund-${payment.id}` }
  const [first, again] = [await shop.api('POST', path, request), await shop.api('POST', path, request)]
  assert.deepEqual([first.status, again.body['id']], [201, first.body['id']])
  const tooMuch = await shop.api('POST', path, { amount: 1491 })
  assert.deepEqual([tooMuch.status, tooMuch.body['code']], [422, 'refund_exceeds_payment'])
  assert.equal((await shop.api('POST', path, { amount: 90 })).status, 201)
  assert.equal((await shop.api('POST', path)).body['amount'], 1400)
  const shown = await shop.until(payment, 'is refunded', (each) => each['refundStatus'] === 'FULL')
  assert.equal(shown['status'], 'PAID')
  await eventually('all have ended', async () => (await shop.events(payment)).length === 7)
  const types = (await shop.events(payment)).toSorted()
  assert.deepEqual(types.slice(0, 1), ['payment.completed'])
  assert.equal(types.filter((type) => type === 'refund.completed').length, 3)
  assert.equal(await balance(), before - 1990)
})

test('a refund that the card’s bank has not decided is PENDING until it ends, and a failed refund leaves the money in the wallet', async () => {
  const payment = await shop.paid()
  const before = await shop.wallet('EUR')
  await acquirer('/refunds', { mode: 'pending' })
  try {
    for (const [outcome, status] of [
      ['fail', 'FAILED'],
      ['succeed', 'COMPLETED'],
    ] as const) {
      const { body } = await shop.api('POST', `/v1/payments/${payment.id}/refunds`, { amount: 700 })
      const atAcquirer = await eventually('the refund is requested', async () => {
        const all = (await shop.stateOf('acquirer'))['refunds'] as readonly (Json & { metadata: Json })[]
        return all.find(({ metadata }) => metadata['refund_id'] === body['id'])
      })
      assert.equal((await shop.get(`/v1/refunds/${String(body['id'])}`))['status'], 'PENDING')
      assert.equal((await shop.wallet('EUR')).held, before.held + 700)
      await acquirer(`/refunds/${String(atAcquirer['id'])}`, { outcome })
      await eventually(`it is ${status}`, async () => {
        const refund = await shop.get(`/v1/refunds/${String(body['id'])}`)
        return refund['status'] === status
      })
    }
  } finally {
    await acquirer('/refunds', { mode: 'succeed' })
  }
  assert.deepEqual(await shop.wallet('EUR'), { balance: before.balance - 700, held: before.held })
})

test('with captureMode MANUAL it is APPROVED, and captured once: all of it, or a part', async () => {
  for (const amount of [undefined, 1200]) {
    const before = await balance()
    const payment = await shop.create({ captureMode: 'MANUAL' })
    await shop.pay(payment, 'success')
    const approved = await shop.notified(payment, 'payment.approved')
    assert.deepEqual([approved.data['status'], await balance()], ['APPROVED', before])
    const path = `/v1/payments/${payment.id}/capture`
    const tooMuch = await shop.api('POST', path, { amount: 1991 })
    assert.deepEqual([tooMuch.status, tooMuch.body['code']], [422, 'limit_exceeded'])
    const request = amount === undefined ? undefined : { amount }
    const [first, again] = [await shop.api('POST', path, request), await shop.api('POST', path, request)]
    assert.deepEqual([first.status, first.body['status']], [200, 'PAID'], JSON.stringify(first.body))
    assert.deepEqual([again.status, again.body['amountReceived']], [200, amount ?? 1990])
    assert.equal((await shop.api('POST', path, { amount: 7 })).status, 409)
    await shop.notified(payment, 'payment.completed')
    assert.equal(await balance(), before + (amount ?? 1990))
    assert.deepEqual(await shop.events(payment), ['payment.approved', 'payment.completed'])
  }
})

test('with captureMode MANUAL it is canceled, and the card is not debited', async () => {
  const before = await balance()
  const payment = await shop.create({ captureMode: 'MANUAL' })
  await shop.pay(payment, 'success')
  await shop.notified(payment, 'payment.approved')
  const canceled = await shop.api('POST', `/v1/payments/${payment.id}/cancel`)
  assert.deepEqual([canceled.status, canceled.body['status']], [200, 'CANCELED'])
  assert.equal((await shop.api('POST', `/v1/payments/${payment.id}/capture`)).status, 409)
  const [intent] = await has('paymentIntents', payment)
  assert.equal(intent?.status, 'canceled')
  assert.equal(await balance(), before)
  assert.deepEqual(await shop.events(payment), ['payment.approved', 'payment.canceled'])
})

const modes = ['drop', 'duplicate', 'reorder', 'bad_signature'] as const
for (const mode of isSoak ? modes : modes.slice(0, 1)) {
  test(`with the acquirer’s webhooks set to "${mode}", everything is settled once`, async () => {
    const before = await balance()
    await acquirer('/webhooks', { mode })
    const payments = await Promise.all([shop.create(), shop.create()])
    for (const payment of payments) await shop.pay(payment, 'success')
    for (const payment of payments) assert.equal((await shop.untilPaid(payment))['amountReceived'], 1990)
    const [first] = payments
    const refund = await shop.api('POST', `/v1/payments/${first.id}/refunds`, { amount: 990 })
    const dispute = await acquirer('/disputes', { paymentIntent: await intentOf(payments[1]), amount: 100 })
    await shop.notified(payments[1], 'dispute.opened')
    await acquirer(`/disputes/${String(dispute['id'])}`, { outcome: 'won' })
    await shop.notified(payments[1], 'dispute.won')
    await acquirer('/webhooks', { mode: 'normal' })
    await shop.notified(first, 'refund.completed')
    assert.equal(refund.status, 201)
    assert.equal(await balance(), before + 2 * 1990 - 990 - 1500)
    const completed = (types: readonly string[]) =>
      types.filter((type) => type === 'payment.completed').length
    for (const payment of payments) assert.equal(completed(await shop.events(payment)), 1)
  })
}

test('a forged or old callback is refused; a repeated one is accepted and changes nothing', async () => {
  const payment = await shop.paid()
  const name = await intentOf(payment)
  const [event] = (
    (await shop.stateOf('acquirer'))['events'] as readonly (Json & { type: string; data: Json })[]
  )
    .filter(({ type }) => type === 'payment_intent.succeeded')
    .filter(({ data }) => (data['object'] as Json)['id'] === name)
  const body = JSON.stringify(event)
  const { url, secret } = await shop.asOperator(async (_, connectionOf) => {
    const { id, secrets } = connectionOf('CREDIT_CARD')
    const [first] = secrets['webhookSecrets'] as readonly string[]
    const { apiUrl } = shop.installation.sandbox()
    return { url: `${apiUrl}/callbacks/credit-card/${id}`, secret: first ?? '' }
  })
  const now = Math.floor(systemClock.now().getTime() / 1000)
  const signed = (at: number, key = secret, bytes = body) =>
    `t=${at},v1=${createHmac('sha256', key).update(`${at}.${bytes}`).digest('hex')}`
  const send = async (signature: string | undefined, bytes = body, to = url) => {
    const headers = {
      'content-type': 'application/json',
      ...(signature && { 'stripe-signature': signature }),
    }
    const answer = await fetch(to, { method: 'POST', headers, body: bytes })
    return [answer.status, answer.headers.get('content-type')?.split(';')[0]]
  }
  const [events, receipts, before] = [await shop.events(payment), await shop.receipts(), await balance()]
  const problem = [400, 'application/problem+json']
  assert.deepEqual(await send(undefined), problem)
  assert.deepEqual(await send(signed(now, 'whsec_another')), problem)
  assert.deepEqual(await send(signed(now), body.replace('1990', '9990')), problem)
  assert.deepEqual(await send(signed(now - 900)), problem)
  assert.deepEqual(await send(signed(now + 900)), problem)
  const stranger = url.replace(/[0-9a-f]{12}$/, '000000000001')
  assert.equal((await send(signed(now), body, stranger))[0], 404)
  assert.equal((await send(signed(now)))[0], 200)
  assert.equal((await send(signed(now + 1)))[0], 200)
  // A false callback with a valid signature: we query the provider about what it names, and nothing has changed there.
  const lie = body.replaceAll(String(event?.['id']), 'evt_lie').replaceAll('1990', '9990')
  assert.equal((await send(signed(now, secret, lie), lie))[0], 200)
  // Callbacks are processed in order: once this payment is paid, the false callback has been processed too.
  await shop.paid()
  assert.deepEqual(
    [await shop.events(payment), await shop.receipts(), await balance()],
    [events, receipts + 1, before + 1990],
  )
})

test('money of an amount other than the requested one stays in suspense until an operator resolves it', async () => {
  const payment = await shop.create()
  const before = await balance()
  const intent = await shop.asOperator(async (sql, connectionOf) => {
    const { settings, secrets } = connectionOf('CREDIT_CARD')
    const [attempt] = await sql<{ id: string }[]>`select id from attempt where payment_id = ${payment.id}`
    const client = createCardClient({
      apiUrl: String(settings['apiUrl']),
      secretKey: String(secrets['secretKey']),
    })
    const id = attempt?.id ?? assert.fail()
    const item = 'line_items[0][price_data]'
    const session = await client.createSession(
      {
        mode: 'payment',
        ui_mode: 'embedded_page',
        redirect_on_completion: 'never',
        client_reference_id: id,
        'metadata[attempt_id]': id,
        'payment_intent_data[metadata][attempt_id]': id,
        'line_items[0][quantity]': '1',
        [`${item}[currency]`]: 'eur',
        [`${item}[unit_amount]`]: '1777',
        [`${item}[product_data][name]`]: 'Another',
      },
      `another-${id}`,
    )
    await client.close()
    return acquirer('/pay', { session: session.value.id, card: 'success' })
  })
  await eventually('the operator sees it', async () => {
    const { output } = await shop.installation.run('suspense', 'list', '--json')
    return output.includes(String(intent['paymentIntent'])) && output.includes('1777')
  })
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['amountReceived'], 0)
  assert.equal(await balance(), before)
  await shop.pay(payment, 'success')
  assert.equal((await shop.untilPaid(payment))['amountReceived'], 1990)
})

test('while the acquirer is away the page says so, and continues with the same session when the acquirer is back', async () => {
  const payment = await shop.create()
  await acquirer('/faults', { mode: 'reset_after_commit' })
  const away = await shop.page(payment, 'says so', ({ problem }) => problem !== undefined)
  assert.equal(away['panel'], undefined)
  const refused = await shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, { scenario: 'success' })
  assert.deepEqual([refused.status, refused.body['code']], [503, 'provider_unavailable'])
  await acquirer('/faults', { mode: 'none' })
  await shop.page(
    payment,
    'has the form',
    ({ panel }) => (panel as Json | undefined)?.['method'] === 'CREDIT_CARD',
  )
  await shop.pay(payment, 'success')
  await shop.untilPaid(payment)
  assert.equal((await has('sessions', payment)).length, 1)
})

test('verify finds no fault in the books, and the balances command works', async () => {
  const { code, output } = await shop.installation.run('verify')
  assert.equal(code, 0, output)
  const balances = await shop.installation.run('balances', '--json')
  assert.equal(balances.output.includes('Error'), false, balances.output)
  assert.match(balances.output, /"EUR"/)
})
