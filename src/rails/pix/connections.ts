// The open form of a PIX connection: its settings, and a client with its certificate.
import { invariant } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook, ProviderConnection, WatchCalls } from '#/rails/connection.ts'
import * as kit from '#/rails/kit/connections.ts'
import { createPixClient, type PixClient, type PixClientOptions } from './client.ts'
import { checkPixSettings, type PixSettings } from './settings.ts'

export type OpenConnection = { readonly settings: PixSettings; readonly client: PixClient }

export type OpenConnections = kit.OpenConnections<OpenConnection>

/** Returns the options of a client. A connection whose settings were never checked is a bug of ours. */
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
    options: { profile, baseUrl, tokenUrl, credentials, ...given({ ca }) },
  }
}

export function openConnections({
  connections,
  clock,
  log,
  watchCalls,
}: {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  readonly watchCalls?: WatchCalls
}): OpenConnections {
  const open = (connection: ProviderConnection, secrets: ProviderConnection['secrets']): OpenConnection => {
    const { provider, settings } = connection
    const opened = clientOptionsOf(checkPixSettings({ profile: provider, ...settings }, secrets), connection)
    return {
      settings: opened.settings,
      client: createPixClient({ ...opened.options, clock, log, observe: watchCalls?.(connection.id) }),
    }
  }
  return kit.openConnections(connections, { collecting: open, refunding: open })
}
