// Decides where a payout may go on a chain. What is sent to a wrong address is lost, so a mistake must be found before anything is
// sent.
import { noChain, type Chain } from '#/coins/chain.ts'
import { deterministicDeployer, readRecipient, toChecksum, type Address } from '#/evm/address.ts'
import type { PayoutRouting, PayoutRequest } from '#/rails/payout-rail.ts'

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
  const { chain, hot, further = [] } = found
  const reading = readRecipient(text ?? '', {
    tokens: [chain.token],
    contracts: [chain.factory, chain.implementation, deterministicDeployer],
    ours: [chain.treasury, hot, ...further],
  })
  if (!reading.ok) {
    const isMistyped = reading.fault === 'FORM' || reading.fault === 'CAPITALS'
    const code = isMistyped ? 'invalid_request' : 'destination_not_allowed'
    return { ok: false, code, detail: `The address ${reading.message}.`, pointer }
  }
  const cryptoAddress = toChecksum(reading.address)
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
