// The chain that a crypto connection stands for, and the units of its token.
import type { Address } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

/** Settings of one chain, checked against the node before CRYPTO is offered. Addresses are lower-case hex. */
export type Chain = {
  /** Our own key (`bsc`, `sandbox`), never the chain id. */
  readonly key: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly chainId: bigint
  /** The names of the network and the token in the API. */
  readonly network: string
  readonly currency: 'USDT'
  readonly token: Address
  readonly treasury: Address
  readonly factory: Address
  readonly implementation: Address
  /** How many confirmations a finalized block must also have, itself counted, before its transfers are money. */
  readonly confirmationsMin: number
}

/** USDT on BSC has 18 decimals. */
export const tokenDecimals = 18

/** USDT has 18 decimals on chain and 2 in the books: base units in one cent. */
export const baseUnitsPerCent = 10n ** 16n

/** Whole cents of an amount in base units; the rest is residue. */
export function wholeCents(baseUnits: bigint): bigint {
  return baseUnits / baseUnitsPerCent
}

/** Why nothing can be paid on a chain: its node, which the settings name, does not answer now; or no chain is set up. */
export function noChain(isAwaited: boolean) {
  return isAwaited
    ? ({
        ok: false,
        code: 'provider_unavailable',
        detail: 'The node of the chain does not answer now.',
      } as const)
    : ({ ok: false, code: 'method_not_available', detail: 'CRYPTO is not connected.' } as const)
}
