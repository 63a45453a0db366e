// Metadata is returned as the merchant sent it: numbers with every digit. Plain digits are not taken for card numbers, and a fault names
// its full JSON pointer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '#/audit/verify.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { openApiWorld, paymentBody, withdrawalBody, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

/** JavaScript would write none of these numbers like this. */
const numbers = [
  '0.1234567890123456789',
  '1e-400',
  '1E400',
  '-0',
  '1.0',
  '10.50',
  '1e3',
  '9007199254740993',
  '-12345678901234567890123',
]

/** A body as text, with metadata as it is written. */
function bodyWith(metadata: string, body = paymentBody()): string {
  return JSON.stringify({ ...body, metadata: '@' }).replace('"@"', () => metadata)
}

function post(path: string, raw: string): Promise<Answer> {
  return api.ask('POST', path, { key: tenant.key, raw })
}

function faults(answer: Answer): readonly unknown[] {
  return (answer.body['errors'] as readonly { pointer: string; code: string }[]).map(({ pointer, code }) => [
    pointer,
    code,
  ])
}

test('numbers in metadata come back as they were written: at once, by GET, in lists, events and webhooks', async () => {
  const metadata = `{"top":${numbers[0]},"list":[${numbers.join(',')}],"deep":{"a":[{"b":-0}]}}`
  const holds = (text: string, where: string) =>
    assert.ok(text.includes(`"metadata":${metadata}`), `${where}: ${text}`)
  const created = await post(
    '/v1/payments',
    bodyWith(metadata, paymentBody({ webhookUrl: 'http://127.0.0.1:9/x' })),
  )
  assert.equal(created.status, 201, created.text)
  holds(created.text, 'creation')
  const path = `/v1/payments/${String(created.body['id'])}`
  holds((await api.ask('GET', path, { key: tenant.key })).text, 'GET')
  holds((await api.ask('GET', '/v1/payments?limit=1', { key: tenant.key })).text, 'list')
  holds((await post(`${path}/cancel`, '')).text, 'cancel')
  const events = await api.ask('GET', '/v1/events', { key: tenant.key })
  holds(events.text, 'events')
  const [event] = events.body['data'] as readonly { readonly id: string }[]
  holds((await api.ask('GET', `/v1/events/${event?.id}`, { key: tenant.key })).text, 'event')
  const [sent] = await world.sql<{ body: string }[]>`select body from event where id = ${String(event?.id)}`
  holds(sent?.body ?? '', 'the body of the webhook')
})

