import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startEventStream, type EventStream } from './event-stream.ts'

/** One stream of a real server, and the response that its reader gets. */
async function startStream() {
  const started = Promise.withResolvers<EventStream>()
  const server = createServer((_request, response) =>
    started.resolve(startEventStream(response, { 'x-own': 'kept', absent: undefined })),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const request = get({ port, host: '127.0.0.1' })
  const answering = once(request, 'response') as Promise<[IncomingMessage]>
  const [[answer], stream] = await Promise.all([answering, started.promise])
  return {
    stream,
    answer,
    request,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('events, comments and headers have the format of the standard', async () => {
  await using connection = await startStream()
  connection.stream.send('{"a":1}', '7')
  connection.stream.ping()
  connection.stream.send('b')
  connection.stream.end()
  const text = (await connection.answer.setEncoding('utf8').toArray()).join('')
  assert.equal(text, 'retry: 2000\n\nid: 7\ndata: {"a":1}\n\n: here\n\ndata: b\n\n')
  assert.equal(connection.answer.headers['content-type'], 'text/event-stream')
  assert.equal(connection.answer.headers['cache-control'], 'no-store, no-transform')
  assert.equal(connection.answer.headers['x-own'], 'kept')
  // Else its connection, idle from then on, would hold up the end of the server.
  assert.equal(connection.answer.headers['connection'], 'close')
})

test('events after the end are dropped, even while the reader still holds the connection', async () => {
  await using connection = await startStream()
  let ends = 0
  connection.stream.onEnd(() => (ends += 1))
  connection.stream.end()
  // The response is not read, so the connection stays open, but the stream has ended.
  connection.stream.send('late')
  connection.stream.ping()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(ends, 1)
  assert.equal((await connection.answer.setEncoding('utf8').toArray()).join(''), 'retry: 2000\n\n')
})

test('a reader that disconnects ends the stream, and later writes are ignored', async () => {
  await using connection = await startStream()
  const ended = new Promise<void>((resolve) => connection.stream.onEnd(resolve))
  connection.request.destroy()
  connection.stream.send('x'.repeat(100_000))
  await ended
  connection.stream.send('x')
  connection.stream.ping()
})
