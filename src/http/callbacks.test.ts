// Callbacks of providers: which callers are accepted, what is stored, and that no money is credited on their word alone.
import assert from 'node:assert/strict'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { drainOnce } from '#/settlement/inbox.ts'
import { eventually } from '../../test/eventually.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type BankCustomer, type PixBank } from '../../test/rails/pix/bank.ts'
import { createCallbackServer, readVerifiedByProxy, serveProxiedCallbacks } from './callbacks.ts'

let bank: PixBank
let customer: BankCustomer
let world: PixWorld
let server: FastifyInstance
let url: string

before(async () => {
  bank = await startPixBank()
  customer = await bank.customer()
  world = await openPixWorld(customer)
  server = await openServer()
  url = `https://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
after(async () => {
  await server.close()
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

async function openServer(clock = systemClock): Promise<FastifyInstance> {
  const { certificate, privateKey } = (await bank.control('POST', '/server-certificates', {
    hosts: ['127.0.0.1'],
  })) as { certificate: string; privateKey: string }
  const { sql, connections, rails } = world.core
  const deps = { sql, clock, log: silentLog, connections, rails, onSignal: () => {} }
  const opened = createCallbackServer(deps, { certificate, privateKey })
  await opened.listen({ host: '127.0.0.1', port: 0 })
  return opened
}

type Caller = { readonly certificate: string; readonly privateKey: string } | undefined

type Call = { readonly method: string; readonly path: string; readonly headers?: OutgoingHttpHeaders }

/** One call, with a client certificate or without. */
function request(
  call: Call,
  caller: Caller,
  body: string | Buffer = '',
  base = url,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const tls = caller === undefined ? {} : { cert: caller.certificate, key: caller.privateKey }
    const { method, path, headers = {} } = call
    const options = { method, headers, ca: customer.settings.ca, agent: false, ...tls }
    const sent = httpsRequest(`${base}${path}`, options, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Returns the status. */
async function post(path: string, caller: Caller, body: string | Buffer, base = url): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const { statusCode = 0 } = await request({ method: 'POST', path, headers }, caller, body, base)
  return statusCode
}

const path = () => `/callbacks/pix/${world.connection}/pix`
const kept = async () => {
  const [row] = await world.core.sql<{ count: number }[]>`select count(*)::integer as count from inbox`
  return row?.count
}
const drain = () => drainOnce({ ...world.core, kind: world.core.settleKind, log: silentLog })
const books = async () => {
  const rows = await world.core.sql<{ name: string; minor: bigint }[]>`
    select name, minor from account join balance on account_id = id order by name`
  return rows.map(({ name, minor }) => [name, minor])
}

test('a call without a certificate is refused, and nothing is stored', async () => {
  assert.equal(await post(path(), undefined, '{"pix":[]}'), 403)
  assert.equal(await kept(), 0)
})

test('a certificate of another authority is refused, even of one with the same name', async () => {
  await using other = await startPixBank()
  const stranger = await other.customer()
  assert.equal(await post(path(), stranger.secrets, '{"pix":[]}'), 403)
  assert.equal(await kept(), 0)
})

test('a certificate that is expired or not valid yet is refused', async () => {
  const later = { now: () => addMs(systemClock.now(), 20 * 366 * 24 * hourMs) }
  const old = await openServer(later)
  const base = `https://127.0.0.1:${(old.server.address() as AddressInfo).port}`
  assert.equal(await post(path(), customer.secrets, '{"pix":[]}', base), 403)
  await old.close()
  assert.equal(await kept(), 0)
})

test('a call for no connection of that method is answered with 404', async () => {
  const { secrets } = customer
  for (const wrong of [
    '/callbacks/pix/a1-019a0000-0000-7000-8000-000000000001/pix',
    `/callbacks/crypto/${world.connection}/pix`,
    `/callbacks/nothing/${world.connection}`,
    `/callbacks/pix/${world.connection}/other`,
    '/callbacks/pix',
    '/v1/payments',
  ])
    assert.equal(await post(wrong, secrets, '{"pix":[]}'), 404, wrong)
  assert.equal(await kept(), 0)
})

test('the bank’s test of the address passes: its call without a certificate is refused, the other is answered', async () => {
  const { callbacks } = must(world.core.rails.get('PIX'), 'there is PIX')
  assert.equal(callbacks?.by, 'CERTIFICATE')
  await callbacks.register(world.connection, `${url}/callbacks/pix/${world.connection}`)
  await drain()
  assert.equal(await kept(), 0)
})

test('the bank’s webhook of a payment becomes the payment’s money', async () => {
  const { payment } = await world.create()
  const [pix] = await bank.pay(await world.txidOf(payment))
  await eventually('the webhook comes', async () => (await kept()) !== 0)
  await drain()
  const shown = await world.shown(payment.id)
  assert.deepEqual([shown['status'], shown['endToEndIds']], ['PAID', [pix?.endToEndId]])
})

test('both addresses that providers make from ours are served, also with a query', async () => {
  for (const suffix of ['', '/pix', '?hmac=abc', '/pix?hmac=abc&ignorar='])
    assert.equal(
      await post(`/callbacks/pix/${world.connection}${suffix}`, customer.secrets, '{"pix":[]}'),
      200,
    )
  assert.equal(await kept(), 4)
  await drain()
  assert.equal(await kept(), 0)
})

