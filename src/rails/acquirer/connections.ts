// The open form of a card connection: its settings, and a client with its key.
import { invariant } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { ConnectionBook, ProviderConnection, WatchCalls } from '#/rails/connection.ts'
import * as kit from '#/rails/kit/connections.ts'
import { createCardClient, type CardClient, type Timeouts } from './client.ts'
import { checkCardRefundSecrets, checkCardSettings, type CardSettings } from './settings.ts'

export type OpenConnection = {
  readonly id: ConnectionId
  readonly mode: Mode
  readonly settings: CardSettings
  readonly webhookSecrets: readonly string[]
  readonly client: CardClient
}

export type OpenConnections = kit.OpenConnections<OpenConnection, { readonly client: CardClient }>

export function openConnections({
  connections,
  timeouts,
  watchCalls,
}: {
  readonly connections: ConnectionBook
  readonly watchCalls?: WatchCalls
  readonly timeouts?: Timeouts
}): OpenConnections {
  const clientOf = (id: ConnectionId, { apiUrl }: CardSettings, secretKey: string) =>
    createCardClient({
      apiUrl,
      secretKey,
      observe: watchCalls?.(id),
      ...given({ timeouts }),
    })
  return kit.openConnections(connections, {
    collecting(connection) {
      const { settings, secrets } = checkedOf(connection)
      const { secretKey, webhookSecrets } = secrets
      const { id, mode } = connection
      return { id, mode, settings, webhookSecrets, client: clientOf(id, settings, secretKey) }
    },
    refunding(connection, secrets) {
      const checked = checkCardRefundSecrets(secrets)
      invariant(checked.ok, `connection ${connection.id} is not well set up for refunds`)
      return { client: clientOf(connection.id, checkedOf(connection).settings, checked.secretKey) }
    },
  })
}

function checkedOf({ id, settings, secrets }: ProviderConnection) {
  const checked = checkCardSettings(settings, secrets)
  invariant(checked.ok, `connection ${id} is not well set up`)
  return checked
}
