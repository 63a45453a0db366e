// The contract calls whose arguments the signer understands. Only the one canonical encoding of a call is accepted: a contract
// could read any other encoding differently.
import type { Address, Hex } from './shape.ts'

export type Call =
  | { readonly call: 'transfer'; readonly to: Address; readonly amount: bigint }
  | { readonly call: 'sweep'; readonly token: Address; readonly salts: number }

/** `transfer(address,uint256)` of ERC-20 (EIP-20). */
export const transferSelector: Hex = '0xa9059cbb'

/** `sweep(address,bytes32[])` of contracts/ForwarderFactory.sol. */
export const sweepSelector: Hex = '0xfaa89528'

/** The call that the data encodes, or undefined. */
export function readCall(data: Hex): Call | undefined {
  const selector = data.slice(0, 10)
  const words = data.slice(10).match(/.{64}/g) ?? []
  if (data.length !== 10 + 64 * words.length) return undefined
  if (selector === transferSelector) return readTransfer(words)
  return selector === sweepSelector ? readSweep(words) : undefined
}

function readTransfer([to, amount, ...more]: readonly string[]): Call | undefined {
  const recipient = addressIn(to)
  if (recipient === undefined || amount === undefined || more.length > 0) return undefined
  return { call: 'transfer', to: recipient, amount: BigInt(`0x${amount}`) }
}

/** The list must be where the ABI's encoder puts it: directly after the two words of the head. */
function readSweep([token, offset, length, ...salts]: readonly string[]): Call | undefined {
  const address = addressIn(token)
  if (address === undefined || offset === undefined || length === undefined) return undefined
  if (BigInt(`0x${offset}`) !== 64n || BigInt(`0x${length}`) !== BigInt(salts.length)) return undefined
  return { call: 'sweep', token: address, salts: salts.length }
}

function addressIn(word: string | undefined): Address | undefined {
  return word?.startsWith('0'.repeat(24)) ? `0x${word.slice(24)}` : undefined
}
