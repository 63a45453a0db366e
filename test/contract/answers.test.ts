// The API's answers keep the promises of openapi.json.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payment as paymentSchema } from '#/contract/payments.ts'
import { describeApi } from '#/http/openapi.ts'
import { routes } from '#/http/routes.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import { describePayments } from '#/payments/describe.ts'
import { selectPayments } from '#/payments/queries.ts'
import { paymentEventRecord } from '#/payments/record.ts'
import { walletsMax } from '#/wallets/create.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented, assertFits, at, document } from './document.ts'
import { openApiWorld, paymentBody, type Answer, type Ask } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi({ rateLimit: { perSecond: 1_000, burst: 2_000 } }))
const tenant = makeForTests(() => world.openTenant())

/** Calls one route of the table and compares the answer with the document. */
async function ask(
  method: string,
  path: string,
  more: Ask & { readonly id?: string; readonly query?: string } = {},
): Promise<Answer> {
  const url = path.replace('{id}', more.id ?? '') + (more.query ?? '')
  const answer = await api.ask(method, url, { key: tenant.key, ...more })
  assertDocumented(method, path, answer)
  return answer
}

function idOf(answer: Answer): string {
  return String(answer.body['id'])
}

function rowsOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return answer.body['data'] as readonly Readonly<Record<string, unknown>>[]
}

test('openapi.json is what the code generates', async () => {
  assert.deepEqual(document, JSON.parse(toJson(describeApi(routes))))
  const served = await api.ask('GET', '/openapi.json')
  assert.deepEqual(served.body, document)
})

test('every example fits the schema beside it', () => {
  let examples = 0
  for (const [path, operations] of Object.entries(
    document['paths'] as Record<string, Record<string, unknown>>,
  )) {
    for (const [method, operation] of Object.entries(operations)) {
      const bodies = [
        at(operation, 'requestBody'),
        ...Object.values(at(operation, 'responses') as Readonly<Record<string, unknown>>),
      ]
      for (const body of bodies) {
        const content = at(body, 'content', 'application/json')
        if (at(content, 'example') === undefined) continue
        assertFits(at(content, 'schema'), at(content, 'example'), `the example of ${method} ${path}`)
        examples += 1
      }
    }
  }
  assert.ok(examples >= routes.length, `${examples} examples`)
  const problem = at(document, 'components', 'schemas', 'Problem')
  for (const [code, example] of Object.entries(at(document, 'components', 'examples') as object)) {
    assertFits(problem, at(example, 'value'), `the example of ${code}`)
  }
})

test('a payment from creation to the wallet answers as documented at every step', async () => {
  const created = await ask('POST', '/v1/payments', {
    body: paymentBody({ webhookUrl: 'http://127.0.0.1:9/hook' }),
  })
  assert.equal(created.status, 201)
  assert.deepEqual(
    Object.keys(created.body).filter((name) => name.startsWith('crypto')),
    [],
  )
  const id = idOf(created)
  const waiting = await ask('GET', '/v1/payments/{id}', { id })
  assert.equal(waiting.body['status'], 'WAITING_PAYMENT')
  for (const name of ['cryptoAddress', 'cryptoAmount', 'cryptoNetwork', 'cryptoCurrency', 'deposits']) {
    assert.ok(name in waiting.body, `${name} is shown`)
  }
  const paying = await ask('POST', '/v1/sandbox/payments/{id}/pay', { id, body: { amount: 1234 } })
  assert.equal(paying.status, 202)
  const paid = await ask('GET', '/v1/payments/{id}', { id })
  assert.equal(paid.body['status'], 'PAID')
  assert.equal(paid.body['amountReceived'], 1234)

  const list = await ask('GET', '/v1/payments', { query: '?status=PAID&limit=10' })
  assert.deepEqual(rowsOf(list), [paid.body])
  const [entry] = rowsOf(await ask('GET', '/v1/wallets/statement'))
  assert.equal(entry?.['paymentId'], id)
  assert.equal(entry?.['amount'], 1234)
  assert.equal(entry?.['balance'], 1234)
  const wallet = await ask('GET', '/v1/wallets/{id}', { id: String(entry?.['walletId']) })
  assert.equal(wallet.body['balance'], 1234)
  const balance = await ask('GET', '/v1/wallets/balance')
  const usdt = rowsOf(balance).find((each) => each['currency'] === 'USDT')
  assert.equal(usdt?.['balance'], 1234)
  assert.equal(usdt?.['owed'], 0)

  const [event] = rowsOf(await ask('GET', '/v1/events'))
  assert.equal(event?.['type'], 'payment.completed')
  const webhook = at(
    document,
    'webhooks',
    'payment.completed',
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  )
  assertFits(webhook, event, 'the webhook payment.completed')
  assert.deepEqual((await ask('GET', '/v1/events/{id}', { id: String(event?.['id']) })).body, event)
  const deliveries = await ask('GET', '/v1/events/{id}/deliveries', { id: String(event?.['id']) })
  const deliveryId = String(rowsOf(deliveries)[0]?.['id'])
  assert.equal((await ask('GET', '/v1/deliveries/{id}', { id: deliveryId })).body['status'], 'PENDING')
  assert.equal((await ask('POST', '/v1/deliveries/{id}/resend', { id: deliveryId })).status, 202)
  const refused = await ask('POST', '/v1/payments/{id}/cancel', { id })
  assert.equal(refused.status, 409)
  assert.equal(refused.body['code'], 'invalid_state')
})

