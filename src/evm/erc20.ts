// Calls of a token's contract (ERC-20).
import type { Hex } from 'viem'
import type { Address } from './address.ts'
import { toTopic } from './wire.ts'

/**
 * A transfer of BSC-USD takes at most 52,000; unused gas costs nothing. A node's estimate is too low if the receiver has coins now
 * and is emptied before the transfer is mined, such as a deposit address that is swept.
 */
export const transferGas = 100_000n

/** Call data of `transfer(address,uint256)` (ERC-20). */
export function transferCall(to: Address, value: bigint): Hex {
  return `0xa9059cbb${toTopic(to).slice(2)}${value.toString(16).padStart(64, '0')}`
}
