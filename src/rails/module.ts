// The export of a folder of rails/: one value that holds everything the rest of the program needs of the rail. registry.ts lists
// them.
import type { Chain } from '#/coins/chain.ts'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook, WatchCalls } from './connection.ts'
import type { ConnectionType } from './kit/connection-type.ts'
import type { Method } from './method.ts'
import type { PayoutRail } from './payout-rail.ts'
import type { KeepSignals, Rail } from './rail.ts'

export type RailModule = {
  /** The methods that its rails accept payments by. */
  readonly methods: readonly Method[]
  /** The types of connection that an operator can set up. Empty: the rail needs no provider. */
  readonly connections: readonly ConnectionType[]
  /** Creates the rails over the connections of the book. Calls no provider yet. */
  open(deps: RailDeps): OpenedRails
}

export type RailDeps = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  /** For a rail with tables of its own. Absent while a connection is only tested. */
  readonly sql?: Sql
  readonly keepSignals?: KeepSignals
  /** Counts the calls of each connection. Absent: they are not counted. */
  readonly watchCalls?: WatchCalls
  /** Absent where nothing is received or sent on a chain. */
  readonly treasury?: Treasury
}

/** Our own wallets on chains, for the rail that is paid there. */
export type Treasury = {
  /** The chains that are ready now. */
  readonly chains: () => readonly Chain[]
  /** Whether the settings name a chain for this mode whose node does not answer now. */
  readonly isAwaited: (mode: Mode) => boolean
  readonly payouts: PayoutRail &
    Required<Pick<PayoutRail, 'units'>> & {
      /** The network of a connection that pays out now. */
      readonly networkOf: (connection: ConnectionId) => string | undefined
    }
}

export type OpenedRails = {
  readonly rails: readonly Rail[]
  readonly payoutRails: readonly PayoutRail[]
  /** Waits for calls under way, then ends the connections to all providers. */
  stop(): Promise<void>
}
