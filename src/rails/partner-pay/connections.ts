// The open form of a connection to a wallet provider: its settings, and a client with its key.
import { invariant } from '#/kernel/check.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook, ProviderConnection, WatchCalls } from '#/rails/connection.ts'
import * as kit from '#/rails/kit/connections.ts'
import { createPartnerClient, type PartnerClient, type Timeouts } from './client.ts'
import { checkPartnerPaySettings, type PartnerPaySettings } from './settings.ts'

export type OpenConnection = { readonly settings: PartnerPaySettings; readonly client: PartnerClient }

export type OpenConnections = kit.OpenConnections<OpenConnection>

export function openConnections(options: {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly timeouts?: Timeouts
  readonly watchCalls?: WatchCalls | undefined
}): OpenConnections {
  const { connections, watchCalls, ...how } = options
  const open = (
    { id, settings }: ProviderConnection,
    secrets: ProviderConnection['secrets'],
  ): OpenConnection => {
    const checked = checkPartnerPaySettings(settings, secrets)
    invariant(checked.ok, `connection ${id} is not well set up`)
    const { apiUrl } = checked.settings
    const client = createPartnerClient({
      apiUrl,
      credentials: checked.credentials,
      observe: watchCalls?.(id),
      ...how,
    })
    return { settings: checked.settings, client }
  }
  return kit.openConnections(connections, { collecting: open, refunding: open })
}
