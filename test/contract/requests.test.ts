// Invalid requests are refused clearly: never a 500, never a partial reading.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented, assertFits, at, document } from './document.ts'
import { openApiWorld, paymentBody, withdrawalBody, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

async function post(raw: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, raw, headers })
  assertDocumented('POST', '/v1/payments', answer)
  return answer
}

/** A payment's body as text, in which `"@"` is the placeholder for the test's value. */
function bodyWith(field: string, value: string): string {
  return JSON.stringify(paymentBody({ [field]: '@' })).replace('"@"', () => value)
}

function pointers(answer: Answer): readonly unknown[] {
  return (answer.body['errors'] as readonly { readonly pointer: string }[]).map(({ pointer }) => pointer)
}

test('an amount is a whole number from 1 to 2^53 − 1, written as a number', async () => {
  for (const good of ['1', '1.0', '1e3', '9007199254740991']) {
    const answer = await post(bodyWith('amount', good))
    assert.equal(answer.status, 201, good)
    assert.equal(answer.body['amount'], Number(good))
  }
  const bad = [
    '0',
    '-1',
    '1.5',
    '9007199254740992',
    '9007199254740993',
    '1e400',
    '-0',
    '"1"',
    'null',
    'true',
    '[1]',
    '{}',
    '1e-1',
  ]
  for (const each of bad) {
    const answer = await post(bodyWith('amount', each))
    assert.equal(answer.status, 400, each)
    assert.deepEqual([...new Set(pointers(answer))], ['/amount'], each)
  }
})

test('text that the database cannot hold is refused, and the error points to it', async () => {
  for (const bad of ['"a\\u0000b"', '"\\ud800"', '"x\\udc00"']) {
    for (const field of ['idempotencyKey', 'customerName', 'checkout', 'currency', 'webhookUrl']) {
      const answer = await post(bodyWith(field, bad))
      assert.equal(answer.status, 400, `${field} ${bad}`)
      assert.deepEqual(pointers(answer), [`/${field}`])
    }
    const inside = await post(bodyWith('metadata', `{"a":[{"b":${bad}}]}`))
    assert.deepEqual([inside.status, ...pointers(inside)], [400, '/metadata/a/0/b'])
    const asKey = await post(bodyWith('metadata', `{${bad}:1}`))
    assert.equal(asKey.status, 400)
  }
  const pair = await post(bodyWith('customerName', '"\\ud83d\\ude00"'))
  assert.equal(pair.status, 201)
})

test('the query, the path and headers hold no such text either', async () => {
  const ask = (path: string, headers = {}) => api.ask('GET', path, { key: tenant.key, headers })
  for (const path of [
    '/v1/wallets/%00',
    '/v1/wallets/none',
    '/v1/wallets/019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f%00',
  ]) {
    assert.equal((await ask(path)).status, 404, path)
  }
  for (const query of ['?currency=%00', '?cursor=%00', '?currency=%ED%A0%80', '?limit=1%00']) {
    const answer = await ask(`/v1/wallets${query}`)
    assert.ok([200, 400].includes(answer.status), `${query} ${answer.status}`)
    if (query.includes('%00')) assert.equal(answer.status, 400, query)
  }
  assert.equal((await ask('/v1/wallets/%')).status, 400)
  const answer = await api.ask('POST', '/v1/wallets', {
    key: tenant.key,
    body: { currency: 'BRL', walletType: 'RESERVE', label: 'x' },
    headers: { 'idempotency-key': 'caf\u00e9' },
  })
  assert.equal(answer.status, 400)
})

