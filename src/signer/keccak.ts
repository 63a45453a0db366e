// Keccak-256 as Ethereum uses it (before SHA-3 got its other padding).
import { getHashes, hash } from 'node:crypto'
import type { Address, Hex } from './shape.ts'

// OpenSSL has it since 3.2; the library's is for a Node without, because it makes every start slower.
const hashHex: (bytes: Buffer) => string = getHashes().includes('keccak-256')
  ? (bytes) => hash('keccak-256', bytes, 'hex')
  : await libraryHash()

/** The hash of the bytes that a hex text names. */
export function keccak(data: Hex): Hex {
  return `0x${hashHex(Buffer.from(data.slice(2), 'hex'))}`
}

/** The spelling with capitals that reveals a mistyped address (EIP-55). */
export function toChecksum(address: Address): Address {
  const digits = address.slice(2)
  const marks = hashHex(Buffer.from(digits, 'latin1'))
  const spelled = Array.from(digits, (digit, index) =>
    marks.charAt(index) >= '8' ? digit.toUpperCase() : digit,
  )
  return `0x${spelled.join('')}`
}

async function libraryHash(): Promise<(bytes: Buffer) => string> {
  const { keccak256 } = await import('viem/utils')
  return (bytes) => keccak256(bytes).slice(2)
}
