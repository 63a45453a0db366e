// The partner's wallet app, from the outside: HTTP, the app with its faults, and a merchant's own server.
import assert from 'node:assert/strict'
import { createPrivateKey, sign } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '#/kernel/time.ts'
import { createPartnerClient } from '#/rails/partner-pay/client.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { openForTests } from '../open-for-tests.ts'
import type { Json } from './merchant.ts'
import { openShop, type Payment } from './shop.ts'

const shop = openForTests(() =>
  openShop({
    amount: 1250,
    currency: 'USDT',
    paymentMethods: ['PARTNER_PAY'],
    metadata: { orderId: 'B-2' },
  }),
)

const app = (path: string, body?: Json) => shop.simulate('partnerWallet', path, body)
const balance = async () => (await shop.wallet('USDT')).balance
type Order = Json & {
  readonly prepayId: string
  readonly merchantTradeNo: string
  readonly status: string
  readonly refunds: readonly Json[]
}

async function attemptsOf({ id }: Payment): Promise<readonly string[]> {
  return shop.asOperator(async (sql) => {
    const rows = await sql<{ id: string }[]>`select id from attempt where payment_id = ${id}`
    return rows.map((each) => each.id)
  })
}

/** The app's records of the payment. */
async function ordersOf(payment: Payment): Promise<readonly Order[]> {
  const names = (await attemptsOf(payment)).map((id) => id.replaceAll('-', ''))
  const all = (await shop.stateOf('partnerWallet'))['orders'] as readonly Order[]
  return all.filter(({ merchantTradeNo }) => names.includes(merchantTradeNo))
}

test('a payment by the app is answered with the address of its page at once, and is in USDT alone', async () => {
  const payment = await shop.create()
  assert.deepEqual([payment['status'], payment['currency']], ['WAITING_PAYMENT', 'USDT'])
  const { partnerCheckoutBaseUrl } = shop.installation.sandbox()
  assert.ok(String(payment['cardRedirectUrl']).startsWith(`${partnerCheckoutBaseUrl}/c/`))
  assert.equal((await fetch(String(payment['cardRedirectUrl']))).status, 200)
  const request = { amount: 100, paymentMethods: ['PARTNER_PAY'], idempotencyKey: 'euro' }
  assert.equal((await shop.api('POST', '/v1/payments', request)).status, 400)
  const refused = await shop.api('POST', '/v1/payments', { ...request, currency: 'EUR' })
  assert.deepEqual([refused.status, refused.body['code']], [422, 'currency_not_supported'])
  assert.deepEqual(await shop.events(payment), [])
  const tooLong = await shop.api('POST', '/v1/payments', { ...request, currency: 'USDT', expiresIn: 3_601 })
  assert.deepEqual(
    [tooLong.status, tooLong.body['code'], (tooLong.body['errors'] as readonly Json[])[0]?.['pointer']],
    [400, 'invalid_request', '/expiresIn'],
  )
  const anHour = await shop.create({ expiresIn: 3_600 })
  assert.equal(Date.parse(String(anHour['expiresAt'])) - Date.parse(String(anHour['createdAt'])), 3_600_000)
})

test('a confirmed payment is PAID, credits the USDT wallet once, and its event has the merchant’s metadata', async () => {
  const before = await balance()
  const payment = await shop.create()
  await shop.pay(payment, 'confirm')
  const { data } = await shop.notified(payment, 'payment.completed')
  assert.deepEqual([data['status'], data['metadata']], ['PAID', { orderId: 'B-2' }])
  const shown = await shop.untilPaid(payment)
  assert.deepEqual([shown['amountReceived'], shown['exceptions']], [1250, []])
  assert.equal(await balance(), before + 1250)
  assert.deepEqual(await shop.events(payment), ['payment.completed'])
  const again = await shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, { scenario: 'confirm' })
  assert.equal(again.status, 409)
})

test('a refused payment says why, and nothing is credited until another order is confirmed', async () => {
  const before = await balance()
  const payment = await shop.create()
  await shop.pay(payment, 'refuse')
  const shown = await shop.until(payment, 'says why', ({ lastError }) => lastError !== undefined)
  assert.deepEqual(
    [shown['status'], (shown['lastError'] as Json)['code']],
    ['WAITING_PAYMENT', 'order_canceled'],
  )
  assert.deepEqual([await balance(), await shop.events(payment)], [before, []])
  await eventually('it can be paid again', async () => {
    const path = `/v1/sandbox/payments/${payment.id}/pay`
    return (await shop.api('POST', path, { scenario: 'confirm' })).status === 202
  })
  assert.equal((await shop.untilPaid(payment))['amountReceived'], 1250)
  assert.deepEqual(
    (await ordersOf(payment)).map(({ status }) => status),
    ['PAID', 'CANCELED'],
  )
  assert.deepEqual(await shop.events(payment), ['payment.completed'])
})

