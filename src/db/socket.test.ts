import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { addressOf, createSockets } from './socket.ts'

test('a megabyte that the server does not read yet leaves room for more statements', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = createSockets()({ host: ['127.0.0.1'], port: [(server.address() as AddressInfo).port] })
  await once(socket, 'connect')
  // After `false` the driver sends nothing more until everything is answered.
  assert.equal(socket.write(Buffer.alloc(1_048_576)), true)
  assert.equal(socket.write(Buffer.alloc(1_048_576)), true)
  socket.on('error', () => {})
  socket.destroy()
  server.close()
})

test('a URL names a Unix socket by its folder as host, and its port', () => {
  assert.deepEqual(addressOf('postgres://app:s%40t@localhost/vintem?host=/var/run/postgresql'), {
    server: 'postgres://app:s%40t@localhost/vintem',
    path: '/var/run/postgresql/.s.PGSQL.5432',
  })
  assert.deepEqual(
    addressOf('postgres://app@127.0.0.1:6000/vintem?sslmode=disable&host=%2Fsockets%2Fa%20b'),
    {
      server: 'postgres://app@127.0.0.1:6000/vintem?sslmode=disable',
      path: '/sockets/a b/.s.PGSQL.6000',
    },
  )
  for (const url of [
    'postgres://app@db/vintem',
    'postgres://app@a:1,b:2/vintem',
    'postgres://app@db/v?host=x',
  ])
    assert.deepEqual(addressOf(url), { server: url })
})
