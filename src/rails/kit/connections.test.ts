// The clients of connections: one for each set of credentials, closed when they change and with the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { bookOf } from '../../../test/rails/rail.ts'
import { openConnections } from './connections.ts'

const id = 'a1-one' as ConnectionId
const connection: ProviderConnection = {
  id,
  mode: 'SANDBOX',
  method: 'PIX',
  provider: 'psp',
  settings: { url: 'one' },
  secrets: { key: 'a' },
  refundSecrets: { key: 'b' },
}

function opened(first: ProviderConnection) {
  const events: string[] = []
  const make = (use: string) => (_connection: ProviderConnection, secrets: ProviderConnection['secrets']) => {
    const name = `${use} ${String(secrets['key'])}`
    events.push(`open ${name}`)
    return { name, client: { close: async () => void events.push(`close ${name}`) } }
  }
  const connections = [first]
  const open = openConnections(bookOf(connections), {
    collecting: make('collect'),
    refunding: make('refund'),
  })
  return { events, open, change: (to: ProviderConnection) => void connections.splice(0, 1, to) }
}

test('a client is made at its first use, with the secrets for it, and kept while nothing changed', () => {
  const { events, open, change } = opened(connection)
  assert.deepEqual(events, [])
  assert.equal(open.collecting(id), open.collecting(id))
  assert.equal(open.refunding(id).name, 'refund b')
  // The same connection, read again, and then read once more.
  const again = { ...connection }
  change(again)
  assert.equal(open.collecting(id), open.of(again))
  assert.deepEqual(events, ['open collect a', 'open refund b'])
})

test('a connection that was changed gets a new client, and the old one is closed', () => {
  const { events, open, change } = opened(connection)
  open.collecting(id)
  const changed = { ...connection, secrets: { key: 'c' } }
  change(changed)
  assert.equal(open.collecting(id).name, 'collect c')
  assert.equal(open.collecting(id), open.of(changed))
  assert.deepEqual(events, ['open collect a', 'open collect c', 'close collect a'])
})

test('all clients close together', async () => {
  const { events, open } = opened(connection)
  open.collecting(id)
  open.refunding(id)
  await open.close()
  assert.deepEqual(events.slice(2).toSorted(), ['close collect a', 'close refund b'])
})

test('a process without the secrets for refunds gives no money back', () => {
  const { refundSecrets: _, ...without } = connection
  const { open } = opened(without)
  assert.equal(open.canRefund(id), false)
  assert.throws(
    () => open.refunding(id),
    (error) => error instanceof ProviderError && error.outcome === 'unavailable',
  )
  assert.equal(opened(connection).open.canRefund(id), true)
})