test('it is refunded in parts, never beyond what came, and each part once', async () => {
  const payment = await shop.paid()
  const before = await balance()
  const path = `/v1/payments/${payment.id}/refunds`
  const request = { amount: 500, idempotencyKey: `refund-${payment.id}` }
  const [first, again] = [await shop.api('POST', path, request), await shop.api('POST', path, request)]
  assert.deepEqual([first.status, again.body['id']], [201, first.body['id']])
  const tooMuch = await shop.api('POST', path, { amount: 751 })
  assert.deepEqual([tooMuch.status, tooMuch.body['code']], [422, 'refund_exceeds_payment'])
  assert.equal((await shop.api('POST', path)).body['amount'], 750)
  await eventually('all have ended', async () => {
    const types = await shop.events(payment)
    return types.filter((type) => type === 'refund.completed').length === 2
  })
  const shown = await shop.get(`/v1/payments/${payment.id}`)
  assert.deepEqual([shown['status'], shown['refundStatus']], ['PAID', 'FULL'])
  assert.equal(await balance(), before - 1250)
  const [order] = await ordersOf(payment)
  assert.equal(order?.refunds.length, 2)
})

test('a refund that the app has not decided is PENDING until it ends, and a failed refund leaves the money in the wallet', async () => {
  const payment = await shop.paid()
  const before = await shop.wallet('USDT')
  await app('/refunds', { mode: 'pending' })
  try {
    for (const [outcome, status] of [
      ['fail', 'FAILED'],
      ['succeed', 'COMPLETED'],
    ] as const) {
      const { body } = await shop.api('POST', `/v1/payments/${payment.id}/refunds`, { amount: 300 })
      const name = String(body['id']).replaceAll('-', '')
      await eventually('the refund is requested', async () => {
        const [order] = await ordersOf(payment)
        return JSON.stringify(order?.refunds ?? []).includes(name)
      })
      assert.equal((await shop.get(`/v1/refunds/${String(body['id'])}`))['status'], 'PENDING')
      assert.equal((await shop.wallet('USDT')).held, before.held + 300)
      await app(`/refunds/${name}`, { outcome })
      await eventually(`it is ${status}`, async () => {
        const refund = await shop.get(`/v1/refunds/${String(body['id'])}`)
        return refund['status'] === status
      })
    }
  } finally {
    await app('/refunds', { mode: 'done' })
  }
  assert.deepEqual(await shop.wallet('USDT'), { balance: before.balance - 300, held: before.held })
})

const modes = ['duplicate', 'drop', 'reorder', 'before_response', 'bad_signature'] as const
for (const mode of isSoak ? modes : modes.slice(0, 1)) {
  test(`with the app’s webhooks set to "${mode}", everything is settled once`, async () => {
    const before = await balance()
    await app('/webhooks', { mode })
    const payments = await Promise.all([shop.create(), shop.create()])
    for (const payment of payments) await shop.pay(payment, 'confirm')
    for (const payment of payments) assert.equal((await shop.untilPaid(payment))['amountReceived'], 1250)
    const [first] = payments
    const refund = await shop.api('POST', `/v1/payments/${first.id}/refunds`, { amount: 250 })
    assert.equal(refund.status, 201)
    await shop.notified(first, 'refund.completed')
    await app('/webhooks', { mode: 'normal' })
    assert.equal(await balance(), before + 2 * 1250 - 250)
    for (const payment of payments) {
      const types = await shop.events(payment)
      assert.equal(types.filter((type) => type === 'payment.completed').length, 1)
    }
  })
}

