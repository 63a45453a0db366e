// The connections in use: their settings, read once, and one client for each key, made when it is first needed and kept
// with its sockets.
import type { ConnectionBook, ProviderConnection } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import { invariant, must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { createCardClient, type CardClient, type Timeouts } from './client.ts'
import { checkCardRefundSecrets, checkCardSettings, type CardSettings } from './settings.ts'

export type OpenConnection = {
  readonly id: ConnectionId
  readonly mode: Mode
  readonly settings: CardSettings
  readonly webhookSecrets: readonly string[]
  readonly client: CardClient
}

export type OpenConnections = {
  /** For taking money in. A connection that does not exist, or whose settings were never checked, is our own fault. */
  collecting(id: ConnectionId): OpenConnection
  /** For giving it back. Throws ProviderError `unavailable` when this process was not given the means. */
  refunding(id: ConnectionId): CardClient
  /** Of a connection that may take a payment; asks nobody. */
  settingsOf(connection: ProviderConnection): CardSettings
  /** Lets what is under way end. */
  close(): Promise<void>
}

export function openConnections(options: {
  readonly connections: ConnectionBook
  readonly timeouts?: Timeouts
}): OpenConnections {
  const { connections, timeouts } = options
  const find = (id: ConnectionId) => must(connections.find(id), `no connection ${id}`)
  const read = keep((connection) => checkedOf(connection))
  const clientOf = (apiUrl: string, secretKey: string) =>
    createCardClient({ apiUrl, secretKey, ...(timeouts === undefined ? {} : { timeouts }) })
  const collecting = keep(
    (connection) => {
      const { settings, secrets } = read.use(connection)
      return clientOf(settings.apiUrl, secrets.secretKey)
    },
    (client) => void client.close(),
  )
  const refunding = keep(
    (connection) => {
      const checked = checkCardRefundSecrets(connection.refundSecrets ?? {})
      invariant(checked.ok, `connection ${connection.id} is not well set up for refunds`)
      return clientOf(read.use(connection).settings.apiUrl, checked.secretKey)
    },
    (client) => void client.close(),
  )
  return {
    collecting(id) {
      const connection = find(id)
      const { settings, secrets } = read.use(connection)
      const { webhookSecrets } = secrets
      return { id, mode: connection.mode, settings, webhookSecrets, client: collecting.use(connection) }
    },
    refunding(id) {
      const connection = find(id)
      if (connection.refundSecrets === undefined)
        throw new ProviderError('unavailable', `connection ${id} cannot give money back from here`)
      return refunding.use(connection)
    },
    settingsOf: (connection) => read.use(connection).settings,
    async close() {
      await Promise.all([...collecting.all(), ...refunding.all()].map((client) => client.close()))
    },
  }
}

function checkedOf({ id, settings, secrets }: ProviderConnection) {
  const checked = checkCardSettings(settings, secrets)
  invariant(checked.ok, `connection ${id} is not well set up`)
  return checked
}

/** What is made of a connection, made anew when the connection was changed. */
function keep<T>(make: (connection: ProviderConnection) => T, drop: (made: T) => void = () => {}) {
  const kept = new Map<
    ConnectionId,
    { readonly made: T; readonly of: ProviderConnection; readonly text: string }
  >()
  return {
    use(connection: ProviderConnection): T {
      const known = kept.get(connection.id)
      if (known?.of === connection) return known.made
      const { settings, secrets, refundSecrets } = connection
      const text = canonicalJson([settings, secrets, refundSecrets ?? {}])
      const made = known?.text === text ? known.made : make(connection)
      kept.set(connection.id, { made, of: connection, text })
      if (known !== undefined && known.made !== made) drop(known.made)
      return made
    },
    all: (): readonly T[] => [...kept.values()].map(({ made }) => made),
  }
}
