import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { inTrace } from '#/kernel/context.ts'
import { ProviderError } from '#/kernel/error.ts'
import pems from '../../test/rails/pix/certificates.json' with { type: 'json' }
import type { EndedCall } from './connection.ts'
import { createHttpClient, type HttpClientOptions } from './http.ts'

const limits = { connectMs: 2_000, totalMs: 3_000, maxConnections: 4 }
const pemClient = { tls: { cert: pems.clientCert, key: pems.clientKey }, ca: pems.ca }
const p12Client = {
  tls: { pfx: Buffer.from(pems.pfx, 'base64'), passphrase: pems.passphrase },
  ca: pems.ca,
}
const serverTls = { cert: pems.serverCert, key: pems.serverKey, ca: pems.ca }

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server that wants a certificate of its own authority. */
async function mtls(t: TestContext, listener: RequestListener, more: ServerOptions = {}) {
  const options = { ...serverTls, requestCert: true, rejectUnauthorized: true, ...more }
  return `https://127.0.0.1:${await listen(t, createServer(options, listener))}`
}

async function plain(t: TestContext, listener: RequestListener) {
  return `http://127.0.0.1:${await listen(t, createPlainServer(listener))}`
}

function clientOf(t: TestContext, options: Partial<HttpClientOptions> = {}) {
  const client = createHttpClient({ ...limits, ...options })
  t.after(() => client.close())
  return client
}

async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ProviderError, String(error))
  return error
}

const subject: RequestListener = (request, response) => {
  const { subject: name } = (request.socket as TLSSocket).getPeerCertificate()
  response.end(name.CN)
}

