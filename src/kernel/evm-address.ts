// The one reader of addresses on EVM chains, for every door: API, batch, file, schedule, command, dashboard, setting, signer. What is
// sent to a wrong address is lost, so a typing mistake has to be found where it is made. Pure: what is ours is given by the caller.
import { getHashes, hash } from 'node:crypto'
import { invariant } from './check.ts'

/** Twenty bytes as 0x and 40 digits, in lower case; `toChecksum` makes the form for people. */
export type EvmAddress = `0x${string}`

/**
 * - `FORM`: no address.
 * - `CAPITALS`: mixed capitals that are not those of EIP-55: mistyped.
 * - `RESERVED`: zero, a precompiled contract, a system contract of BSC.
 * - `DEAD`: an address that only burns.
 * - `TOKEN`, `CONTRACT`, `OURS`: as the caller knows.
 */
export type AddressFault = 'FORM' | 'CAPITALS' | 'RESERVED' | 'DEAD' | 'TOKEN' | 'CONTRACT' | 'OURS'

export type AddressReading =
  | { readonly ok: true; readonly address: EvmAddress }
  | { readonly ok: false; readonly fault: AddressFault; readonly message: string }

/** What a caller knows of a chain's addresses, in lower case. */
export type KnownAddresses = {
  readonly tokens?: readonly EvmAddress[]
  readonly contracts?: readonly EvmAddress[]
  readonly ours?: readonly EvmAddress[]
}

/** Each fault as the rest of a sentence that begins with the address or its field. */
const messages: Readonly<Record<AddressFault, string>> = {
  FORM: 'is no address: it is 0x and 40 hexadecimal digits',
  CAPITALS: 'is mistyped: mixed capitals must be those of EIP-55',
  RESERVED: 'has no owner: what goes there is lost',
  DEAD: 'is a place that only burns: what goes there is lost',
  TOKEN: 'is the token itself: what goes there is lost',
  CONTRACT: 'is a contract, which pays nothing out',
  OURS: 'is an address of the operator, not of a recipient',
}

/** Reads an address that anyone wrote, in one case or with the capitals of EIP-55. Says nothing of who may be paid. */
export function readAddress(text: string): AddressReading {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return refused('FORM')
  const address = text.toLowerCase() as EvmAddress
  const digits = text.slice(2)
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isPlain || text === toChecksum(address) ? { ok: true, address } : refused('CAPITALS')
}

/** The address, in lower case; undefined for a text that is none, or is mistyped. */
export function parseAddress(text: string): EvmAddress | undefined {
  const reading = readAddress(text)
  return reading.ok ? reading.address : undefined
}

/** Reads an address to which something is to be sent, or that is to hold something. */
export function readRecipient(text: string, known: KnownAddresses = {}): AddressReading {
  const reading = readAddress(text)
  const fault = reading.ok ? recipientFault(reading.address, known) : undefined
  return fault === undefined ? reading : refused(fault)
}

/** Addresses up to here have no key: the zero address, precompiled contracts, and BSC's system contracts. */
const lastReserved = 0xffffn

/** Addresses to which people send in order to burn, or that stand for the native coin. `0x…dead` is among the reserved ones. */
const dead: ReadonlySet<string> = new Set([
  '0xdead000000000000000042069420694206942069',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  `0x${'e'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
])

function recipientFault(address: EvmAddress, known: KnownAddresses): AddressFault | undefined {
  if (BigInt(address) <= lastReserved) return 'RESERVED'
  if (dead.has(address)) return 'DEAD'
  if (known.tokens?.includes(address) === true) return 'TOKEN'
  if (known.contracts?.includes(address) === true) return 'CONTRACT'
  return known.ours?.includes(address) === true ? 'OURS' : undefined
}

function refused(fault: AddressFault): AddressReading {
  return { ok: false, fault, message: messages[fault] }
}

/** The spelling with capitals as a checksum (EIP-55). For people; never compare addresses in it. */
export function toChecksum(address: EvmAddress): EvmAddress {
  const digits = address.slice(2).toLowerCase()
  invariant(/^[0-9a-f]{40}$/.test(digits), 'an address has 20 bytes')
  const marks = keccakHex(Buffer.from(digits, 'latin1'))
  let text = '0x'
  for (let i = 0; i < digits.length; i++)
    text += marks.charAt(i) >= '8' ? digits.charAt(i).toUpperCase() : digits.charAt(i)
  return text as EvmAddress
}

/** Keccak-256 as in Ethereum (with the padding from before SHA-3), as hexadecimal digits. */
// OpenSSL has it since 3.2, and is 13 to 25 times faster than JavaScript. The library is loaded only where that lacks, because it makes
// every start slower.
export const keccakHex: (bytes: Uint8Array) => string = getHashes().includes('keccak-256')
  ? (bytes) => hash('keccak-256', bytes, 'hex')
  : await libraryHash()

async function libraryHash(): Promise<(bytes: Uint8Array) => string> {
  const { keccak256 } = await import('viem/utils')
  return (bytes) => keccak256(bytes).slice(2)
}