test('a forged or old callback is refused; a repeated one is accepted and changes nothing', async () => {
  const payment = await shop.paid()
  const [order] = await ordersOf(payment)
  const { url } = await shop.asOperator(async (_, connectionOf) => {
    const { apiUrl } = shop.installation.sandbox()
    return { url: `${apiUrl}/callbacks/partner-pay/${connectionOf('PARTNER_PAY').id}` }
  })
  const [served] = (await shop.stateOf('partnerWallet'))['certificates'] as readonly Json[]
  const own = keysOfApp()
  const body = (bizStatus: string) =>
    `{"bizType":"PAY","bizId":${order?.prepayId},"bizIdStr":"${order?.prepayId}","bizStatus":"${bizStatus}","data":"{\\"merchantTradeNo\\":\\"${order?.merchantTradeNo}\\",\\"totalFee\\":12.5}"}`
  const paid = body('PAY_SUCCESS')
  const now = systemClock.now().getTime()
  const signed = (at: number, bytes = paid, key = own.current) => {
    const nonce = 'N'.repeat(32)
    const content = Buffer.from(`${at}\n${nonce}\n${bytes}\n`)
    return {
      'binancepay-timestamp': String(at),
      'binancepay-nonce': nonce,
      'binancepay-certificate-sn': String(served?.['certSerial']),
      'binancepay-signature': sign('sha256', content, createPrivateKey(key)).toString('base64'),
    }
  }
  const send = async (headers: Readonly<Record<string, string>>, bytes = paid) => {
    const all = { 'content-type': 'application/json', ...headers }
    const answer = await fetch(url, { method: 'POST', headers: all, body: bytes })
    return [answer.status, await answer.json()] as const
  }
  const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent))[0]
  const [events, receipts, before] = [await shop.events(payment), await shop.receipts(), await balance()]
  assert.equal(await statusOf({}), 400)
  assert.equal(await statusOf(signed(now, paid, own.older)), 400)
  assert.equal(await statusOf(signed(now), paid.replace('12.5', '99.5')), 400)
  assert.equal(await statusOf(signed(now - 400_000)), 400)
  assert.equal(await statusOf(signed(now + 400_000)), 400)
  const stranger = { ...signed(now), 'binancepay-certificate-sn': 'f'.repeat(32) }
  assert.equal(await statusOf(stranger), 400)
  const accepted = { returnCode: 'SUCCESS', returnMessage: null }
  assert.deepEqual(await send(signed(now)), [200, accepted])
  assert.deepEqual(await send(signed(now + 1)), [200, accepted])
  // A false callback with a valid signature: we query the provider about what it names, and nothing has changed there.
  const lie = body('PAY_CLOSED')
  assert.deepEqual(await send(signed(now, lie), lie), [200, accepted])
  // Callbacks are processed in order: once this payment is paid, the false callback has been processed too.
  await shop.paid()
  assert.deepEqual(
    [await shop.events(payment), await shop.receipts(), await balance()],
    [events, receipts + 1, before + 1250],
  )
})

/** The app's private keys: the one in force, and one that does not belong to the newest serial number. */
function keysOfApp(): { readonly current: string; readonly older: string } {
  const { dataDir } = shop.installation
  const folder = join(dataDir, 'simulators', 'partner-wallet')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\d{6}\.pem$/.test(name),
  )
  const [older = '', current = ''] = files
    .sort()
    .slice(-2)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return { current, older }
}

test('money of an amount other than the requested one stays in suspense until an operator resolves it', async () => {
  const payment = await shop.create()
  const before = await balance()
  const prepayId = await shop.asOperator(async (sql, connectionOf) => {
    const { settings, secrets } = connectionOf('PARTNER_PAY')
    const [attempt] = await sql<{ id: string }[]>`select id from attempt where payment_id = ${payment.id}`
    const credentials = { apiKey: String(secrets['apiKey']), apiSecret: String(secrets['apiSecret']) }
    const client = createPartnerClient({
      apiUrl: String(settings['apiUrl']),
      credentials,
      clock: systemClock,
    })
    const { value } = await client.placeOrder({
      tradeNo: String(attempt?.id.replaceAll('-', '')),
      amount: 1199n,
      expiresAt: new Date(systemClock.now().getTime() + 600_000),
      description: 'Another',
      reference: payment.id,
      goodsId: payment.id.replaceAll('-', ''),
    })
    await client.close()
    return value.prepayId
  })
  await app(`/orders/${prepayId}`, { action: 'confirm' })
  await eventually('the operator sees it', async () => {
    const { output } = await shop.installation.run('suspense', 'list', '--json')
    return output.includes(prepayId) && output.includes('1199')
  })
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['amountReceived'], 0)
  assert.equal(await balance(), before)
})

test('while the app is away the page says so, and continues with the same attempt when the app is back', async () => {
  const payment = await shop.create()
  await app('/faults', { mode: '5xx' })
  const away = await shop.page(payment, 'says so', ({ problem }) => problem !== undefined)
  assert.equal(away['panel'], undefined)
  const refused = await shop.api('POST', `/v1/sandbox/payments/${payment.id}/pay`, { scenario: 'confirm' })
  assert.deepEqual([refused.status, refused.body['code']], [503, 'provider_unavailable'])
  await app('/faults', { mode: 'none' })
  await shop.page(
    payment,
    'has the code',
    ({ panel }) => (panel as Json | undefined)?.['method'] === 'PARTNER_PAY',
  )
  await shop.pay(payment, 'confirm')
  await shop.untilPaid(payment)
  assert.deepEqual([(await attemptsOf(payment)).length, (await ordersOf(payment)).length], [1, 1])
})

test('verify finds no fault in the books, and the balances command works', async () => {
  const { code, output } = await shop.installation.run('verify')
  assert.equal(code, 0, output)
  const balances = await shop.installation.run('balances', '--json')
  assert.match(balances.output, /"USDT"/)
})
