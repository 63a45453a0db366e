// Movements of our own coins on a chain, as the ledger books them. A rail keeps them in units finer than the ledger's.
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

/** The places of our own coins on a chain, each an account of the ledger. */
export type CoinPlace = 'deposit' | 'treasury' | 'hot'

/**
 * A final movement of our own coins on a chain, as one transfer of the ledger. `minor`: whole cents, or gwei of gas; zero when
 * nothing moves between accounts.
 */
export type CoinFact = {
  /** The subject of the transfer. */
  readonly id: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly chain: string
  readonly minor: bigint
  /** The exact bytes of its evidence. */
  readonly evidence: Buffer
} & (
  | { readonly what: 'MOVED'; readonly from: CoinPlace; readonly to: CoinPlace }
  /** Coins that arrived without an explanation. */
  | { readonly what: 'FOUND'; readonly at: CoinPlace }
  /**
   * Not booked here.
   * - `PAID`: a payout is booked with its subject.
   * - `LEFT`: coins that left without an explanation are reported. After a restore settlement/unrecorded.ts books them.
   */
  | { readonly what: 'PAID' | 'LEFT' }
  /** The gas that a wallet spent, and the native coin that it received for gas. */
  | { readonly what: 'GAS' | 'GAS_BOUGHT'; readonly wallet: string }
)

/** The facts that a rail keeps in units finer than the ledger's. They are read and booked in the ledger's transaction. */
export type CoinFactSource = {
  /** The ids of facts that wait to be booked. Those of one group must be booked in one transaction. */
  due(sql: Sql, limit: number): Promise<readonly (readonly string[])[]>
  load(tx: Tx, ids: readonly string[]): Promise<CoinView>
}
export type CoinView = {
  /** All facts that may be booked now, so that their accounts can be loaded. */
  readonly facts: readonly CoinFact[]
  /** Returns the fact as it must be booked now, and counts it for later ones. Undefined when it is booked already or may not be yet. */
  consume(id: string): CoinFact | undefined
  save(tx: Tx, at: Date): Promise<void>
}
