// The clients of the connections in use: one for each connection and set of credentials. A client is created when it is first
// needed and kept with its tokens and sockets.
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'

type Secrets = ProviderConnection['secrets']

/** What a rail makes of a connection: at least a client, which has to be closed. */
type Opened = { readonly client: { close(): Promise<void> } }

export type OpenConnections<Collecting extends Opened, Refunding extends Opened = Collecting> = {
  /** For receiving money. A connection that does not exist, or whose settings were never checked, is a bug of ours. */
  collecting(id: ConnectionId): Collecting
  /** The same for a connection of the book; calls no provider. */
  of(connection: ProviderConnection): Collecting
  canRefund(id: ConnectionId): boolean
  /** For giving money back. Throws ProviderError `unavailable` when this process has no refund secrets. */
  refunding(id: ConnectionId): Refunding
  /** Waits for calls under way. */
  close(): Promise<void>
}

/** Opens the connections of the book as they are needed, each with the secrets for its use. */
export function openConnections<Collecting extends Opened, Refunding extends Opened = Collecting>(
  connections: ConnectionBook,
  make: {
    collecting(connection: ProviderConnection, secrets: Secrets): Collecting
    refunding(connection: ProviderConnection, secrets: Secrets): Refunding
  },
): OpenConnections<Collecting, Refunding> {
  const collecting = keepClients(make.collecting)
  const refunding = sendingClients(connections, make.refunding, 'has no refund secrets in this process')
  const find = (id: ConnectionId) => must(connections.find(id), `no connection ${id}`)
  const of = (connection: ProviderConnection) => collecting.use(connection, connection.secrets)
  return {
    collecting: (id) => of(find(id)),
    of,
    canRefund: (id) => find(id).refundSecrets !== undefined,
    refunding: refunding.sending,
    async close() {
      await Promise.all([collecting.close(), refunding.close()])
    },
  }
}

export type SendingClients<Sending extends Opened> = {
  /** Throws ProviderError `unavailable` when this process has no refund secrets. */
  sending(id: ConnectionId): Sending
  close(): Promise<void>
}

/** The clients that send money out, with secrets that only a worker can decrypt. `cannot`: the error text in another process. */
export function sendingClients<Sending extends Opened>(
  connections: ConnectionBook,
  make: (connection: ProviderConnection, secrets: Secrets) => Sending,
  cannot: string,
): SendingClients<Sending> {
  const clients = keepClients(make)
  return {
    sending(id) {
      const connection = must(connections.find(id), `no connection ${id}`)
      if (connection.refundSecrets === undefined)
        throw new ProviderError('unavailable', `connection ${id} ${cannot}`)
      return clients.use(connection, connection.refundSecrets)
    },
    close: clients.close,
  }
}

type Kept<Made> = { readonly made: Made; readonly of: ProviderConnection; readonly text: string }

/** A connection that was changed gets a new client; the old one closes when its calls have ended. */
function keepClients<Made extends Opened>(make: (connection: ProviderConnection, secrets: Secrets) => Made) {
  const kept = new Map<ConnectionId, Kept<Made>>()
  return {
    use(connection: ProviderConnection, secrets: Secrets): Made {
      const before = kept.get(connection.id)
      // The book returns the same object until the connection is changed: then there is nothing to compare.
      if (before?.of === connection) return before.made
      const text = canonicalJson([connection.provider, connection.settings, secrets])
      const made = before?.text === text ? before.made : make(connection, secrets)
      kept.set(connection.id, { made, of: connection, text })
      if (before !== undefined && before.made !== made) void before.made.client.close()
      return made
    },
    async close(): Promise<void> {
      await Promise.all([...kept.values()].map(({ made }) => made.client.close()))
    },
  }
}

/** Returns a book that holds this connection alone, for testing it. */
export function bookOf(connection: ProviderConnection): ConnectionBook {
  return { of: () => [connection], find: () => connection, all: () => [connection] }
}
