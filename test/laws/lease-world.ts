// The roles that only one process may hold at a time, for the holder and for the processes that stand by.
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { secondMs, systemClock } from '#/kernel/time.ts'
import { provider, suspense } from '#/ledger/chart.ts'
import type { CursorDeps } from '#/rails/crypto/cursor.ts'
import type { HotWalletDeps } from '#/treasury/hot-wallet-lease.ts'

export const holdings = ['watcher', 'sender', 'lane', 'reconciliation'] as const
export type Holding = (typeof holdings)[number]

export const moved = [provider('SANDBOX', 't1-x', 'BRL'), suspense('SANDBOX', 't1-x', 'BRL')] as const

/** Leases need nothing of a chain but its key. */
export function cursorDeps(sql: Sql, key: string): CursorDeps {
  const chain = { key } as CursorDeps['chain']
  return { sql, chain, clock: systemClock, keep: async () => {} }
}

export function senderDeps(sql: Sql, key: string, address: Address): HotWalletDeps {
  const unused = {} as Pick<HotWalletDeps, 'rpc' | 'signer' | 'fees'>
  const chain = { key } as HotWalletDeps['chain']
  const wallet = { address, purpose: 'hot' } as const
  return { ...unused, sql, chain, wallet, clock: systemClock, log: silentLog, pollMs: 100 }
}

export function passesOf(connection: ConnectionId) {
  return { connections: [connection], passes: [{ name: 'recent', everyMs: 60 * secondMs, backMs: 0 }] }
}
