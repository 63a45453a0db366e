// The clients of the connections in use: one for each, made when it is first needed and kept with its sockets.
import type { ConnectionBook, ProviderConnection } from '#/rails/words.ts'
import { invariant, must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Clock } from '#/kernel/time.ts'
import { createPartnerClient, type PartnerClient, type Timeouts } from './client.ts'
import { checkPartnerPaySettings, type PartnerPaySettings } from './settings.ts'

export type OpenConnection = { readonly settings: PartnerPaySettings; readonly client: PartnerClient }

export type OpenConnections = {
  /** For taking money in. A connection that does not exist, or whose settings were never checked, is our own fault. */
  collecting(id: ConnectionId): OpenConnection
  canRefund(id: ConnectionId): boolean
  /** For giving it back. Throws ProviderError `unavailable` when this process was not given the means. */
  refunding(id: ConnectionId): OpenConnection
  /** Lets what is under way end. */
  close(): Promise<void>
}

type Kept = OpenConnection & { readonly made: string }

export function openConnections(options: {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly timeouts: Timeouts
}): OpenConnections {
  const { connections, ...how } = options
  const find = (id: ConnectionId) => must(connections.find(id), `no connection ${id}`)
  const [collecting, refunding] = [new Map<ConnectionId, Kept>(), new Map<ConnectionId, Kept>()]
  return {
    collecting(id) {
      const connection = find(id)
      return use(collecting, connection, connection.secrets, how)
    },
    canRefund: (id) => find(id).refundSecrets !== undefined,
    refunding(id) {
      const connection = find(id)
      if (connection.refundSecrets === undefined)
        throw new ProviderError('unavailable', `connection ${id} cannot give money back from here`)
      return use(refunding, connection, connection.refundSecrets, how)
    },
    async close() {
      await Promise.all([...collecting.values(), ...refunding.values()].map(({ client }) => client.close()))
    },
  }
}

/** A connection that was changed gets another client; the old one ends when its calls have. */
function use(
  kept: Map<ConnectionId, Kept>,
  { id, settings }: ProviderConnection,
  secrets: ProviderConnection['secrets'],
  how: { readonly clock: Clock; readonly timeouts: Timeouts },
): OpenConnection {
  const made = canonicalJson([settings, secrets])
  const known = kept.get(id)
  if (known?.made === made) return known
  const checked = checkPartnerPaySettings(settings, secrets)
  invariant(checked.ok, `connection ${id} is not well set up`)
  const { apiUrl } = checked.settings
  const client = createPartnerClient({ apiUrl, credentials: checked.credentials, ...how })
  const opened = { settings: checked.settings, client, made }
  kept.set(id, opened)
  void known?.client.close()
  return opened
}
