// What a test's own rows of chains have in common: addresses and hashes that contain their number, as our code and as a column names them.
import type { Address } from '#/evm/address.ts'

/** The keys of two chains: the one that a test asks about, and another. */
export const [ours, other] = ['ours', 'other'] as const

/** Twenty bytes that contain their number. A hash of a test's own rows is as long. */
export function bareAddress(number: number): Address {
  return `0x${String(number).padStart(40, '0')}`
}

/** The same bytes for a column. */
export function bareBytes(number: number): string {
  return `\\x${bareAddress(number).slice(2)}`
}

/** The states of a transaction that has not ended. */
export const openStates = ['QUEUED', 'RESERVED', 'SIGNED', 'BROADCAST', 'MINED'] as const
/** Those of them with a nonce. */
export const boundStates = openStates.slice(1)
