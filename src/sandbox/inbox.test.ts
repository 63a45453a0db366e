import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { connect, type Sql } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { testClock } from '#/kernel/time.ts'
import { signatureHeaders } from '#/webhooks/sign.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { registerInbox } from './inbox.ts'
import { keepWebhook, keptMax, latestWebhooks } from './queries.ts'

const clock = testClock(new Date('2026-11-21T14:03:20.000Z'))
const merchantId: MerchantId = newId()
const secrets = [randomBytes(24), randomBytes(24)]

let database: TestDatabase
let sql: Sql
let server: FastifyInstance
before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 2 })
  server = Fastify({ bodyLimit: 65_536 })
  server.post('/api', (request, reply) => reply.send(request.body))
  registerInbox(server, {
    sql,
    clock,
    merchantId,
    apiUrl: 'https://sandbox.example:8443',
    secretsOf: async (id) => (id === merchantId ? secrets : []),
  })
})
after(async () => {
  await server.close()
  await sql.end()
  await database[Symbol.asyncDispose]()
})

function signed(body: Buffer, secret: Buffer | undefined) {
  return signatureHeaders({
    id: newId(),
    attemptAt: clock.now(),
    body,
    secrets: secret === undefined ? [] : [secret],
  })
}

async function post(payload: Buffer, headers: Readonly<Record<string, string>>) {
  const answer = await server.inject({ method: 'POST', url: '/sandbox/inbox', payload, headers })
  assert.equal(answer.statusCode, 204)
  const [kept] = await latestWebhooks(sql, 1)
  assert.ok(kept !== undefined)
  return kept
}

test('what arrives is kept byte by byte with its headers, and is verified by either secret in force', async () => {
  const body = Buffer.from('{"type":"payment.completed", "data" : {"name":"Conceição"}}\n')
  for (const secret of secrets) {
    const headers = { 'content-type': 'application/json', 'x-other': 'kept', ...signed(body, secret) }
    const kept = await post(body, headers)
    assert.deepEqual(kept.body, body)
    assert.equal(kept.verified, true)
    assert.equal(kept.headers['x-other'], 'kept')
    assert.equal(kept.headers['webhook-id'], headers['webhook-id'])
    assert.deepEqual(kept.receivedAt, clock.now())
  }
})

test('what cannot be verified is kept too, and marked', async () => {
  const body = Buffer.from('{"type":"payment.completed"}')
  const strangers = signed(body, randomBytes(24))
  const old = signed(body, secrets[0])
  assert.equal((await post(body, strangers)).verified, false)
  assert.equal((await post(body, {})).verified, false)
  assert.equal((await post(Buffer.from(`${body.toString()} `), signed(body, secrets[0]))).verified, false)
  clock.advance(301_000)
  assert.equal((await post(body, old)).verified, false)
})

test('any bytes of any type are accepted as they are: broken JSON, binary, forms, nothing', async () => {
  const bodies: readonly (readonly [Buffer, Record<string, string>])[] = [
    [Buffer.from('{"half'), { 'content-type': 'application/json' }],
    [Buffer.from([0, 255, 13, 10]), { 'content-type': 'application/octet-stream' }],
    [Buffer.from('a=1'), { 'content-type': 'application/x-www-form-urlencoded' }],
    [Buffer.from('x'.repeat(65_536)), { 'content-type': 'text/plain' }],
    [Buffer.alloc(0), {}],
  ]
  for (const [body, headers] of bodies) assert.deepEqual((await post(body, headers)).body, body)
})

test('the parser of the API stays as it is', async () => {
  const headers = { 'content-type': 'application/json' }
  const good = await server.inject({ method: 'POST', url: '/api', payload: '{"a":1}', headers })
  assert.deepEqual(good.json(), { a: 1 })
  assert.equal(
    (await server.inject({ method: 'POST', url: '/api', payload: '{"a', headers })).statusCode,
    400,
  )
})

test('a body beyond the limit is refused', async () => {
  const answer = await server.inject({
    method: 'POST',
    url: '/sandbox/inbox',
    payload: Buffer.alloc(65_537),
    headers: { 'content-type': 'a/b' },
  })
  assert.equal(answer.statusCode, 413)
})

test('a call of another site, or to another name of this machine, is refused and not kept', async () => {
  const kept = () => latestWebhooks(sql, keptMax)
  const before = await kept()
  const foreign = [
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://127.0.0.1:9999', host: '127.0.0.1:4000' }, 403],
    [{ host: 'evil.example' }, 421],
    [{ host: '127.0.0.1.evil.example:4000' }, 421],
    [{ origin: 'http://evil.example', host: 'evil.example' }, 421],
  ] as const
  for (const [headers, status] of foreign) {
    // As a form or a fetch without a preflight sends it.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      const answer = await server.inject({
        method: 'POST',
        url: '/sandbox/inbox',
        payload: '{}',
        headers: { 'content-type': type, ...headers },
      })
      assert.equal(answer.statusCode, status, JSON.stringify(headers))
    }
  }
  assert.deepEqual(await kept(), before)
  const allowed = [
    { host: '127.0.0.1:4000' },
    { host: 'localhost:4000', origin: 'http://localhost:4000' },
    { host: '[::1]:4000' },
    { host: 'sandbox.example:8443' },
    { host: '127.0.0.1:4000', origin: 'https://sandbox.example:8443' },
  ]
  for (const headers of allowed) await post(Buffer.from('{}'), headers)
})

test('only the newest are kept', async () => {
  assert.equal(keptMax, 200)
  const row = { receivedAt: clock.now(), headers: {}, body: Buffer.alloc(0), verified: true }
  for (let count = 0; count < keptMax + 3; count += 1) await keepWebhook(sql, { id: newId(), ...row })
  const last = newId<'received-webhook'>()
  await keepWebhook(sql, { id: last, ...row })
  const kept = await latestWebhooks(sql, keptMax * 2)
  assert.equal(kept.length, keptMax)
  assert.equal(kept[0]?.id, last)
})
