// The clients that send, one for each payout connection. Only a worker has the credentials.
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook, ProviderConnection, WatchCalls } from '#/rails/connection.ts'
import { sendingClients, type SendingClients } from '#/rails/kit/connections.ts'
import { clientOptionsOf } from './connections.ts'
import { createPayoutClient, type PayoutClient } from './payout-client.ts'
import { checkPixPayoutSettings, type PixPayoutSettings } from './settings.ts'

export type PayingConnection = {
  readonly settings: PixPayoutSettings
  readonly client: PayoutClient
  /** Waits for its turn: a PSP accepts only a limited number of payouts at the same time. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export type PayingConnections = SendingClients<PayingConnection>

export function openPayingConnections({
  connections,
  clock,
  log,
  watchCalls,
}: {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  readonly watchCalls?: WatchCalls
}): PayingConnections {
  const pay = (connection: ProviderConnection, secrets: ProviderConnection['secrets']): PayingConnection => {
    const { provider, settings: given } = connection
    const checked = checkPixPayoutSettings({ profile: provider, ...given }, secrets)
    const { settings, options } = clientOptionsOf(checked, connection)
    const client = createPayoutClient({ ...options, clock, log, observe: watchCalls?.(connection.id) })
    return { settings, client, inTurn: createTurns(settings.profile.payouts.atOnce) }
  }
  return sendingClients(connections, pay, 'has no secrets for payouts in this process')
}

/** Runs at most `atOnce` works at the same time; the others wait, in order. */
function createTurns(atOnce: number): PayingConnection['inTurn'] {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The next waiting work takes over this turn.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
