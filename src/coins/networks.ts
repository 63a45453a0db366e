// The networks and tokens that this release knows, as records: what a wallet or an exchange calls a network, and where its tokens are. An
// operator connects a network; nobody types the address of a token. A network without tokens is known by name only, and cannot be connected.
import type { Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'

/** A token as the API names it; the books have a currency of the same name. */
export type TokenSymbol = 'USDT'

/** A token of a network. */
export type Token = {
  readonly symbol: TokenSymbol
  /** Its contract, in lower-case hex. */
  readonly address: Address
  /** Of its contract, at most 18. The books and the API have 18 for every token. */
  readonly decimals: number
  /** The currency of wallets that its coins are booked in. */
  readonly booksAs: 'USDT'
}

type Network = {
  /** Its name in the API. */
  readonly name: string
  /** As exchanges write it where a withdrawal's network is chosen. */
  readonly label: string
  /** What the API accepts instead of the name, in capitals. */
  readonly aliases: readonly string[]
  /** EIP-155. */
  readonly chainId: bigint
  readonly tokens: readonly Token[]
}

const networks: readonly Network[] = [
  {
    name: 'BSC',
    label: 'BNB Smart Chain (BEP20)',
    aliases: ['BEP20'],
    chainId: 56n,
    // Binance-Peg BSC-USD, with 18 decimals.
    tokens: [usdtAt('0x55d398326f99059ff775485246999027b3197955')],
  },
  { name: 'ETHEREUM', label: 'Ethereum (ERC20)', aliases: ['ERC20', 'ETH'], chainId: 1n, tokens: [] },
  { name: 'POLYGON', label: 'Polygon POS (MATIC/POL)', aliases: ['MATIC'], chainId: 137n, tokens: [] },
  { name: 'BASE', label: 'Base', aliases: [], chainId: 8_453n, tokens: [] },
  { name: 'ARBITRUM', label: 'Arbitrum One', aliases: ['ARB'], chainId: 42_161n, tokens: [] },
  { name: 'OPTIMISM', label: 'Optimism / OP Mainnet', aliases: ['OP'], chainId: 10n, tokens: [] },
  { name: 'AVALANCHE', label: 'Avalanche C-Chain', aliases: ['AVAXC'], chainId: 43_114n, tokens: [] },
]

/** What a payment or payout takes that names no network. Another network is never taken instead. */
export const usualNetwork = 'BSC'
/** The same for the token. */
export const usualToken: TokenSymbol = 'USDT'

/** USDT at this address. `decimals`: those of the contract. */
export function usdtAt(address: Address, decimals = 18): Token {
  return { symbol: 'USDT', address, decimals, booksAs: 'USDT' }
}

/** The API's name of a network that is written in any capitals, or by an alias. Other text is returned in capitals. */
export function networkName(text: string): string {
  const capitals = text.toUpperCase()
  return networks.find(({ aliases }) => aliases.includes(capitals))?.name ?? capitals
}

/** As exchanges write it where a withdrawal's network is chosen. */
export function networkLabel(name: string): string {
  return networks.find((each) => each.name === name)?.label ?? name
}

/** The network of these records that can be connected. */
export function connectable(name: string): Network & { readonly tokens: readonly [Token, ...Token[]] } {
  const network = networks.find((each) => each.name === name)
  const [first, ...others] = network?.tokens ?? []
  const token = must(first, `${name} is a network with tokens`)
  return { ...must(network, `${name} is known`), tokens: [token, ...others] }
}
