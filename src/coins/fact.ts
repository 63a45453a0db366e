// What a chain did with our own coins, as the ledger books it. A rail keeps it in units finer than the ledger's.
import type { Mode } from '#/kernel/mode.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'

/** The places of our own coins on a chain, each an account of the ledger. */
export type CoinPlace = 'deposit' | 'treasury' | 'hot'

/**
 * What a chain did with our own coins, final, as one transfer of the ledger. `minor`: whole cents, or gwei of gas; zero
 * where nothing moves between accounts.
 */
export type CoinFact = {
  /** What the transfer belongs to. */
  readonly id: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly chain: string
  readonly minor: bigint
  /** The exact bytes that say so. */
  readonly evidence: Buffer
} & (
  | { readonly what: 'MOVED'; readonly from: CoinPlace; readonly to: CoinPlace }
  /** Coins that came, and that nothing explains. */
  | { readonly what: 'FOUND'; readonly at: CoinPlace }
  /** Booked elsewhere, or by nobody: coins that left and that nothing explains are told, never booked. */
  | { readonly what: 'PAID' | 'LEFT' }
  /** What a wallet spent on gas, and what came to it for that. */
  | { readonly what: 'GAS' | 'GAS_BOUGHT'; readonly wallet: string }
)

/** Facts of this kind, kept by a rail in finer units than the ledger's: read and booked in the ledger's transaction. */
export type CoinFactSource = {
  /** Ids of what waits to be booked; those of one group belong into one transaction. */
  due(sql: Sql, limit: number): Promise<readonly (readonly string[])[]>
  load(tx: Tx, ids: readonly string[]): Promise<CoinView>
}
export type CoinView = {
  /** All that could be booked now: it names every account. */
  readonly facts: readonly CoinFact[]
  /** The fact as it is to be booked now; later ones see its effect. Absent: it is booked, or its time has not come. */
  take(id: string): CoinFact | undefined
  save(tx: Tx, at: Date): Promise<void>
}