test('only well-formed JSON of bounded depth is a body', async () => {
  const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)
  const bad = [
    '',
    '{',
    '[]',
    'null',
    '1',
    '"text"',
    '{"amount":1,}',
    "{'amount':1}",
    Buffer.from([0x7b, 0xff, 0x7d]),
    Buffer.from('{}', 'utf16le'),
    deep('[', ']', 30_000),
    deep('{"a":', '}', 9_000).replace(':}', ':1}'),
    bodyWith('metadata', `{"a":${deep('[', ']', 40)}}`),
    bodyWith('metadata', '[]'),
    bodyWith('metadata', `{"a":"${'x'.repeat(8_192)}"}`),
  ]
  for (const each of bad) assert.equal((await post(each)).status, 400, String(each).slice(0, 60))
})

test('a duplicate name is refused with its pointer, at any depth and however it is spelt', async () => {
  const doubled = (pair: string) => JSON.stringify(paymentBody()).replace('{', `{${pair},`)
  for (const [raw, pointer] of [
    [doubled('"amount":1'), '/amount'],
    [doubled('"am\\u006funt":1'), '/amount'],
    [doubled('"customerName":"a","customerName" : "a"'), '/customerName'],
    [doubled('"description":null,"description":"x"'), '/description'],
    [bodyWith('metadata', '{"a":[0,{"b/c":1,"d":{"b/c":2},"b/c":1}]}'), '/metadata/a/1/b~1c'],
  ] as const) {
    const answer = await post(raw)
    assert.deepEqual([answer.status, ...pointers(answer)], [400, pointer], raw)
    assert.equal(at(answer.body, 'errors', '0', 'code'), 'repeated')
  }
  const fine = await post(
    bodyWith('metadata', '{"a":{"a":[{"a":1},{"a":1}]},"b":"\\"a\\":1,\\"a\\":1","":{"":1}}'),
  )
  assert.equal(fine.status, 201, fine.text)
})

test('null means absent, but in metadata', async () => {
  const body = paymentBody()
  const nulls = {
    customerName: null,
    description: null,
    webhookUrl: null,
    checkout: null,
    expiresIn: null,
    captureMode: null,
  }
  const [first, again] = [
    await post(JSON.stringify({ ...body, ...nulls, metadata: { a: null } })),
    await post(JSON.stringify({ ...body, metadata: { a: null } })),
  ]
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
  assert.deepEqual(first.body['metadata'], { a: null })
  const none = await post(JSON.stringify({ ...paymentBody(), metadata: null }))
  assert.deepEqual([none.status, 'metadata' in none.body], [201, false])
  for (const field of ['amount', 'idempotencyKey']) {
    const answer = await post(JSON.stringify(paymentBody({ [field]: null })))
    assert.deepEqual([answer.status, ...pointers(answer)], [400, `/${field}`])
    assert.equal(at(answer.body, 'errors', '0', 'code'), 'required')
  }
  const unknown = await post(JSON.stringify(paymentBody({ nothing: 'null' })))
  assert.deepEqual([unknown.status, ...pointers(unknown)], [400, '/nothing'])
})

test('a number outside of metadata that cannot be kept is named by its whole pointer', async () => {
  const answer = await post(bodyWith('paymentMethods', '[1,{"a/b":9007199254740993}]'))
  assert.deepEqual([answer.status, ...pointers(answer)], [400, '/paymentMethods/1/a~1b'])
})

test('metadata is echoed to the letter', async () => {
  const samples = [
    '{}',
    '{"a\\nb":{"":[1,null,true,"é😀\\u2028"]},"n":1e+21,"f":0.1,"neg":-0.5,"big":9007199254740992}',
    '{"constructor":{"prototype":1},"toString":"x","toJSON":"y","then":"z","hasOwnProperty":null}',
    `{"a":"${'x'.repeat(8_100)}"}`,
  ]
  for (const sample of samples) {
    const created = await post(bodyWith('metadata', sample))
    assert.equal(created.status, 201, `${sample.slice(0, 60)} ${created.text.slice(0, 300)}`)
    assert.deepEqual(created.body['metadata'], JSON.parse(sample))
    const found = await api.ask('GET', `/v1/payments/${String(created.body['id'])}`, { key: tenant.key })
    assert.deepEqual(found.body['metadata'], JSON.parse(sample))
  }
})

