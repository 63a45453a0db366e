// One process at a time sends from a wallet: the one with the highest fence. Every write of a sender is made under its
// fence, so a sender whose lease has expired can write nothing any more.
import type { Hex } from 'viem'
import type { Chain } from '#/coins/chain.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { FencedOff } from '#/evm/fence.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import type { StillLeaving } from '#/rails/payout-rail.ts'
import type { FeePolicy } from './fees.ts'
import { pendingNonce } from './hot-wallet-follow.ts'
import * as queries from './hot-wallet-queries.ts'
import type { Signer, WalletKey, WalletPurpose } from './outgoing.ts'

/** A sender that does not renew for this long counts as gone. */
export const senderLeaseMs = 5 * secondMs

export type HotWalletDeps = {
  readonly sql: Sql
  readonly chain: Chain
  readonly wallet: { readonly address: Address; readonly purpose: WalletPurpose }
  readonly rpc: Rpc
  readonly signer: Signer
  readonly fees: FeePolicy
  readonly clock: Clock
  readonly log: Log
  readonly pollMs: number
  /** How many transactions may be without an end at once. Default: 16, which every node keeps of one account. */
  readonly inFlightMax?: number
  /** Blocks after which what is not mined is sent again, and after which it is replaced. */
  readonly resendBlocks?: number
  readonly replaceBlocks?: number
  /** How long a foreign transaction must appear to use a nonce before we believe it: a node may lack a receipt for a while. */
  readonly strangerMs?: number
  /** The pause before a signer that did not sign is asked again. */
  readonly signerPauseMs?: number
  /** Whether the node has another chain than ours, which is being rebuilt: a sandbox's. Nothing is sent there. */
  readonly isLost?: () => Promise<boolean>
  /** Asked about payouts right before they get a nonce. Absent: all may leave. */
  readonly stillLeaving?: StillLeaving
  /** Called when a transaction has ended. */
  readonly onEnded?: () => void
}

/** The right to send, and what its holder remembers. The next holder needs none of that. */
export type Held = {
  readonly fence: bigint
  /** What this process sent to the node, by hash. */
  readonly broadcasts: Map<Hex, Airing>
  /** By the clock of `monotonicMs`. */
  renewAt: number
  pollAt: number
  /** When the next alarm about a long wait may be logged. */
  alarmAt: number
  /** When the signer, which did not sign, is asked again, and what it answered. */
  signer: { readonly retryAt: number; readonly answer: { readonly waiting?: string } } | undefined
  suspicion: { readonly what: string; readonly since: number; readonly passes: number } | undefined
}

/** The blocks before which an attempt was first and last sent. `isCheap`: the node answered that it pays too little. */
export type Airing = { readonly first: bigint; readonly last: bigint; readonly isCheap: boolean }

/** Acquires the lease; undefined while another process has it. A new wallet begins at its account's next nonce. */
export async function beginSending(deps: HotWalletDeps): Promise<Held | undefined> {
  const { sql, chain, wallet, rpc, clock } = deps
  const key = keyOf(deps)
  if (!(await queries.isKnownWallet(sql, key))) {
    const nextNonce = await pendingNonce(rpc, wallet.address)
    await queries.insertWallet(sql, key, { purpose: wallet.purpose, nextNonce, at: clock.now() })
    deps.log.info(
      { chain: chain.key, wallet: wallet.address, purpose: wallet.purpose },
      'a wallet is new here',
    )
  }
  const fence = await queries.acquireLease(sql, key, senderLeaseMs)
  if (fence === undefined) return undefined
  return {
    fence,
    broadcasts: new Map(),
    renewAt: 0,
    pollAt: 0,
    alarmAt: 0,
    signer: undefined,
    suspicion: undefined,
  }
}

/** Runs `work` in a transaction that holds the wallet's row and fails with FencedOff when the wallet is another's. */
export async function underFence<T>(
  deps: HotWalletDeps,
  fence: bigint,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return deps.sql.begin(async (tx) => {
    await renew(deps, fence, tx)
    return work(tx)
  }) as Promise<T>
}

/** Throws FencedOff when the wallet is another's. */
export async function renew(deps: HotWalletDeps, fence: bigint, sql: Sql | Tx = deps.sql): Promise<void> {
  const held = await queries.holdLease(sql, keyOf(deps), fence, senderLeaseMs)
  if (held !== 1) throw new FencedOff(`another process sends from ${deps.wallet.address}`)
}

export async function endSending(deps: HotWalletDeps, fence: bigint): Promise<void> {
  await queries.releaseLease(deps.sql, keyOf(deps), fence)
}

export function keyOf({ chain, wallet }: Pick<HotWalletDeps, 'chain' | 'wallet'>): WalletKey {
  return { chain: chain.key, address: wallet.address }
}
