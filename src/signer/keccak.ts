// Keccak-256 as Ethereum uses it (before SHA-3 got its other padding).
import { keccakHex } from '#/kernel/evm-address.ts'
import type { Hex } from './shape.ts'

/** The hash of the bytes that a hex text names. */
export function keccak(data: Hex): Hex {
  return `0x${keccakHex(Buffer.from(data.slice(2), 'hex'))}`
}
