// The client at a server that answers as the test chooses: what is sent, what is sent again, and what is not.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../../../test/ports.ts'
import { startReceiver, type Call, type Reply } from '../../../test/receiver.ts'
import { createClient, isProblem, VintemConnectionError, VintemProblem } from './vintem.ts'

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const problem = (code: string, status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  json(
    { type: `https://vintem.dev/problems/${code}`, title: 'No', status, code, requestId: 'r-1' },
    status,
    headers,
  )

async function at(answer: (call: Call, count: number) => Reply | undefined, options = {}) {
  const receiver = await startReceiver(answer)
  const client = createClient({ apiKey: 'vtm_test_1', baseUrl: `${receiver.origin}/`, ...options })
  return { receiver, client, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() }
}

const payment = { amount: 1000, currency: 'BRL', paymentMethods: ['PIX'], idempotencyKey: 'order-1' } as const

test('a payment is posted with the key, and its answer is typed', async () => {
  await using site = await at(() => json({ id: 'p-1', status: 'WAITING_PAYMENT' }, 201))
  const made = await site.client.payments.create(payment)
  assert.equal(made.status, 'WAITING_PAYMENT')
  const [call] = site.receiver.calls
  assert.equal(call?.path, '/v1/payments')
  assert.equal(call?.headers['apikey'], 'vtm_test_1')
  assert.equal(call?.headers['idempotency-key'], undefined, 'the body has it')
  assert.deepEqual(JSON.parse(call?.body.toString() ?? ''), payment)
})

test('a call that the service recognises is sent again with the same key after 503 and after a lost connection', async () => {
  await using site = await at((_, count) =>
    count < 3 ? problem('unavailable', 503, { 'retry-after': '0' }) : json({ id: 'w' }, 201),
  )
  await site.client.withdrawals.create({
    type: 'PIX',
    amount: 1,
    currency: 'BRL',
    pixKey: 'a@b.co',
    pixKeyType: 'EMAIL',
  })
  const keys = site.receiver.calls.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 3)
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
  assert.deepEqual(new Set(keys).size, 1)
})

test('what the service cannot recognise is sent once when no answer came, and again after 429 alone', async () => {
  await using silent = await at(() => undefined, { timeoutMs: 100 })
  const failure = await silent.client.payments.capture('p-1').then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(failure instanceof VintemConnectionError)
  assert.equal(failure.isTimeout, true)
  assert.equal(silent.receiver.calls.length, 1)

  await using failing = await at(() => problem('unavailable', 503, { 'retry-after': '0' }))
  await assert.rejects(async () => failing.client.payments.capture('p-1'), VintemProblem)
  assert.equal(failing.receiver.calls.length, 1)

  await using busy = await at((_, count) =>
    count === 1 ? problem('rate_limited', 429, { 'retry-after': '0' }) : json({ id: 'p-1' }),
  )
  await busy.client.payments.capture('p-1')
  assert.equal(busy.receiver.calls.length, 2)
})

test('a wrong address is named where nobody answers', async () => {
  const port = await freePort()
  const client = createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
  await assert.rejects(
    async () => client.me.get(),
    (error: unknown) => error instanceof VintemConnectionError && error.message.includes(String(port)),
  )
})

test('Retry-After is respected, and an error is thrown at once when it asks for more than a minute', async () => {
  await using site = await at(() => problem('unavailable', 503, { 'retry-after': '3600' }))
  await assert.rejects(
    async () => site.client.me.get(),
    (error: unknown) => {
      assert.ok(isProblem(error, 'unavailable'))
      assert.equal(error.retryAfterMs, 3_600_000)
      return true
    },
  )
  assert.equal(site.receiver.calls.length, 1)
})

test('a refusal is an error with its code, its fields and its request, and is not sent again', async () => {
  await using site = await at(() =>
    json(
      {
        title: 'Wrong',
        detail: 'amount',
        status: 400,
        code: 'invalid_request',
        requestId: 'r-9',
        errors: [{ pointer: '/amount', code: 'minimum', message: 'at least 1' }],
      },
      400,
    ),
  )
  await assert.rejects(
    async () => site.client.payments.create({ ...payment, amount: 0 }),
    (error: unknown) => {
      assert.ok(error instanceof VintemProblem)
      assert.equal(isProblem(error, 'invalid_request'), true)
      assert.equal(isProblem(error, 'not_found'), false)
      assert.deepEqual([error.status, error.requestId, error.errors[0]?.pointer], [400, 'r-9', '/amount'])
      return true
    },
  )
  assert.equal(site.receiver.calls.length, 1)
})

test('a list awaited is its first page; iterated it is every record of every page', async () => {
  await using site = await at(({ path }) =>
    path.includes('cursor=two')
      ? json({ data: [{ id: 'c' }] })
      : json({ data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'two' }),
  )
  const list = () => site.client.payments.list({ status: 'PAID', metadata: { orderId: 'A 1' } })
  assert.deepEqual(
    (await list()).data.map(({ id }) => id),
    ['a', 'b'],
  )
  assert.equal((await Array.fromAsync(list())).map(({ id }) => id).join(), 'a,b,c')
  assert.equal(site.receiver.calls[0]?.path, '/v1/payments?status=PAID&metadata%5BorderId%5D=A+1')
  assert.equal(
    site.receiver.calls.at(-1)?.path,
    '/v1/payments?status=PAID&metadata%5BorderId%5D=A+1&cursor=two',
  )
})

test('an amount that a number cannot hold exactly is an error and never rounded', async () => {
  await using site = await at(() => ({ status: 200, body: '{"id":"w","balance":9007199254740993}' }))
  await assert.rejects(
    async () => site.client.wallets.get('w'),
    /balance is \d+: more than a number holds exactly/,
  )
})

test('ids are encoded, and an empty one calls nothing', async () => {
  await using site = await at(() => json({ id: 'x' }))
  await site.client.payments.get('../wallets')
  assert.equal(site.receiver.calls[0]?.path, '/v1/payments/..%2Fwallets')
  assert.throws(() => void site.client.payments.get(''), TypeError)
  assert.equal(site.receiver.calls.length, 1)
})

test('a client that acts for a sub-account says so in every call, and the first client does not', async () => {
  await using site = await at(() => json({ data: [] }))
  await site.client.actingFor('sub-1').wallets.list()
  await site.client.wallets.list()
  assert.deepEqual(
    site.receiver.calls.map(({ headers }) => headers['sub-account']),
    ['sub-1', undefined],
  )
})

test('a redirect is not followed: the key would go elsewhere', async () => {
  await using site = await at(() => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }), {
    maxRetries: 0,
  })
  await assert.rejects(async () => site.client.me.get(), VintemConnectionError)
})

test('the signal of the caller ends a call and its pauses', async () => {
  await using site = await at(() => problem('unavailable', 503, { 'retry-after': '30' }))
  const stop = new AbortController()
  const called = site.client.me.get({ signal: stop.signal })
  await site.receiver.until((calls) => calls.length === 1)
  stop.abort(new Error('enough'))
  await assert.rejects(called, /enough/)
})

test('an answer that breaks off counts as none: it is asked for again where that is safe, and an error of the connection elsewhere', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.writeHead(200, { 'content-length': '100' }).write('{"id":')
    if (calls === 1 || calls > 2) setTimeout(() => response.destroy(), 20)
    else response.end(`"p-1"${' '.repeat(88)}}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 1 })
  try {
    assert.equal((await client.payments.get('p-1')).id, 'p-1')
    await assert.rejects(async () => client.payments.cancel('p-1'), VintemConnectionError)
    assert.equal(calls, 3, 'a cancellation is not sent again')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
