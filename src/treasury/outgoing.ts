// The types of what leaves our own wallets.
import type { Hex } from 'viem'
import { keccak256, parseTransaction, recoverAddress, serializeTransaction } from 'viem/utils'
import type { Address } from '#/evm/address.ts'
import { invariant } from '#/kernel/check.ts'
import type { Id } from '#/kernel/id.ts'
import type { Fees } from './fees.ts'

export type ChainTxId = Id<'chain-tx'>

/** The use of a wallet's key, as the signer calls it: paying out, paying for sweeps, refilling the hot wallet. */
export type WalletPurpose = 'hot' | 'gas' | 'treasury'

/** Which wallet. */
export type WalletKey = { readonly chain: string; readonly address: Address }

/** What a transaction is for. */
export type TxPurpose = 'PAYOUT' | 'SWEEP' | 'REFILL'

/** Which wallet sends what. */
export const purposeOf: Readonly<Record<WalletPurpose, TxPurpose>> = {
  hot: 'PAYOUT',
  gas: 'SWEEP',
  treasury: 'REFILL',
}

/**
 * - QUEUED: it waits for a nonce.
 * - RESERVED: a nonce is bound to it for ever.
 * - SIGNED: the bytes are stored.
 * - BROADCAST: a node may have them.
 * - MINED: a block has them, which may still leave the chain.
 * - FINAL: it did what it should.
 * - FAILED: it did nothing and never will.
 */
export type TxState = 'QUEUED' | 'RESERVED' | 'SIGNED' | 'BROADCAST' | 'MINED' | 'FINAL' | 'FAILED'

/** What a transaction does, at any cost. */
export type Payload = {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
}

/** The payload signed once, with its own fees. */
export type TxAttempt = {
  readonly hash: Hex
  readonly raw: Hex
  readonly fees: Fees
  /** Cancels: same nonce, no payload. */
  readonly cancels: boolean
}

/** A transaction that has a nonce and has not ended. */
export type OpenTx = Payload & {
  readonly id: ChainTxId
  readonly nonce: bigint
  readonly state: Exclude<TxState, 'QUEUED' | 'FINAL' | 'FAILED'>
  readonly gas: bigint
  readonly reference: string
  /** The token's movement that it makes. */
  readonly recipient: Address | undefined
  readonly units: bigint
  /** A foreign transaction is known to have used its nonce. */
  readonly isTaken: boolean
  /** Why it is to be canceled, if it is. */
  readonly cancel: string | undefined
  /** From the lowest fees to the highest. */
  readonly attempts: readonly TxAttempt[]
}

/** The request to the signer: the payload under its nonce, with fees. */
export type SignRequest = Payload & {
  readonly key: Address
  readonly chainId: bigint
  readonly nonce: bigint
  readonly gas: bigint
  readonly fees: Fees
  readonly reference: string
}

/** The part of the signer that is needed here: see src/signer/client.ts. Rejects with ProviderError. */
export type Signer = {
  sign(request: SignRequest): Promise<{ readonly raw: Hex; readonly hash: Hex }>
  /** What each of its keys may sign on each chain, and how much of that is used. */
  status(): Promise<readonly SignerStatus[]>
}

/** An absent limit means unlimited. `what`: a token's address, `native`, or `fees` in wei. */
export type SignerStatus = {
  readonly key: Address
  readonly chainId: bigint
  readonly maxFeePerGas?: bigint | undefined
  readonly caps: readonly {
    readonly what: string
    readonly spent: bigint
    readonly cap: bigint
    readonly each?: bigint | undefined
  }[]
}

/** Throws when the signer signed anything else than the request: such bytes must never reach a node. */
export async function checkSigned(
  request: SignRequest,
  { raw, hash }: { readonly raw: Hex; readonly hash: Hex },
): Promise<void> {
  const what = 'the signer signed something else'
  invariant(keccak256(raw) === hash, what)
  const tx = parseTransaction(raw)
  const { fees } = request
  invariant(
    tx.type === 'eip1559' &&
      BigInt(tx.chainId) === request.chainId &&
      BigInt(tx.nonce ?? 0) === request.nonce &&
      tx.to?.toLowerCase() === request.to &&
      (tx.value ?? 0n) === request.value &&
      (tx.data ?? '0x') === request.data &&
      tx.gas === request.gas &&
      tx.maxFeePerGas === fees.maxFeePerGas &&
      (tx.maxPriorityFeePerGas ?? 0n) === fees.maxPriorityFeePerGas,
    what,
  )
  const { r, s, yParity, ...unsigned } = tx
  invariant(r !== undefined && s !== undefined && yParity !== undefined, what)
  // The signature covers the hash of everything but itself (EIP-1559).
  const hashed = keccak256(serializeTransaction(unsigned))
  const sender = await recoverAddress({ hash: hashed, signature: { r, s, yParity } })
  invariant(sender.toLowerCase() === request.key, what)
}