test('a payment that was not paid is canceled, and canceling again answers the same', async () => {
  const id = idOf(await ask('POST', '/v1/payments', { body: paymentBody() }))
  const first = await ask('POST', '/v1/payments/{id}/cancel', { id })
  assert.equal(first.status, 200)
  assert.equal(first.body['status'], 'CANCELED')
  const second = await ask('POST', '/v1/payments/{id}/cancel', { id, body: {} })
  assert.equal(second.status, 200)
  assert.deepEqual(second.body, first.body)
})

test('USD is echoed as USD and credited to the USDT wallet', async () => {
  const merchant = await world.openTenant()
  const created = await ask('POST', '/v1/payments', {
    key: merchant.key,
    body: paymentBody({ currency: 'USD' }),
  })
  assert.equal(created.body['currency'], 'USD')
  await world.settlePayment(merchant.id, idOf(created) as PaymentId, 1234n)
  const paid = await ask('GET', '/v1/payments/{id}', { key: merchant.key, id: idOf(created) })
  assert.equal(paid.body['currency'], 'USD')
  assert.equal(paid.body['status'], 'PAID')
  const wallet = await ask('GET', '/v1/wallets/{id}', {
    key: merchant.key,
    id: String(paid.body['walletId']),
  })
  assert.equal(wallet.body['currency'], 'USDT')
  assert.equal(wallet.body['balance'], 1234)
})

test('a method or currency that is not available is refused with its own code, and leaves the key free', async () => {
  const idempotencyKey = 'free-again'
  const refusals = [
    [{ currency: 'BRL' }, 'currency_not_supported'],
    [{ paymentMethods: ['PIX'] }, 'method_not_available'],
    [{ metadata: { cryptoNetwork: 'TRON' } }, 'network_not_supported'],
    [{ checkout: 'shop' }, 'checkout_not_found'],
  ] as const
  for (const [more, code] of refusals) {
    const answer = await ask('POST', '/v1/payments', { body: paymentBody({ idempotencyKey, ...more }) })
    assert.equal(answer.status, 422)
    assert.equal(answer.body['code'], code)
  }
  for (const name of ['currency', 'paymentMethods']) {
    const body = Object.fromEntries(
      Object.entries(paymentBody({ idempotencyKey })).filter(([each]) => each !== name),
    )
    const answer = await ask('POST', '/v1/payments', { body })
    assert.equal(answer.status, 400)
    assert.equal(at(answer.body, 'errors', '0', 'pointer'), `/${name}`)
  }
  assert.equal((await ask('POST', '/v1/payments', { body: paymentBody({ idempotencyKey }) })).status, 201)
})

test('a webhook URL that may not be called is refused, and the error points to it', async () => {
  const live = await world.openTenant('LIVE')
  for (const webhookUrl of [
    'http://127.0.0.1/x',
    'https://10.0.0.1/',
    'ftp://shop.example.com/',
    'nonsense',
  ]) {
    const answer = await ask('POST', '/v1/payments', { key: live.key, body: paymentBody({ webhookUrl }) })
    assert.equal(answer.status, 400, webhookUrl)
    assert.equal(at(answer.body, 'errors', '0', 'pointer'), '/webhookUrl')
  }
})

test('a live merchant has no sandbox', async () => {
  const live = await world.openTenant('LIVE')
  const id = idOf(await ask('POST', '/v1/payments', { key: live.key, body: paymentBody() }))
  const answer = await ask('POST', '/v1/sandbox/payments/{id}/pay', { key: live.key, id, body: {} })
  assert.equal(answer.status, 404)
})

