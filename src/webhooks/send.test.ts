import assert from 'node:assert/strict'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { startReceiver } from '../../test/receiver.ts'
import type { GuardPolicy } from './guard.ts'
import { createSender, type SenderOptions } from './send.ts'

const loopback: GuardPolicy = { allowHttp: true, allowLoopback: true }
const headers = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }

/** Sends once, with a new sender. */
async function send(url: string, options: Partial<SenderOptions> = {}, body = Buffer.from('{}')) {
  const sender = createSender({ policy: loopback, ...options })
  try {
    return await sender.send({ url, headers, body })
  } finally {
    sender.close()
  }
}

/** A plain TCP server. `onSocket` decides what happens to each connection. */
async function startTcp(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the body arrives to the byte, with its length, type and the signature', async () => {
  await using receiver = await startReceiver(() => ({ status: 201, body: 'thanks' }))
  const body = Buffer.from('{"customerName":"Conceição 日本 👍"}')
  const answer = await send(`${receiver.origin}/hook/a%20b?x=1&y=%C3%A7`, {}, body)
  assert.partialDeepStrictEqual(answer, { responseStatus: 201, responseBody: 'thanks' })
  const [call] = receiver.calls
  assert.ok(call)
  assert.ok(call.body.equals(body))
  assert.equal(call.path, '/hook/a%20b?x=1&y=%C3%A7')
  assert.partialDeepStrictEqual(call.headers, {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(body.length),
  })
})

test('a redirect is an answer, never a second call', async () => {
  await using other = await startReceiver()
  await using receiver = await startReceiver(() => ({ status: 307, headers: { location: other.origin } }))
  assert.partialDeepStrictEqual(await send(receiver.origin), { responseStatus: 307 })
  assert.equal(other.calls.length, 0)
})

test('4 KiB of an answer are kept, and an endless answer ends the connection', async () => {
  await using endless = await startTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const chunk = `400\r\n${'y'.repeat(1_024)}\r\n`
    const more = setInterval(() => socket.write(chunk.repeat(16)), 1)
    socket.on('close', () => clearInterval(more))
  })
  assert.partialDeepStrictEqual(await send(endless.origin), {
    responseStatus: 200,
    responseBody: 'y'.repeat(4_096),
  })
})

test('an answer of any bytes becomes text that can be stored', async () => {
  const bytes = Buffer.concat([
    Buffer.from('a\0b'),
    Buffer.of(0xff, 0xfe, 0xc3),
    Buffer.from('é'.repeat(3_000)),
  ])
  await using receiver = await startReceiver(() => ({ status: 500, body: bytes }))
  const answer = await send(receiver.origin)
  assert.ok('responseBody' in answer)
  assert.match(answer.responseBody, /^a\ufffdb\ufffd+é+$/)
  assert.ok(answer.responseBody.isWellFormed() && !answer.responseBody.includes('\0'))
})

test('Retry-After comes back as it was sent', async () => {
  await using receiver = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '17' } }))
  assert.partialDeepStrictEqual(await send(receiver.origin), { responseStatus: 429, retryAfter: '17' })
})

test('a 2xx counts although its body never ends', async () => {
  await using receiver = await startTcp((socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'))
  })
  assert.partialDeepStrictEqual(await send(receiver.origin, { totalMs: 200 }), {
    responseStatus: 200,
    responseBody: 'part',
  })
})

test('each cause of failure has its own name', async () => {
  await using hanging = await startReceiver(() => undefined)
  assert.partialDeepStrictEqual(await send(hanging.origin, { totalMs: 100 }), { error: 'timeout' })

  await using noise = await startTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
  assert.partialDeepStrictEqual(await send(noise.origin), { error: 'invalid_response' })
  assert.partialDeepStrictEqual(await send(noise.origin.replace('http', 'https')), { error: 'tls_failed' })

  await using rude = await startTcp((socket) => socket.on('data', () => socket.resetAndDestroy()))
  assert.partialDeepStrictEqual(await send(rude.origin), { error: 'connection_failed' })
  await using silent = await startTcp((socket) => socket.on('data', () => socket.end()))
  assert.partialDeepStrictEqual(await send(silent.origin), { error: 'connection_failed' })
  await using upgrading = await startTcp((socket) => {
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    )
  })
  assert.partialDeepStrictEqual(await send(upgrading.origin, { totalMs: 500 }), {
    error: 'connection_failed',
  })

  const gone = await startTcp(() => {})
  await gone[Symbol.asyncDispose]()
  assert.partialDeepStrictEqual(await send(gone.origin), { error: 'connection_refused' })

  const unknown = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  assert.partialDeepStrictEqual(await send('http://hook.example/', { resolve: unknown }), {
    error: 'name_not_found',
  })
  assert.partialDeepStrictEqual(await send('ftp://hook.example/'), { error: 'url_not_allowed' })
  assert.partialDeepStrictEqual(await send('https://10.0.0.1/'), { error: 'address_not_allowed' })
})

test('a name server that never answers costs no more than the time for connecting', async () => {
  const never = () => new Promise<readonly string[]>(() => {})
  const answer = await send('http://hook.example/', { resolve: never, connectMs: 50, totalMs: 60_000 })
  assert.partialDeepStrictEqual(answer, { error: 'timeout' })
})

test('a name that resolves to an internal address is refused, also when it did not at first', async () => {
  await using inside = await startReceiver()
  const { port } = new URL(inside.origin)
  const policy: GuardPolicy = { allowHttp: true, allowLoopback: false }
  const pointsInside = await send(`http://hook.example:${port}/`, {
    policy,
    resolve: async () => ['127.0.0.1'],
  })
  assert.partialDeepStrictEqual(pointsInside, { error: 'address_not_allowed' })

  // Public at the first look-up, internal at every later one: what counts is the answer that is connected to.
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const rebinding = async () => answers.shift() ?? ['127.0.0.2']
  const onlyFirst: GuardPolicy = { ...policy, allowCidrs: ['127.0.0.1/32'] }
  const first = await send(`http://hook.example:${port}/`, { policy: onlyFirst, resolve: rebinding })
  const second = await send(`http://hook.example:${port}/`, { policy: onlyFirst, resolve: rebinding })
  assert.partialDeepStrictEqual(first, { responseStatus: 200 })
  assert.partialDeepStrictEqual(second, { error: 'address_not_allowed' })
  assert.equal(inside.calls.length, 1)
})

test('a connection is kept, and when the receiver closed it meanwhile no attempt is lost', async () => {
  let connections = 0
  await using receiver = await startTcp((socket) => {
    connections += 1
    let calls = 0
    // The second call on a connection finds it closed.
    socket.on('data', () => {
      calls += 1
      if (calls === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      else socket.resetAndDestroy()
    })
  })
  const sender = createSender({ policy: loopback })
  const message = { url: receiver.origin, headers, body: Buffer.from('{}') }
  for (let i = 0; i < 3; i += 1) {
    assert.partialDeepStrictEqual(await sender.send(message), { responseStatus: 200, responseBody: 'ok' })
  }
  assert.equal(connections, 3)
  sender.close()

  await using patient = await startReceiver()
  const keeping = createSender({ policy: loopback })
  for (let i = 0; i < 5; i += 1) await keeping.send({ ...message, url: patient.origin })
  keeping.close()
  assert.equal(patient.connections, 1)
})