test('junk is answered, stored and checked, and changes nothing', async () => {
  const before = await books()
  const deep = `{"pix":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
  const junk = [
    '',
    'x',
    '[]',
    '{}',
    'null',
    '{"pix":null}',
    '{"pix":{}}',
    '{"pix":[null,1,"E",[],{}]}',
    '{"pix":[{"endToEndId":null,"txid":{}}]}',
    '{"pix":[{"endToEndId":"../../cob","txid":"../x"}]}',
    '{"pix":[{"endToEndId":"E\\u0000","txid":"a b"}]}',
    deep,
    Buffer.from([0, 255, 254, 0, 123, 125]),
  ]
  for (const body of junk) assert.equal(await post(path(), customer.secrets, body), 200)
  assert.equal(await kept(), junk.length)
  await drain()
  assert.equal(await kept(), 0)
  assert.deepEqual(await books(), before)
})

test('other requests are answered as on every server: methods, robots, headers that are too large', async () => {
  const caller = customer.secrets
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'QUERY']) {
    const { statusCode, headers } = await request({ method, path: path() }, caller)
    assert.deepEqual([statusCode, headers.allow], [405, 'POST'], method)
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  }
  for (const [method, at, status] of [
    ['GET', '/robots.txt', 200],
    ['HEAD', '/robots.txt', 200],
    ['GET', '/v1/payments', 404],
  ] as const) {
    const headers = { 'x-request-id': 'sent-by-the-bank' }
    const answer = await request({ method, path: at, headers }, caller)
    assert.equal(answer.statusCode, status, at)
    assert.equal(answer.headers['x-request-id'], 'sent-by-the-bank')
  }
  const huge = await request(
    { method: 'POST', path: path(), headers: { 'x-much': 'a'.repeat(40_000) } },
    caller,
  )
  assert.equal(huge.statusCode, 431)
  assert.match(String(huge.headers['x-request-id']), /^[0-9a-f-]{36}$/)
})

test('a body that is too large is refused', async () => {
  assert.equal(await post(path(), customer.secrets, Buffer.alloc(300_000, 32)), 413)
  assert.equal(await kept(), 0)
})

test('a false body credits nothing that the bank does not confirm', async () => {
  const { payment } = await world.create()
  const txid = await world.txidOf(payment)
  const horario = new Date().toISOString()
  const lie = { endToEndId: `E99999008202611210000${'a'.repeat(11)}`, txid, valor: '10.00', horario }
  await world.callback({ pix: [lie, { ...lie, valor: '99999.00' }] })
  assert.deepEqual([(await world.payment(payment.id)).status, await kept()], ['WAITING_PAYMENT', 0])
  assert.deepEqual(await world.eventsOf(payment.id), [])
})

test('a true end-to-end id in a false body credits only what the bank says of it', async () => {
  const [{ payment: one }, { payment: other }] = await Promise.all([world.create(), world.create()])
  const [pix] = await bank.pay(await world.txidOf(one), { amount: '3.21', webhook: 'lose' })
  // The body names another payment and a much larger amount.
  await world.callback({ pix: [{ ...pix, txid: await world.txidOf(other), valor: '9999.00' }] })
  const [first, second] = await Promise.all([world.payment(one.id), world.payment(other.id)])
  assert.deepEqual([first.receivedMinor, second.receivedMinor, second.receipts], [321n, 0n, 0])
})

test('money of another customer of the same bank is not credited to us', async () => {
  const stranger = await bank.customer()
  const { pix } = await bank.control('POST', '/pay-key', { pixKey: stranger.settings.pixKey, amount: '5.00' })
  const [theirs] = pix as { endToEndId: string }[]
  const before = await books()
  await world.callback({ pix: [theirs] })
  assert.deepEqual([await books(), await kept()], [before, 0])
})

test('a header about the certificate is accepted from our own proxies only', async (t) => {
  const open = async (proxies: readonly string[]) => {
    const proxied = Fastify({ trustProxy: true })
    t.after(() => proxied.close())
    const { sql, connections, rails } = world.core
    const deps = { sql, clock: systemClock, log: silentLog, connections, rails, onSignal: () => {} }
    const verified = readVerifiedByProxy('X-SSL-Client-Verify: SUCCESS', proxies)
    proxied.setErrorHandler((_error, _request, reply) => reply.code(403).send())
    serveProxiedCallbacks(proxied, deps, must(verified, 'there are proxies'))
    await proxied.listen({ host: '127.0.0.1', port: 0 })
    const { port } = proxied.server.address() as AddressInfo
    return async (headers: Record<string, string>) => {
      const method = 'POST'
      const answer = await fetch(`http://127.0.0.1:${port}${path()}`, { method, headers, body: '{"pix":[]}' })
      return answer.status
    }
  }
  const ours = await open(['10.0.0.0/8', '127.0.0.0/8'])
  assert.equal(await ours({ 'x-ssl-client-verify': 'SUCCESS' }), 200)
  assert.equal(await kept(), 1)
  for (const verified of ['FAILED', 'NONE', 'success', 'SUCCESS, SUCCESS'])
    assert.equal(await ours({ 'x-ssl-client-verify': verified }), 403, verified)
  assert.equal(await ours({}), 403)
  const others = await open(['10.0.0.0/8', 'fd00::/8'])
  const forged = { 'x-ssl-client-verify': 'SUCCESS', 'x-forwarded-for': '10.0.0.1' }
  assert.equal(await others(forged), 403)
  assert.equal(await kept(), 1)
  await drain()
})

test('without a header name or without proxies no header is accepted', () => {
  assert.equal(readVerifiedByProxy('', ['10.0.0.1']), undefined)
  assert.equal(readVerifiedByProxy('X-SSL-Client-Verify: SUCCESS', []), undefined)
})
