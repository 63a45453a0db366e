import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createSockets } from './socket.ts'

test('a megabyte that the server does not read yet leaves room for more statements', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = await createSockets(() => Promise.resolve({ host: '127.0.0.1', port })).open()
  await once(socket, 'connect')
  // After `false` the driver sends nothing more until everything is answered.
  assert.equal(socket.write(Buffer.alloc(1_048_576)), true)
  assert.equal(socket.write(Buffer.alloc(1_048_576)), true)
  socket.on('error', () => {})
  socket.destroy()
  server.close()
})
