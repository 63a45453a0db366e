// Whether a call repeats an earlier one: the same content, in which an address on a chain may be spelled with other capitals. Fingerprints
// are of requests as they were written, because the books and `verify` name them.
import type { FieldFault } from './error.ts'
import { parseAddress, toChecksum } from './evm-address.ts'
import { canonicalJson } from './json.ts'

/** Spells the address of a request; every other field stays as it is. */
export type Spell = <Request extends { readonly cryptoAddress?: string | undefined }>(
  request: Request,
) => Request

function spelling(write: (address: `0x${string}`) => string): Spell {
  return (request) => {
    const address = request.cryptoAddress === undefined ? undefined : parseAddress(request.cryptoAddress)
    return address === undefined ? request : { ...request, cryptoAddress: write(address) }
  }
}

/** With the capitals of EIP-55. */
export const inChecksum: Spell = spelling(toChecksum)

/** All spellings that the reader of addresses takes. */
const spellings: readonly Spell[] = [
  (request) => request,
  inChecksum,
  spelling((address) => address),
  spelling((address) => `0x${address.slice(2).toUpperCase()}`),
]

/** `fingerprintOf`: the fingerprint of the present call, with its addresses spelled so. */
export function isSameCall(earlier: Buffer, fingerprintOf: (spell: Spell) => Buffer): boolean {
  return spellings.some((spell) => earlier.equals(fingerprintOf(spell)))
}

// What differs between two requests that have the same idempotency key.

/** Which fields of the body differ from the first call's. */
export function differences(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): readonly FieldFault[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names]
    .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null))
    .map((name) => ({ pointer: `/${name}`, code: 'differs', message: wasMessage(before[name]) }))
}

function wasMessage(value: unknown): string {
  if (value === undefined) return 'was absent'
  return `was ${canonicalJson(value).slice(0, 200)}`
}
