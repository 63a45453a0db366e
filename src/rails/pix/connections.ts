// The clients of the connections in use: one for each, made when it is first needed and kept with its tokens and sockets.
import { invariant, must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/rail.ts'
import { createPixClient, type PixClient } from './client.ts'
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

type Kept = OpenConnection & { readonly made: string; readonly of: ProviderConnection }

export function openConnections({ connections, clock, log }: OpenConnectionsOptions): OpenConnections {
  const kept = { collecting: new Map<ConnectionId, Kept>(), refunding: new Map<ConnectionId, Kept>() }
  const find = (id: ConnectionId) => must(connections.find(id), `no connection ${id}`)

  /** A connection that was changed gets another client; the old one ends when its calls have. */
  const use = (
    use: keyof typeof kept,
    connection: ProviderConnection,
    secrets: ProviderConnection['secrets'],
  ): OpenConnection => {
    const known = kept[use].get(connection.id)
    if (known?.of === connection) return known
    const settings = { profile: connection.provider, ...connection.settings }
    const made = canonicalJson([settings, secrets])
    if (known?.made === made) {
      kept[use].set(connection.id, { ...known, of: connection })
      return known
    }
    const checked = checkPixSettings(settings, secrets)
    invariant(checked.ok, `connection ${connection.id} is not well set up`)
    const { profile, baseUrl, tokenUrl, ca } = checked.settings
    const client = createPixClient({
      profile,
      baseUrl,
      tokenUrl,
      credentials: checked.credentials,
      ...(ca === undefined ? {} : { ca }),
      clock,
      log,
    })
    kept[use].set(connection.id, { settings: checked.settings, client, made, of: connection })
    void known?.client.close()
    return { settings: checked.settings, client }
  }

  return {
    collecting(id) {
      const connection = find(id)
      return use('collecting', connection, connection.secrets)
    },
    refunding(id) {
      const connection = find(id)
      if (connection.refundSecrets === undefined) {
        throw new ProviderError('unavailable', `connection ${id} cannot give money back from here`)
      }
      return use('refunding', connection, connection.refundSecrets)
    },
    async close() {
      const all = [...kept.collecting.values(), ...kept.refunding.values()]
      await Promise.all(all.map(({ client }) => client.close()))
    },
  }
}