test('an unknown scenario is refused', async () => {
  const id = idOf(await ask('POST', '/v1/payments', { body: paymentBody() }))
  const answer = await ask('POST', '/v1/sandbox/payments/{id}/pay', { id, body: { scenario: 'free' } })
  assert.equal(answer.status, 400)
  assert.equal(at(answer.body, 'errors', '0', 'pointer'), '/scenario')
})

test('a currency has a default from its first wallet on: a reserve opens it, and later ones are not', async () => {
  const merchant = await world.openTenant()
  const open = (body: object) => ask('POST', '/v1/wallets', { key: merchant.key, body })
  const reserve = await open({ currency: 'USD', walletType: 'RESERVE', label: 'Reserve' })
  const first = await open({ currency: 'USD', walletType: 'SPENDABLE', label: 'First' })
  const second = await open({ currency: 'USD', walletType: 'SPENDABLE', label: 'Second' })
  assert.deepEqual(
    [reserve, first, second].map((each) => [each.status, each.body['isDefault']]),
    [
      [201, false],
      [201, false],
      [201, false],
    ],
  )
  const events = rowsOf(await ask('GET', '/v1/events', { key: merchant.key }))
  assert.deepEqual(
    events.map((each) => [each['type'], at(each, 'data', 'walletType'), at(each, 'data', 'isDefault')]),
    [
      ['wallet.created', 'SPENDABLE', true],
      ['wallet.created', 'RESERVE', false],
      ['wallet.created', 'SPENDABLE', false],
      ['wallet.created', 'SPENDABLE', false],
    ],
  )
  const list = await ask('GET', '/v1/wallets', { key: merchant.key })
  assert.deepEqual(
    rowsOf(list).flatMap((each) => (each['isDefault'] === true ? [each['currency']] : [])),
    ['BRL', 'EUR', 'USDT', 'USD'],
  )
  assert.equal(rowsOf(list).length, 7)
  const unknown = await open({ currency: 'BNB', walletType: 'SPENDABLE', label: 'Gas' })
  assert.equal(unknown.status, 422)
})

test('events can be filtered by type, with pages of their own; an unknown type is refused', async () => {
  const merchant = await world.openTenant()
  const open = (currency: string) =>
    ask('POST', '/v1/wallets', { key: merchant.key, body: { currency, walletType: 'RESERVE', label: 'x' } })
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    await open('BRL')
    const id = idOf(
      await ask('POST', '/v1/payments', { key: merchant.key, body: paymentBody({ amount: 100 }) }),
    )
    await world.settlePayment(merchant.id, id as PaymentId, 100n)
    ids.push(id)
  }
  const list = (query: string) => ask('GET', '/v1/events', { key: merchant.key, query: `?${query}` })
  const brief = (answer: Answer) => rowsOf(answer).map((each) => [each['sequence'], each['type']])
  const completed = [2, 4, 6].map((sequence) => [sequence, 'payment.completed'])
  assert.deepEqual(brief(await list('types=payment.completed')), completed)
  assert.deepEqual(brief(await list('types=payment.completed,dispute.lost,payment.completed')), completed)
  assert.deepEqual(brief(await list('types=payment.completed&after=2')), completed.slice(1))
  assert.deepEqual(
    brief(await list('types=wallet.created,payment.completed')),
    [1, 2, 3, 4, 5, 6].map((n) => [n, n % 2 === 1 ? 'wallet.created' : 'payment.completed']),
  )
  assert.deepEqual(brief(await list('types=refund.failed')), [])
  const first = await list('types=payment.completed&limit=2')
  assert.deepEqual(brief(first), completed.slice(0, 2))
  const next = String(first.body['nextCursor'])
  const last = await list(`types=payment.completed&limit=2&cursor=${next}`)
  assert.deepEqual([brief(last), last.body['nextCursor']], [completed.slice(2), undefined])
  for (const wrong of [
    'payment.complete',
    'payment.completed,',
    'payment.completed, refund.failed',
    '',
    'x,y',
  ]) {
    const refused = await list(`types=${encodeURIComponent(wrong)}`)
    assert.deepEqual([refused.status, at(refused.body, 'errors', '0', 'pointer')], [400, '/types'], wrong)
  }
})

test('an amount as people write it is refused with one fault, which says that amounts are in cents', async () => {
  for (const amount of [49.9, '49.90']) {
    const { status, body } = await ask('POST', '/v1/payments', { body: { ...paymentBody(), amount } })
    assert.equal(status, 400)
    const message = 'must be an integer, in cents: 49.90 is 4990'
    assert.deepEqual(body['errors'], [{ pointer: '/amount', code: 'wrong_type', message }])
  }
})

