import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import { richAccount, startAnvil } from '../../test/anvil.ts'
import { createRpc, RpcError } from './client.ts'

type Call = { readonly id: number; readonly method: string; readonly params: unknown }
type Reply = (call: Call, response: ServerResponse, request: IncomingMessage) => void

/** A node that answers with `reply`, and a client for it. */
async function fakeNode(
  t: TestContext,
  reply: Reply,
  options: { credentials?: string; path?: string; timeoutMs?: number } = {},
) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => reply(JSON.parse(body) as Call, response, request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://${options.credentials ?? ''}127.0.0.1:${port}${options.path ?? '/'}`
  const rpc = createRpc(url, { timeoutMs: options.timeoutMs ?? 2_000 })
  t.after(() => {
    rpc.close()
    server.closeAllConnections()
    server.close()
  })
  return { rpc, port, server }
}

/**
 * A node that accepts calls and answers only `begin`. The test decides when the client times out, so on any machine a call has
 * arrived by then.
 */
async function silentNode(t: TestContext, begin?: string) {
  const ids: number[] = []
  let arrived = () => {}
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const timeoutMs = 60
  const { rpc } = await fakeNode(
    t,
    ({ id }, response) => {
      ids.push(id)
      if (begin !== undefined) response.writeHead(200).write(begin)
      arrived()
    },
    { timeoutMs },
  )
  return {
    rpc,
    /** The ids of the calls that arrived, as soon as there are `count`. */
    async calls(count: number): Promise<readonly number[]> {
      while (ids.length < count) await new Promise<void>((resolve) => (arrived = resolve))
      return ids
    },
    letTimePass: () => t.mock.timers.tick(timeoutMs),
  }
}

const answer = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** The error with which a promise rejects. */
async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ProviderError, String(error))
  return error
}

test('a call is one request with its method and params, and gives the result', async (t) => {
  const { rpc } = await fakeNode(t, ({ id, method, params }, response) =>
    answer(response, { jsonrpc: '2.0', id, result: { method, params } }),
  )
  assert.deepEqual(await rpc.call('eth_any', ['0x1', false]), { method: 'eth_any', params: ['0x1', false] })
})

test('many calls at once each get their own answer over few connections', async (t) => {
  const sockets = new Set<Socket>()
  const { rpc } = await fakeNode(t, ({ id, params }, response, request) => {
    sockets.add(request.socket)
    setTimeout(() => answer(response, { id, result: params }), id % 3)
  })
  const params = Array.from({ length: 60 }, (_, i) => [i])
  assert.deepEqual(await Promise.all(params.map((each) => rpc.call('eth_any', each))), params)
  assert.ok(sockets.size <= 16)
  const before = sockets.size
  for (let i = 0; i < 5; i++) await rpc.call('eth_any', [i])
  assert.equal(sockets.size, before)
})

test('a port without a server is unavailable: nothing was sent', async (t) => {
  const { rpc, server } = await fakeNode(t, () => {})
  server.close()
  await once(server, 'close')
  const error = await errorOf(rpc.sendRawTransaction('0x02f8'))
  assert.equal(error.outcome, 'unavailable')
  assert.match(error.message, /eth_sendRawTransaction: ECONNREFUSED/)
})

test('silence after the call was sent is unknown', async (t) => {
  const { rpc, calls, letTimePass } = await silentNode(t)
  const failure = errorOf(rpc.sendRawTransaction('0x02f8'))
  await calls(1)
  letTimePass()
  const error = await failure
  assert.equal(error.outcome, 'unknown')
  assert.match(error.message, /no answer within 60 ms/)
  assert.deepEqual(await calls(1), [1])
})

test('an answer that never ends is unknown too', async (t) => {
  const { rpc, calls, letTimePass } = await silentNode(t, '{"jsonrpc":')
  const failure = errorOf(rpc.blockNumber())
  await calls(1)
  letTimePass()
  assert.equal((await failure).outcome, 'unknown')
})

