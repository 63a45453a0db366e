// The chain that a crypto connection stands for, and the choice among those that are connected.
import type { Address } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { networkName, usualNetwork, usualToken, type Token } from './networks.ts'

/** Settings of one chain, checked against the node before CRYPTO is offered. Addresses are lower-case hex. */
export type Chain = {
  /** Our own key (`bsc`, `sandbox`), never the chain id. */
  readonly key: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly chainId: bigint
  /** The name of the network in the API. */
  readonly network: string
  /** Those that are accepted there. The first is that of a payment that names none but USDT. */
  readonly tokens: readonly [Token, ...Token[]]
  readonly treasury: Address
  readonly factory: Address
  readonly implementation: Address
  /** How many confirmations a finalized block must also have, itself counted, before its transfers are money. */
  readonly confirmationsMin: number
}

/** The token that payments and payouts on this chain are in. */
export function mainToken({ tokens: [token] }: Pick<Chain, 'tokens'>): Token {
  return token
}

/** Why nothing can be paid on a chain: its node, which the settings name, does not answer now; or no chain is set up. */
function noChain(isAwaited: boolean) {
  return isAwaited
    ? ({
        ok: false,
        code: 'provider_unavailable',
        detail: 'The node of the chain does not answer now.',
      } as const)
    : ({ ok: false, code: 'method_not_available', detail: 'CRYPTO is not connected.' } as const)
}

/** What is asked for: as written by a caller, or absent. */
type Asked = { readonly network: unknown; readonly token: unknown }

type Chosen =
  | { readonly ok: true; readonly chain: Chain; readonly token: Token }
  | {
      readonly ok: false
      readonly code: 'provider_unavailable' | 'method_not_available'
      readonly detail: string
    }
  | {
      readonly ok: false
      readonly code: 'network_not_supported'
      readonly detail: string
      readonly pointer: string
    }

/**
 * The chain and the token that a payment or payout names, in any capitals and by the usual aliases; BSC and USDT where it names none. What
 * is not connected is refused with what is. `pointers`: of the two fields. `isAwaited`: the settings name a node of the usual network that
 * does not answer now.
 */
export function chooseToken(
  connected: readonly Chain[],
  { network, token }: Asked,
  pointers: { readonly network: string; readonly token: string },
  isAwaited: boolean,
): Chosen {
  if (connected.length === 0) return noChain(isAwaited)
  const name = nameOf(network, usualNetwork)
  const chain = connected.find((each) => networkName(each.network) === name)
  if (chain === undefined) {
    if (isAwaited && name === usualNetwork) return noChain(true)
    const detail = `The network can be ${connected.map((each) => each.network).join(' or ')}.`
    if (network === undefined || network === null)
      return {
        ok: false,
        code: 'method_not_available',
        detail: `${usualNetwork} is not connected. ${detail}`,
      }
    return { ok: false, code: 'network_not_supported', detail, pointer: pointers.network }
  }
  const symbol = nameOf(token, usualToken)
  const found = chain.tokens.find((each) => each.symbol === symbol)
  if (found === undefined) {
    const detail = `The token on ${chain.network} can be ${chain.tokens.map((each) => each.symbol).join(' or ')}.`
    return { ok: false, code: 'network_not_supported', detail, pointer: pointers.token }
  }
  return { ok: true, chain, token: found }
}

/** Undefined: what is named is no text, so it names nothing. */
function nameOf(asked: unknown, usual: string): string | undefined {
  if (asked === undefined || asked === null) return usual
  return typeof asked === 'string' ? networkName(asked) : undefined
}
