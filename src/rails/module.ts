// What a folder of rails/ exports: one value with all that the rest of the program needs of it. registry.ts lists them.
import type { Chain } from '#/coins/chain.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionType } from './kit/connection-type.ts'
import type { PayoutRail } from './payout-rail.ts'
import type { Rail } from './rail.ts'
import type { ConnectionBook, Method } from './words.ts'

export type RailModule = {
  /** The methods that its rails take payments by. */
  readonly methods: readonly Method[]
  /** What an operator can connect. Empty: it needs no provider. */
  readonly connections: readonly ConnectionType[]
  /** Opens its rails over the connections of the book. Nothing is asked of a provider yet. */
  open(deps: RailDeps): OpenedRails
}

export type RailDeps = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  /** Absent where nothing is received or sent on a chain. */
  readonly treasury?: Treasury
}

/** Our own wallets on chains, for the rail that is paid on them. */
export type Treasury = {
  /** Those that are ready now. */
  readonly chains: () => readonly Chain[]
  readonly payouts: PayoutRail & Required<Pick<PayoutRail, 'units'>>
}

export type OpenedRails = {
  readonly rails: readonly Rail[]
  readonly payoutRails: readonly PayoutRail[]
  /** Ends the connections to all providers, when what is under way has ended. */
  stop(): Promise<void>
}
