// The words of a chain's watcher: what it detects at our addresses, and the signals that it writes into the inbox.
import type { Hex } from 'viem'
import type { Address } from '#/evm/address.ts'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'

/** A transfer of the token to one of our addresses, as one block shows it. */
export type Sighting = {
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly blockAt: Date
  readonly logIndex: number
  readonly txHash: Hex
  /** The position among the token's transfers in its transaction. */
  readonly ordinal: number
  readonly address: Address
  readonly sender: Address
  readonly value: bigint
  /** The log as the node sent it. */
  readonly log: unknown
}

/** The payment that an address belongs to. */
export type DepositOwner = {
  readonly address: Address
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly attemptId: string
  /** A restore lost the payment. */
  readonly isLost: boolean
}

/** A signal of the watcher in the inbox, as JSON: one transfer came into a block, left it, or is final. */
export type TransferSignal = {
  /** Our own key of the chain. */
  readonly chain: string
  readonly outcome: 'seen' | 'orphaned' | 'paid'
  readonly occurrence: number
  readonly merchantId: string
  readonly paymentId: string
  readonly attemptId: string
  /** A restore lost the payment. Absent: it did not. */
  readonly isLost?: true
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

/** Puts signals into the inbox, in the watcher's own transaction. `app/core.ts` passes it in. */
export type KeepSignals<Tx> = (
  tx: Tx,
  connection: ConnectionId,
  signals: readonly TransferSignal[],
  at: Date,
) => Promise<void>

/** A transfer of another token to one of our addresses. */
export type Stray = {
  readonly blockNumber: bigint
  readonly txHash: Hex
  readonly address: Address
  readonly token: Address
  readonly value: bigint
}
