// Calls of a token's contract (ERC-20), and its answers.
import type { Hex } from 'viem'
import type { Address } from './address.ts'
import type { TokenUnits } from './token-units.ts'
import { toTopic } from './wire.ts'

/**
 * A transfer of BSC-USD takes at most 52,000; unused gas costs nothing. A node's estimate is too low if the receiver has coins now
 * and is emptied before the transfer is mined, such as a deposit address that is swept.
 */
export const transferGas = 100_000n

/** Call data of `transfer(address,uint256)` (ERC-20). */
export function transferCall(to: Address, { raw }: TokenUnits): Hex {
  return `0xa9059cbb${toTopic(to).slice(2)}${raw.toString(16).padStart(64, '0')}`
}

/** Call data of `balanceOf(address)`. */
export function balanceCall(holder: Address): Hex {
  return `0x70a08231${toTopic(holder).slice(2)}`
}