test('a field named __proto__ is refused at any depth, however it is spelt', async () => {
  for (const name of ['__proto__', '\\u005f_proto__']) {
    assert.equal((await post(`{"${name}":{"amount":1}}`)).status, 400)
    const inside = await post(bodyWith('metadata', `{"a":{"${name}":1}}`))
    assert.deepEqual([inside.status, ...pointers(inside)], [400, '/metadata/a/__proto__'])
  }
})

test('unknown fields and unknown parameters are refused by name', async () => {
  const body = await post(JSON.stringify(paymentBody({ ammount: 1, 'a/b~c': 2 })))
  assert.deepEqual(new Set(pointers(body)), new Set(['/a~1b~0c', '/ammount']))
  for (const path of [
    '/v1/wallets?page=2',
    '/v1/payments?limit=10&limit=20',
    '/v1/payments?limit=0',
    '/v1/payments?limit=101',
    '/v1/payments?limit=1.0',
  ]) {
    assert.equal((await api.ask('GET', path, { key: tenant.key })).status, 400, path)
  }
})

test('a span of time is made of instants', async () => {
  const ask = (query: string) => api.ask('GET', `/v1/wallets/statement?${query}`, { key: tenant.key })
  for (const good of [
    'from=2026-11-21',
    'from=2026-11-21T02:03:04Z&to=2026-11-21T02:03:04.567%2B03:00',
    'to=9999-12-31',
    'from=0001-01-01',
  ]) {
    assert.equal((await ask(good)).status, 200, good)
  }
  for (const bad of [
    'from=yesterday',
    'to=2026-13-01',
    'from=2026-04-31',
    'to=2023-02-29T00:00:00Z',
    'to=2026-11-21T24:00:00Z',
    'from=0000-01-01',
    'from=0001-01-01T00:00:00%2B14:00',
    'to=9999-12-31T23:59:59-14:00',
    'from=',
  ]) {
    const answer = await ask(bad)
    assert.equal(answer.status, 400, bad)
  }
})

test('a cursor of another list, or an invented one, is refused', async () => {
  const cursors = [
    'x',
    'bnVsbA',
    Buffer.from('["a"]').toString('base64url'),
    Buffer.from('[1,{}]').toString('base64url'),
    'W10',
  ]
  for (const path of ['/v1/payments', '/v1/wallets', '/v1/wallets/statement', '/v1/events']) {
    for (const cursor of cursors) {
      const answer = await api.ask('GET', `${path}?cursor=${cursor}`, { key: tenant.key })
      assert.equal(answer.status, 400, `${path} ${cursor}`)
      assert.equal(at(answer.body, 'errors', '0', 'pointer'), '/cursor')
    }
  }
})

test('only application/json in UTF-8 is understood', async () => {
  const body = () => JSON.stringify(paymentBody())
  const good = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ]
  for (const type of good) assert.equal((await post(body(), { 'content-type': type })).status, 201, type)
  const bad = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json, text/plain',
    'application/json\ta',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'text/plain; application/json',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
  ]
  for (const type of bad) assert.equal((await post(body(), { 'content-type': type })).status, 415, type)
  assert.equal((await post(body(), { 'content-encoding': 'gzip' })).status, 415)
})

test('a body has at most 64 KiB', async () => {
  assert.equal((await post(bodyWith('customerName', `"${'x'.repeat(65_536)}"`))).status, 413)
  assert.equal((await post(' '.repeat(65_000) + JSON.stringify(paymentBody()))).status, 201)
})