test('so do those of transfers and withdrawals', async () => {
  const metadata = `{"list":[${numbers.join(',')}]}`
  const from = await world.fund(tenant, 1_000n)
  const opened = await post('/v1/wallets', '{"currency":"BRL","walletType":"RESERVE","label":"Taxes"}')
  const transfer = {
    fromWalletId: from,
    toWalletId: opened.body['id'],
    amount: 1,
    idempotencyKey: 'exact-transfer',
  }
  for (const [path, body] of [
    ['/v1/transfers', transfer],
    ['/v1/withdrawals', withdrawalBody({ idempotencyKey: 'exact-withdrawal' })],
  ] as const) {
    const made = await post(path, bodyWith(metadata, body))
    assert.equal(made.status, 201, made.text)
    const again = await post(path, bodyWith(metadata, body))
    const found = await api.ask('GET', `${path}/${String(made.body['id'])}`, { key: tenant.key })
    const list = await api.ask('GET', path, { key: tenant.key })
    for (const { text } of [made, again, found, list])
      assert.ok(text.includes(`"metadata":${metadata}`), text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await post(path, bodyWith(metadata.replace('993', '992'), body))
    assert.equal(other.status, 409)
    assert.match(other.text, /9007199254740993/)
  }
})

test('numbers are compared by their exact value, which no spelling changes', async () => {
  const body = paymentBody()
  const first = await post('/v1/payments', bodyWith('{"n":9007199254740993,"m":1.50}', body))
  assert.equal(first.status, 201)
  for (const same of [
    '{"n":9007199254740993,"m":1.50}',
    '{"m":1.5,"n":9007199254740993.0}',
    '{"m":15e-1,"n":9007199254740993}',
  ]) {
    const again = await post('/v1/payments', bodyWith(same, body))
    assert.deepEqual([again.status, again.text], [201, first.text], same)
  }
  for (const other of [
    '{"n":9007199254740992,"m":1.50}',
    '{"n":9007199254740993,"m":1.5000000000000000001}',
    '{"n":"9007199254740993","m":1.50}',
  ]) {
    const conflict = await post('/v1/payments', bodyWith(other, body))
    assert.deepEqual([conflict.status, ...faults(conflict)], [409, ['/metadata', 'differs']], other)
  }
})

test('verify finds them as they were requested and announced', async () => {
  const { checked, faults } = await verify(world.sql, { cell: 'a1', auditKey: world.auditKey })
  assert.ok(checked.some(({ what, count }) => what === 'payments' && count > 0))
  assert.deepEqual(
    faults.filter(({ what }) => /fingerprint|metadata/.test(what)),
    [],
  )
})

test('an order number of bare digits is no card number, in metadata or as a key', async () => {
  const cards = ['4242424242424242', '5555555555554444', '378282246310005', '6011111111111117']
  for (const number of cards) {
    const metadata = `{"orderId":"${number}","n":${number},"list":["pedido ${number} ok"],"${number}":true,"expanded":"${number}","company":"${number}"}`
    const body = { ...paymentBody(), idempotencyKey: `${number}${tenant.id.slice(0, 4)}` }
    const made = await post('/v1/payments', bodyWith(metadata, { ...body, idempotencyKey: number }))
    assert.equal(made.status, 201, made.text)
  }
})

test('digits grouped as cards print them are refused there, and so are digits under a name that suggests a card', async () => {
  const grouped = [
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242.4242.4242.4242',
    '4242  4242  4242  4242',
    '4242\\u00a04242\\u20094242\\t4242',
    '4242 - 4242 - 4242 - 4242',
    '４２４２ ４２４２ ４２４２ ４２４２',
    '４２４２－４２４２－４２４２－４２４２',
    '4242\\u200b 4242 4242 4242',
    '3782 822463 10005',
    '3622 720627 1667',
    'paga com 5555 5555 5555 4444, val. 12/28',
  ]
  for (const each of grouped) {
    const answer = await post('/v1/payments', bodyWith(`{"a/b":{"note":["${each}"]}}`))
    assert.deepEqual(
      [answer.status, ...faults(answer)],
      [400, ['/metadata/a~1b/note/0', 'card_number']],
      each,
    )
    const asKey = await post(
      '/v1/payments',
      JSON.stringify(paymentBody({ idempotencyKey: '@' })).replace('@', () => each),
    )
    assert.deepEqual([asKey.status, ...faults(asKey)], [400, ['/idempotencyKey', 'card_number']], each)
  }
  const header = { 'idempotency-key': '4242 4242 4242 4242' }
  const byHeader = await api.ask('POST', '/v1/wallets', {
    key: tenant.key,
    headers: header,
    body: { currency: 'BRL', walletType: 'RESERVE', label: 'x' },
  })
  assert.equal(byHeader.status, 400)
  assert.ok(!byHeader.text.includes('4242'))
  for (const name of [
    'card',
    'cardNumber',
    'card_number',
    'CARD-NO',
    'creditcard',
    'pan',
    'PAN',
    'customerPan',
    'cvv',
    'numeroCartao',
  ]) {
    for (const value of [
      '"4242424242424242"',
      '4242424242424242',
      '{"number":"4242424242424242"}',
      '["x",{"n":4242424242424242}]',
    ]) {
      const answer = await post('/v1/payments', bodyWith(`{"${name}":${value}}`))
      assert.equal(answer.status, 400, `${name} ${value}`)
      assert.match(String(faults(answer)), /card_number/)
      assert.ok(!answer.text.includes('42424242'))
    }
  }
  const code = await post('/v1/payments', bodyWith('{"payer":{"cvv":"123"}}'))
  assert.deepEqual([code.status, ...faults(code)], [400, ['/metadata/payer/cvv', 'card_number']])
  for (const fine of [
    '{"cardBrand":"visa","cardLast4":"4242","panel":12}',
    '{"discount":"4242424242424242"}',
  ])
    assert.equal((await post('/v1/payments', bodyWith(fine))).status, 201, fine)
})

test('other fields take no card number however its digits stand', async () => {
  for (const each of [
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242.4242.4242.4242',
    '4242  4242  4242  4242',
    '４２４２４２４２４２４２４２４２',
    '42 4242 4242 4242 42',
  ]) {
    for (const field of ['customerName', 'description', 'checkout']) {
      const answer = await post('/v1/payments', JSON.stringify(paymentBody({ [field]: each })))
      assert.deepEqual(
        [answer.status, ...faults(answer)],
        [400, [`/${field}`, 'card_number']],
        `${field} ${each}`,
      )
    }
  }
})
