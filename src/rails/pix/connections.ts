// The clients of the connections in use: one for each, made when it is first needed and kept with its tokens and sockets.
import type { ConnectionBook, ProviderConnection } from '#/rails/words.ts'
import { invariant, must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { createPixClient, type PixClient, type PixClientOptions } from './client.ts'
import { checkPixSettings, type PixSettings } from './settings.ts'

export type OpenConnection = { readonly settings: PixSettings; readonly client: PixClient }

export type OpenConnections = {
  /** For taking money in. A connection that does not exist, or whose settings were never checked, is our own fault. */
  collecting(id: ConnectionId): OpenConnection
  /** For giving it back. Throws ProviderError `unavailable` when this process was not given the means. */
  refunding(id: ConnectionId): OpenConnection
  /** Lets what is under way end. */
  close(): Promise<void>
}

export type OpenConnectionsOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
}

/** One client for each connection, made when it is first needed. */
type Keeper<Opened> = {
  /** A connection that was changed gets another client; the old one ends when its calls have. */
  use(connection: ProviderConnection, secrets: Fields): Opened
  close(): Promise<void>
}

type Fields = ProviderConnection['secrets']

export function keepClients<Opened extends { readonly client: { close(): Promise<void> } }>(
  make: (settings: Fields, secrets: Fields, connection: ProviderConnection) => Opened,
): Keeper<Opened> {
  const kept = new Map<
    ConnectionId,
    { readonly opened: Opened; readonly made: string; readonly of: ProviderConnection }
  >()
  return {
    use(connection, secrets) {
      const known = kept.get(connection.id)
      if (known?.of === connection) return known.opened
      const settings = { profile: connection.provider, ...connection.settings }
      const made = canonicalJson([settings, secrets])
      if (known?.made === made) {
        kept.set(connection.id, { ...known, of: connection })
        return known.opened
      }
      const opened = make(settings, secrets, connection)
      kept.set(connection.id, { opened, made, of: connection })
      void known?.opened.client.close()
      return opened
    },
    async close() {
      await Promise.all([...kept.values()].map(({ opened }) => opened.client.close()))
    },
  }
}

/** What a client needs of settings that were checked. A connection that was never checked is our own fault. */
export function clientOptionsOf<
  Settings extends Pick<PixSettings, 'profile' | 'baseUrl' | 'tokenUrl' | 'ca'>,
>(
  checked:
    | { readonly ok: false }
    | {
        readonly ok: true
        readonly settings: Settings
        readonly credentials: PixClientOptions['credentials']
      },
  { id }: ProviderConnection,
): { readonly settings: Settings; readonly options: Omit<PixClientOptions, 'clock' | 'log'> } {
  invariant(checked.ok, `connection ${id} is not well set up`)
  const { settings, credentials } = checked
  const { profile, baseUrl, tokenUrl, ca } = settings
  return {
    settings,
    options: { profile, baseUrl, tokenUrl, credentials, ...(ca === undefined ? {} : { ca }) },
  }
}

export function openConnections({ connections, clock, log }: OpenConnectionsOptions): OpenConnections {
  const find = (id: ConnectionId) => must(connections.find(id), `no connection ${id}`)
  const keep = () =>
    keepClients<OpenConnection>((settings, secrets, connection) => {
      const opened = clientOptionsOf(checkPixSettings(settings, secrets), connection)
      return { settings: opened.settings, client: createPixClient({ ...opened.options, clock, log }) }
    })
  const [collecting, refunding] = [keep(), keep()]
  return {
    collecting(id) {
      const connection = find(id)
      return collecting.use(connection, connection.secrets)
    },
    refunding(id) {
      const connection = find(id)
      if (connection.refundSecrets === undefined) {
        throw new ProviderError('unavailable', `connection ${id} cannot give money back from here`)
      }
      return refunding.use(connection, connection.refundSecrets)
    },
    async close() {
      await Promise.all([collecting.close(), refunding.close()])
    },
  }
}