// Before the others, whose timers would end meanwhile.
test('a call that has ended keeps no timer and does not listen to its signal', async (t) => {
  const url = await plain(t, (_, response) => void response.end())
  const client = clientOf(t, { totalMs: 600_000 })
  const { signal } = new AbortController()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const calls = 20
  for (let i = 0; i < calls; i++) await client.request({ method: 'GET', url, signal })
  assert.ok(timers() < before + calls)
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

test('a server that requires a certificate receives ours, from PEM and from a PKCS #12 file', async (t) => {
  const url = await mtls(t, subject)
  for (const options of [pemClient, p12Client]) {
    const { status, body } = await clientOf(t, options).request({ method: 'GET', url })
    assert.deepEqual([status, body.toString()], [200, 'Test application'])
  }
})

test('without a certificate that the server accepts nothing is done: unavailable in TLS 1.2, unknown in 1.3', async (t) => {
  let done = 0
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const url = await mtls(t, (_, response) => void response.end(++done), {
      maxVersion: version,
      minVersion: version,
    })
    const stranger = { cert: pems.strangerCert, key: pems.strangerKey }
    for (const tls of [{}, { tls: stranger }]) {
      const client = clientOf(t, { ca: pems.ca, ...tls })
      const error = await errorOf(client.request({ method: 'PUT', url, body: '{}' }))
      assert.equal(error.outcome, version === 'TLSv1.2' ? 'unavailable' : 'unknown', error.message)
    }
  }
  assert.equal(done, 0)
})

test('nothing is sent to a server with an untrusted certificate', async (t) => {
  let done = 0
  const url = await mtls(t, (_, response) => void response.end(++done))
  const distrusting = clientOf(t, { tls: pemClient.tls })
  assert.equal((await errorOf(distrusting.request({ method: 'PUT', url }))).outcome, 'unavailable')
  const elsewhere = await mtls(t, () => done++, { cert: pems.clientCert, key: pems.clientKey })
  const misnamed = clientOf(t, pemClient)
  assert.equal((await errorOf(misnamed.request({ method: 'PUT', url: elsewhere }))).outcome, 'unavailable')
  assert.equal(done, 0)
})

test('no server, an unknown name, no TLS and an unfinished handshake are unavailable', async (t) => {
  const client = clientOf(t, { connectMs: 300 })
  const server = createTcpServer()
  const port = await listen(t, server)
  const silent = await errorOf(client.request({ method: 'PUT', url: `https://127.0.0.1:${port}/` }))
  assert.deepEqual([silent.outcome, /TIMEOUT/.test(silent.message)], ['unavailable', true])
  server.close()
  const garbler = await listen(
    t,
    createTcpServer((socket) => void socket.on('error', () => {}).end('hello\r\n\r\n')),
  )
  const urls = [`http://127.0.0.1:${port}/`, 'http://psp.invalid/', `https://127.0.0.1:${garbler}/`]
  for (const url of urls) {
    const error = await errorOf(client.request({ method: 'PUT', url, body: 'secret' }))
    assert.equal(error.outcome, 'unavailable', `${url} ${error.message}`)
  }
})

test('silence after sending is unknown, and ends with the deadline', async (t) => {
  const url = await plain(t, () => {})
  const client = clientOf(t, { totalMs: 200 })
  const error = await errorOf(client.request({ method: 'PUT', url: `${url}/cob/x?key=ana`, body: '{}' }))
  assert.equal(error.outcome, 'unknown')
  assert.match(error.message, /^PUT 127\.0\.0\.1:\d+: no answer within 200 ms$/)
})

test('a connection cut after sending, or in the middle of the answer, is unknown', async (t) => {
  const cut = await plain(t, (request) => void request.on('data', () => request.socket.destroy()))
  const half = await plain(t, (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setTimeout(() => response.socket?.destroy(), 20)
  })
  for (const url of [cut, half]) {
    const error = await errorOf(clientOf(t).request({ method: 'PUT', url, body: '{}' }))
    assert.equal(error.outcome, 'unknown')
  }
})

test('an answer over one megabyte is abandoned', async (t) => {
  const url = await plain(t, (_, response) => void response.end(Buffer.alloc(1024 * 1024 + 1)))
  const error = await errorOf(clientOf(t).request({ method: 'GET', url }))
  assert.deepEqual([error.outcome, /over 1048576 bytes/.test(error.message)], ['unknown', true])
  const just = await plain(t, (_, response) => void response.end(Buffer.alloc(1024 * 1024)))
  assert.equal((await clientOf(t).request({ method: 'GET', url: just })).body.length, 1024 * 1024)
})

test('a redirect is an answer and is not followed', async (t) => {
  let gone = 0
  const url = await plain(t, ({ url: path }, response) => {
    if (path === '/there') gone++
    response.writeHead(302, { location: '/there', 'x-many': ['a', 'b'] }).end()
  })
  const { status, headers } = await clientOf(t).request({ method: 'GET', url })
  assert.deepEqual([status, headers['location'], headers['x-many'], gone], [302, '/there', 'a, b', 0])
})

test('a request that still waits for a free connection at its deadline is never sent', async (t) => {
  let arrived = 0
  const url = await plain(t, () => arrived++)
  const client = clientOf(t, { totalMs: 200, maxConnections: 1 })
  const errors = await Promise.all(
    [1, 2, 3].map(() => errorOf(client.request({ method: 'PUT', url, body: '{}' }))),
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  // When the first request ends, its connection becomes free. Another request may then be sent a moment before its own deadline:
  // its end is unknown too.
  const left = errors.filter(({ outcome }) => outcome === 'unknown')
  assert.equal(arrived, left.length)
  assert.equal(errors[0]?.outcome, 'unknown')
  assert.equal(
    errors.some(({ outcome }) => outcome === 'unavailable'),
    true,
  )
})

test('a canceled call reports whether the request had been sent', async (t) => {
  const url = await plain(t, () => {})
  const client = clientOf(t)
  const before = errorOf(client.request({ method: 'PUT', url, signal: AbortSignal.abort() }))
  const after = errorOf(client.request({ method: 'PUT', url, signal: AbortSignal.timeout(100) }))
  assert.deepEqual([(await before).outcome, (await after).outcome], ['unavailable', 'unknown'])
})

test('connections are used again, and closed with the client', async (t) => {
  const sockets = new Set<Socket>()
  const url = await mtls(t, (request, response) => {
    sockets.add(request.socket)
    response.end()
  })
  const client = createHttpClient({ ...limits, ...pemClient })
  for (let i = 0; i < 20; i++) await client.request({ method: 'GET', url })
  assert.ok(sockets.size <= 2)
  await client.close()
  for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close')
})

test('a call carries the trace of the work that makes it, and none without one', async (t) => {
  const traces: (string | undefined)[] = []
  const origin = await plain(t, ({ headers }, response) => {
    traces.push(headers['traceparent']?.toString())
    response.end()
  })
  const client = clientOf(t)
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await inTrace(trace, () => client.request({ method: 'GET', url: origin }))
  await client.request({ method: 'GET', url: origin })
  assert.deepEqual(traces, [trace, undefined])
})

test('each call that ended is observed, and is a fault when its status says nothing about the request', async (t) => {
  const origin = await plain(t, ({ url = '' }, response) => {
    response.writeHead(Number(url.slice(1))).end()
  })
  const ended: EndedCall[] = []
  const client = clientOf(t, { observe: (call) => void ended.push(call) })
  const said = [200, 302, 400, 402, 404, 409, 430, 499]
  const useless = [401, 403, 429, 500, 501, 503]
  for (const status of [...said, ...useless])
    await client.request({ method: 'GET', url: `${origin}/${status}` })
  assert.deepEqual(
    ended.map(({ fault }) => fault),
    [...said.map(() => undefined), ...useless.map((status) => `HTTP ${status}`)],
  )
  assert.ok(ended.every(({ ms }) => ms >= 0 && ms < limits.totalMs))
})

test('a call without an answer is observed as a fault, but not one that we broke off', async (t) => {
  const url = await plain(t, ({ socket }) => socket.destroy())
  const ended: EndedCall[] = []
  const client = clientOf(t, { observe: (call) => void ended.push(call) })
  const { message } = await errorOf(client.request({ method: 'GET', url }))
  assert.deepEqual(
    ended.map(({ fault }) => fault),
    [message],
  )
  await errorOf(client.request({ method: 'GET', url, signal: AbortSignal.abort() }))
  assert.equal(ended.length, 1)
})
