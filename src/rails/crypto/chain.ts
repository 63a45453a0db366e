// The chain that a crypto connection stands for, and the words of its watcher.
import type { Mode } from '#/kernel/mode.ts'
import type { Hex } from 'viem'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Address } from './address.ts'

/** Settings of one chain, checked against the node before CRYPTO is offered. Addresses are lower-case hex. */
export type Chain = {
  /** Our own key (`bsc`, `sandbox`), never the chain id. */
  readonly key: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly chainId: bigint
  /** What the API calls the network and the token. */
  readonly network: string
  readonly currency: 'USDT'
  readonly token: Address
  readonly treasury: Address
  readonly factory: Address
  readonly implementation: Address
  /** Besides being finalized, a block has this many on top of it, itself counted, before its transfers are money. */
  readonly confirmationsMin: number
}

/** USDT on BSC has 18 decimals. */
export const tokenDecimals = 18

/** USDT has 18 decimals on chain and 2 in the books: base units in one cent. */
export const baseUnitsPerCent = 10n ** 16n

/** Whole cents of an amount in base units; the rest stays where it is, as residue. */
export function wholeCents(baseUnits: bigint): bigint {
  return baseUnits / baseUnitsPerCent
}

/** A transfer of the token to one of our addresses, as one block shows it. */
export type Sighting = {
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly blockAt: Date
  readonly logIndex: number
  readonly txHash: Hex
  /** Which transfer of its transaction it is, counted over the token's transfers there. */
  readonly ordinal: number
  readonly address: Address
  readonly sender: Address
  readonly value: bigint
  /** The log as the node sent it. */
  readonly log: unknown
}

/** Whose address it is. */
export type DepositOwner = {
  readonly address: Address
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly attemptId: string
}

/** What the watcher tells the inbox, as JSON: one transfer came into a block, left it, or is final. */
export type TransferSignal = {
  /** Our own key of the chain. */
  readonly chain: string
  readonly outcome: 'seen' | 'orphaned' | 'paid'
  readonly occurrence: number
  readonly merchantId: string
  readonly paymentId: string
  readonly attemptId: string
  readonly blockHash: string
  readonly blockAt: string
  readonly logIndex: number
  readonly txHash: string
  readonly ordinal: number
  readonly address: string
  /** Base units, as a decimal string. */
  readonly value: string
  readonly log: unknown
}

/** What `app.ts` gives the watcher to put signals into the inbox, in the watcher's own transaction. */
export type KeepSignals<Tx> = (
  tx: Tx,
  connection: ConnectionId,
  signals: readonly TransferSignal[],
  at: Date,
) => Promise<void>