test('a call without a connection in time is unavailable: it was never sent', async (t) => {
  const { rpc, calls, letTimePass } = await silentNode(t)
  const failures = Array.from({ length: 40 }, () => errorOf(rpc.blockNumber()))
  // The others wait for one of the client's sixteen connections.
  const sent = await calls(16)
  letTimePass()
  const errors = await Promise.all(failures)
  const unsent = errors.flatMap(({ outcome }, i) => (outcome === 'unavailable' ? [i + 1] : []))
  assert.equal(unsent.length, 24)
  assert.ok(errors.every(({ outcome }) => outcome === 'unavailable' || outcome === 'unknown'))
  assert.deepEqual(
    unsent.filter((id) => sent.includes(id)),
    [],
  )
})

test('a connection that is cut before or during the answer is unknown, and is not tried again', async (t) => {
  let calls = 0
  const { rpc } = await fakeNode(t, (_, response, request) => {
    calls++
    if (calls === 2) response.writeHead(200, { 'content-length': '1000' }).write('{"id":')
    request.socket.end()
    setImmediate(() => request.socket.destroy())
  })
  for (const _ of [1, 2]) assert.equal((await errorOf(rpc.blockNumber())).outcome, 'unknown')
  assert.equal(calls, 2)
})

test('a server without HTTP is unknown', async (t) => {
  const server = createTcpServer((socket) => socket.end('hello\r\n\r\n')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const rpc = createRpc(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeoutMs: 1_000 })
  assert.equal((await errorOf(rpc.blockNumber())).outcome, 'unknown')
})

test('an error of the node is refused and carries its code', async (t) => {
  const { rpc } = await fakeNode(t, ({ id }, response) =>
    answer(response, { id, error: { code: -32000, message: 'unknown block' } }),
  )
  const error = await errorOf(rpc.getLogs({ blockHash: `0x${'11'.repeat(32)}` }))
  assert.ok(error instanceof RpcError)
  assert.deepEqual([error.outcome, error.code], ['refused', -32000])
  assert.match(error.message, /eth_getLogs: -32000 unknown block/)
})

test('an internal error of the node, or any error of a failing gateway, is unknown', async (t) => {
  const errors = [
    { status: 200, code: -32603 },
    { status: 502, code: -32000 },
  ]
  const { rpc } = await fakeNode(t, ({ id }, response) => {
    const { status, code } = errors[id - 1] ?? { status: 500, code: 0 }
    answer(response, { id, error: { code, message: 'oops' } }, status)
  })
  for (const _ of errors) assert.equal((await errorOf(rpc.sendRawTransaction('0x02f8'))).outcome, 'unknown')
})

test('a status without a JSON-RPC answer has the meaning that gateways give it', async (t) => {
  const expected = {
    401: 'refused',
    404: 'refused',
    429: 'unavailable',
    500: 'unknown',
    503: 'unknown',
    302: 'unknown',
  } as const
  const statuses = Object.entries(expected)
  const { rpc } = await fakeNode(t, ({ id }, response) =>
    response.writeHead(Number(statuses[id - 1]?.[0])).end('no'),
  )
  for (const [status, outcome] of statuses) {
    const error = await errorOf(rpc.blockNumber())
    assert.deepEqual([error.outcome, error.message.endsWith(`HTTP ${status}`)], [outcome, true])
  }
})

test('an answer that does not belong to this call is unknown', async (t) => {
  const bodies = ['', 'null', '[]', '{', '{"id":1}', '{"id":99,"result":"0x1"}', '"0x1"']
  const { rpc } = await fakeNode(t, ({ id }, response) => response.end(bodies[id - 1]))
  for (const body of bodies) assert.equal((await errorOf(rpc.blockNumber())).outcome, 'unknown', body)
})

test('a result of the wrong form is unknown and names the method or field', async (t) => {
  const { rpc } = await fakeNode(t, ({ id }, response) => answer(response, { id, result: 'latest' }))
  assert.match((await errorOf(rpc.blockNumber())).message, /eth_blockNumber is not a quantity/)
  assert.match((await errorOf(rpc.getBlockByNumber('latest'))).message, /block is not an object/)
  assert.match(
    (await errorOf(rpc.sendRawTransaction('0x'))).message,
    /eth_sendRawTransaction is not hex data/,
  )
})