test('an address without its id is not found, whatever the method', async () => {
  const { status } = await api.ask('POST', '/v1/deliveries//resend', { key: tenant.key })
  assert.equal(status, 404)
})

test('a currency in small letters is refused, and the answer says how it is written', async () => {
  for (const [path, body] of [
    ['/v1/payments', paymentBody({ currency: 'usdt' })],
    ['/v1/payments', { amount: 1, currency: 'Usdt', checkout: 'default', idempotencyKey: 'small' }],
    ['/v1/wallets', { currency: 'usdt', walletType: 'RESERVE', label: 'x' }],
    ['/v1/withdrawals', { type: 'CRYPTO', amount: 1, currency: 'usdt', cryptoAddress: '0x' }],
  ] as const) {
    const { status, body: problem } = await ask('POST', path, { body })
    assert.deepEqual([status, problem['code']], [422, 'currency_not_supported'], path)
    assert.match(String(problem['detail']), /^A currency is written in capitals: USDT, not /)
    assert.deepEqual(problem['errors'], [
      { pointer: '/currency', code: 'malformed', message: 'is written in capitals: USDT' },
    ])
  }
})

test('the schema of a payment leaves out no field that its record has', async () => {
  const id = idOf(
    await ask('POST', '/v1/payments', {
      body: paymentBody({ customerName: 'Ana', customerEmail: 'ana@example.com' }),
    }),
  )
  await world.settlePayment(tenant.id, id as PaymentId, 1n)
  await world.settlePayment(tenant.id, id as PaymentId, 1233n)
  const [found] = await selectPayments(world.sql, [{ merchantId: tenant.id, paymentId: id as PaymentId }])
  assert.ok(found !== undefined)
  const described = await describePayments(world.sql, world.rails, [found], 'full')
  const names = Object.keys(paymentEventRecord(found, described.of(found)))
  const fields = Object.keys(paymentSchema.properties)
  assert.deepEqual(
    names.filter((name) => !fields.includes(name)),
    [],
  )
})

test('a merchant’s wallets are limited in number', async () => {
  const merchant = await world.openTenant()
  const body = { currency: 'BRL', walletType: 'RESERVE', label: 'One more' }
  await world.sql`
    insert into wallet (merchant_id, id, currency, label, wallet_type, is_default, created_at)
    select ${merchant.id}, gen_random_uuid(), 'BRL', 'Many', 'RESERVE', false, now()
      from generate_series(1, ${walletsMax - 1} - (select count(*) from wallet where merchant_id = ${merchant.id}))`
  const statuses = []
  for (let n = 0; n < 2; n += 1)
    statuses.push((await ask('POST', '/v1/wallets', { key: merchant.key, body })).status)
  assert.deepEqual(statuses, [201, 422])
})

test('a payment by another method, or an unknown one, has no deposits', async () => {
  const { body } = await ask('POST', '/v1/payments', { body: paymentBody() })
  const of = (id: string) => ask('GET', '/v1/payments/{id}/deposits', { id })
  assert.deepEqual((await of(String(body['id']))).body, { data: [] })
  assert.equal((await of(newId())).status, 404)
})

test('amounts beyond 2^53 are written to the last digit', async () => {
  const merchant = await world.openTenant()
  const id = idOf(
    await ask('POST', '/v1/payments', {
      key: merchant.key,
      body: paymentBody({ amount: Number.MAX_SAFE_INTEGER }),
    }),
  )
  await world.settlePayment(merchant.id, id as PaymentId, 9_007_199_254_740_991n)
  await world.settlePayment(merchant.id, id as PaymentId, 9_007_199_254_740_990n)
  const { text } = await ask('GET', '/v1/wallets/balance', { key: merchant.key })
  assert.match(text, /"balance":18014398509481981[,}]/)
})

test('an id of the caller names the request in the answer and in problems', async () => {
  const named = await api.ask('GET', '/v1/payments/none', {
    key: tenant.key,
    headers: { 'x-request-id': 'order.A-1_2' },
  })
  assert.equal(named.headers.get('x-request-id'), 'order.A-1_2')
  assert.equal(named.body['requestId'], 'order.A-1_2')
  const bad = await api.ask('GET', '/v1/wallets', { key: tenant.key, headers: { 'x-request-id': 'a b' } })
  assert.match(bad.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
})
