// Decides where a payout may go on a chain. What is sent to a wrong address is lost, so a mistake must be found before anything is
// sent.
import type { PayoutRouting, PayoutRequest } from '#/rails/payout-rail.ts'
import { deterministicDeployer, parseAddress, toChecksum, type Address } from '#/evm/address.ts'
import { noChain, type Chain } from '#/coins/chain.ts'

/** A chain that pays out. */
export type PayoutChain = {
  readonly chain: Chain
  /** The wallet that pays. */
  readonly hot: Address
  /** Further addresses of ours, such as the wallet that pays for sweeps. */
  readonly further?: readonly Address[]
}

/**
 * The connection for USDT to an address, on the requested network and in the requested token, or why there is none. `isAwaited`: the node of
 * the mode's chain does not answer now.
 */
export function routePayout(
  chains: readonly PayoutChain[],
  request: PayoutRequest,
  isAwaited = false,
): PayoutRouting {
  const { mode, currency, cryptoAddress, cryptoNetwork, cryptoCurrency = 'USDT' } = request
  const ofMode = chains.filter(({ chain }) => chain.mode === mode)
  if (currency !== 'USDT') {
    const detail = `CRYPTO pays out USDT, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  if (ofMode.length === 0) return noChain(isAwaited)
  const network = cryptoNetwork ?? ofMode[0]?.chain.network
  const found = ofMode.find(({ chain }) => chain.network === network)
  if (found === undefined) {
    const detail = `The network can be ${ofMode.map(({ chain }) => chain.network).join(' or ')}.`
    return { ok: false, code: 'network_not_supported', detail, pointer: '/cryptoNetwork' }
  }
  if (cryptoCurrency !== found.chain.currency) {
    const detail = `The token on ${found.chain.network} can be ${found.chain.currency}.`
    return { ok: false, code: 'network_not_supported', detail, pointer: '/cryptoCurrency' }
  }
  return routeToAddress(found, cryptoAddress)
}

function routeToAddress(found: PayoutChain, text: string | undefined): PayoutRouting {
  const pointer = '/cryptoAddress'
  const address = text === undefined ? undefined : readAddress(text)
  if (address === undefined) {
    const detail =
      'The address is 0x and 40 hexadecimal digits; with mixed capitals they must be those of EIP-55.'
    return { ok: false, code: 'invalid_request', detail, pointer }
  }
  const fault = faultOf(found, address)
  if (fault !== undefined) return { ok: false, code: 'destination_not_allowed', detail: fault, pointer }
  const { chain } = found
  const cryptoAddress = toChecksum(address)
  return {
    ok: true,
    connection: chain.connection,
    currency: 'USDT',
    destination: {
      text: cryptoAddress,
      fields: { cryptoAddress, cryptoNetwork: chain.network, cryptoCurrency: chain.currency },
    },
  }
}

/** Reads an address that a person wrote. Mixed capitals must match EIP-55, so that a typing mistake is found. */
function readAddress(text: string): Address | undefined {
  const address = parseAddress(text)
  if (address === undefined || text === toChecksum(address)) return address
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() ? address : undefined
}

/** Addresses up to here have no key: the zero address, precompiled contracts, and BSC's system contracts. */
const lastReserved = 0xffffn

function faultOf({ chain, hot, further = [] }: PayoutChain, address: Address): string | undefined {
  if (BigInt(address) <= lastReserved) return 'This address has no owner: what goes there is lost.'
  if (address === chain.token) return 'This is the token itself: what goes there is lost.'
  const contracts = [chain.factory, chain.implementation, deterministicDeployer]
  if (contracts.includes(address)) return 'This is a contract, which pays nothing out.'
  const ours = [chain.treasury, hot, ...further]
  if (ours.includes(address)) return 'This is an address of the operator, not of a recipient.'
  return undefined
}