test('an unknown address is a 404, whatever the method', async () => {
  const calls = [
    ['GET', '/'],
    ['GET', '/v1'],
    ['DELETE', '/v1'],
    ['HEAD', '/v1/nothing'],
    ['GET', `/v1/payments/${'a'.repeat(200)}`],
  ] as const
  for (const [method, path] of calls) {
    const answer = await api.ask(method, path, { key: tenant.key })
    assert.equal(answer.status, 404, `${method} ${path}`)
    if (method !== 'HEAD') assertFits(at(document, 'components', 'schemas', 'Problem'), answer.body, path)
  }
})

test('readiness names what is not ready', async () => {
  const sick = await world.openApi({ ready: async () => [{ name: 'database', ok: false }] })
  const answer = await sick.ask('GET', '/health/ready')
  assert.equal(answer.status, 503)
  assert.deepEqual(answer.body, { status: 'not_ready', checks: { database: false } })
  assert.equal((await sick.ask('GET', '/health/live')).status, 200)
})

test('without a part it is ready for the rest, and names what is missing and why', async () => {
  const whole = { name: 'database', ok: true }
  const part = { name: 'chain', ok: false, isPart: true, reason: 'It is not followed yet.' } as const
  const lame = await world.openApi({ ready: async () => [whole, part] })
  const answer = await lame.ask('GET', '/health/ready')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    status: 'degraded',
    checks: { database: true, chain: false },
    reasons: { chain: part.reason },
  })
  const sick = await world.openApi({ ready: async () => [{ ...whole, ok: false }, part] })
  const refused = await sick.ask('GET', '/health/ready')
  assert.deepEqual([refused.status, refused.body['status']], [503, 'not_ready'])
})

test('what is wrong with a URL reads as one sentence', async () => {
  const live = await world.openTenant('LIVE')
  const bad = [
    'http://shop.example.com/',
    'shop',
    'https://a:b@shop.example.com/',
    'https://127.0.0.1/',
    'https://a b/',
    'https://a/\\',
  ]
  for (const field of ['webhookUrl', 'returnUrl', 'cancelUrl']) {
    for (const url of bad) {
      const answer = await api.ask('POST', '/v1/payments', {
        key: live.key,
        body: paymentBody({ [field]: url }),
      })
      if (field !== 'webhookUrl' && url.includes('127.0.0.1')) continue
      assert.equal(answer.status, 400, `${field} ${url}`)
      assert.match(String(answer.body['detail']), new RegExp(`^/${field} (?:is|must) [^.]+\\.$`), url)
    }
  }
  const plain = await api.ask('POST', '/v1/withdrawals', {
    key: live.key,
    body: withdrawalBody({ webhookUrl: 'http://shop.example.com/' }),
  })
  assert.equal(plain.body['detail'], '/webhookUrl must be https.')
})

test('the refusal to refund an unpaid payment says so', async () => {
  const byCrypto = paymentBody()
  const { paymentMethods: _methods, ...chosenLater } = paymentBody({ checkout: 'default' })
  for (const body of [byCrypto, chosenLater]) {
    const made = await api.ask('POST', '/v1/payments', { key: tenant.key, body })
    const path = `/v1/payments/${String(made.body['id'])}/refunds`
    const answer = await api.ask('POST', path, { key: tenant.key })
    assert.deepEqual([answer.status, answer.body['code']], [422, 'refund_exceeds_payment'], made.text)
    assert.match(String(answer.body['detail']), /is not paid/)
    assertDocumented('POST', '/v1/payments/{id}/refunds', answer)
  }
})

test('a broken invariant of ours is a 500 without details, and the details are logged', async () => {
  const lines: unknown[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const broken = await world.openApi({
    log,
    creator: {
      create: () => Promise.reject(new Error('secret detail')),
      assertPossible: async () => {},
      close: async () => {},
    },
  })
  const answer = await broken.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody() })
  assert.equal(answer.status, 500)
  assert.equal(answer.body['code'], 'internal')
  assert.ok(!answer.text.includes('secret'))
  assertDocumented('POST', '/v1/payments', answer)
  assert.equal(at(lines[0], 'requestId'), answer.body['requestId'])
})
