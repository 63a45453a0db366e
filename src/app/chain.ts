// A chain that a process works on.
import type { Chain } from '#/coins/chain.ts'
import type { Rpc } from '#/evm/client.ts'
import type { ChainWallets } from '#/treasury/wallets.ts'

/** A chain that a process can follow: its settings, proven at the node, and the node. */
export type ConnectedChain = {
  readonly chain: Chain
  readonly rpc: Rpc
  readonly pollMs: number
  /** Absent: nothing is paid out or collected there. */
  readonly wallets?: ChainWallets
  /** Runs instead of halting when final history changes: the sandbox rebuilds its chain. */
  readonly onViolation?: () => Promise<void>
  /** Whether the node has another chain than the one that is followed: the sandbox's, until it is rebuilt. */
  readonly isLost?: () => Promise<boolean>
}
