// The clients that send, one for each connection of this kind. Only a worker has the credentials.
import type { ConnectionBook } from '#/rails/words.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { clientOptionsOf, keepClients } from './connections.ts'
import { createPayoutClient, type PayoutClient } from './payout-client.ts'
import { checkPixPayoutSettings, type PixPayoutSettings } from './settings.ts'

export type PayingConnection = {
  readonly settings: PixPayoutSettings
  readonly client: PayoutClient
  /** Waits for a turn: a PSP takes only so many payouts at the same time. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export type PayingConnections = {
  /** Throws ProviderError `unavailable` when this process was not given the means. */
  paying(id: ConnectionId): PayingConnection
  close(): Promise<void>
}

export function openPayingConnections(deps: {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
}): PayingConnections {
  const { connections, clock, log } = deps
  const keeper = keepClients<PayingConnection>((given, secrets, connection) => {
    const { settings, options } = clientOptionsOf(checkPixPayoutSettings(given, secrets), connection)
    const client = createPayoutClient({ ...options, clock, log })
    return { settings, client, inTurn: createTurns(settings.profile.payouts.atOnce) }
  })
  return {
    paying(id) {
      const connection = must(connections.find(id), `no connection ${id}`)
      if (connection.refundSecrets === undefined)
        throw new ProviderError('unavailable', `connection ${id} cannot send money from here`)
      return keeper.use(connection, connection.refundSecrets)
    },
    close: keeper.close,
  }
}

/** At most `atOnce` of what is asked for runs at the same time; the rest waits, in order. */
function createTurns(atOnce: number): PayingConnection['inTurn'] {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Whoever waits next takes over this turn.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