test('an answer over 64 MiB is cut off', async (t) => {
  let sent = 0
  const part = Buffer.alloc(4 * 1024 * 1024, 0x20)
  const { rpc } = await fakeNode(
    t,
    (_, response) => {
      const more = () => {
        if (response.destroyed || sent > 100 * 1024 * 1024) return
        sent += part.length
        response.write(part, more)
      }
      more()
    },
    { timeoutMs: 20_000 },
  )
  const error = await errorOf(rpc.blockNumber())
  assert.deepEqual([error.outcome, /over 67108864 bytes/.test(error.message)], ['unknown', true])
  assert.ok(sent < 100 * 1024 * 1024)
})

test('no error contains the credentials, the path, the query, a URL or a raw transaction', async (t) => {
  const raw = `0x02f8${'ab'.repeat(120)}` as const
  const leak = `cannot decode ${raw} for https://user:hunter2@rpc.example/v3/apikey123 and ${raw.slice(2)}`
  const options = { credentials: 'user:hunter2@', path: '/v3/apikey123?token=apikey123', timeoutMs: 100 }
  const received: (string | undefined)[] = []
  // The last call gets no answer: it times out as soon as it has arrived.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { rpc, port } = await fakeNode(
    t,
    ({ id }, response, request) => {
      received.push(request.headers.authorization, request.url)
      if (id === 1) answer(response, { id, error: { code: -32000, message: leak } })
      if (id === 2) response.writeHead(401).end(leak)
      if (id === 3) response.end(leak)
      if (id === 4) request.socket.destroy()
      if (id === 5) t.mock.timers.tick(100)
    },
    options,
  )
  for (let i = 1; i <= 5; i++) {
    const error = await errorOf(rpc.sendRawTransaction(raw))
    const text = `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`
    assert.doesNotMatch(text, /hunter2|apikey123|abababab|rpc\.example/)
    assert.ok(text.includes(`127.0.0.1:${port}`))
  }
  assert.deepEqual(received.slice(0, 2), [
    `Basic ${Buffer.from('user:hunter2').toString('base64')}`,
    '/v3/apikey123?token=apikey123',
  ])
  assert.throws(
    () => createRpc('ws://user:hunter2@127.0.0.1', { timeoutMs: 1 }),
    /^InvariantError: (?!.*hunter2)/,
  )
  assert.throws(() => createRpc('hunter2', { timeoutMs: 1 }), /^InvariantError: (?!.*hunter2)/)
})

test('a closed client cuts off running calls', async (t) => {
  const { rpc } = await fakeNode(t, () => rpc.close())
  assert.equal((await errorOf(rpc.blockNumber())).outcome, 'unknown')
})

test('a real node is read: chain, blocks, receipts and logs; missing ones are undefined', async () => {
  await using node = await startAnvil()
  const rpc = createRpc(node.url, { timeoutMs: 60_000 })
  const hash = await rpc.sendTransaction({ from: richAccount, to: richAccount, value: 1n })
  const unknown = `0x${'ee'.repeat(32)}` as const

  assert.equal(await rpc.chainId(), 31337n)
  while ((await rpc.blockNumber()) < 1n);
  const block = await rpc.getBlockByNumber('latest')
  assert.ok(block)
  assert.deepEqual(await rpc.getBlockByHash(block.hash), block)
  assert.deepEqual(await rpc.getBlockByNumber(1n), block)
  assert.deepEqual(block.txHashes, [hash])
  const receipt = await rpc.getTransactionReceipt(hash)
  assert.deepEqual(await rpc.getBlockReceipts(block.hash), [receipt])
  assert.deepEqual(await rpc.getLogs({ blockHash: block.hash }), [])
  assert.equal((await rpc.getBlockByNumber('finalized'))?.number, 0n)
  assert.equal(await rpc.getCode(richAccount), '0x')

  assert.equal(await rpc.getBlockByNumber(10n), undefined)
  assert.equal(await rpc.getBlockByHash(unknown), undefined)
  assert.equal(await rpc.getBlockReceipts(unknown), undefined)
  assert.equal(await rpc.getTransactionReceipt(unknown), undefined)
  assert.equal((await errorOf(rpc.getLogs({ blockHash: unknown }))).outcome, 'refused')
  assert.equal((await errorOf(rpc.sendRawTransaction('0x02c0'))).outcome, 'refused')
  rpc.close()
})
