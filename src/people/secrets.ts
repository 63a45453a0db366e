// The random texts that people and browsers hold, and the digests that are stored in their place.
import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { deriveKey, firstKey, keysOf, sha256, type KeyRing } from '#/kernel/secret.ts'

const tokenBytes = 32

/** A new token of a session or a link, with 256 random bits, and the digest that is stored. */
export function newToken(): { readonly token: string; readonly digest: Buffer } {
  const token = randomBytes(tokenBytes).toString('base64url')
  return { token, digest: digestOfToken(token) }
}

/** The stored form of a token. Its 256 random bits need no slow hash. */
export function digestOfToken(token: string): Buffer {
  return sha256(token)
}

/** The stored form of what could be guessed from a plain digest: keyed, and different for each purpose. */
export function keyedDigest(key: KeyRing, purpose: string, text: string): Buffer {
  return createHmac('sha256', deriveKey(firstKey(key), `people/${purpose}`))
    .update(text)
    .digest()
}

/** The same under each key of the ring: what was stored may have been made with any of them. */
export function keyedDigests(key: KeyRing, purpose: string, text: string): readonly Buffer[] {
  return keysOf(key).map((each) => keyedDigest(each, purpose, text))
}

/** An address as failures are counted: an IPv6 network of 64 bits is one person's. */
export function placeOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
  if (isIP(plain) !== 6) return plain
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'))
  const [first = [], last = []] = plain.replace(/%.*$/, '').split('::').map(groupsOf)
  // None in an address that is written out: it has eight groups.
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  const groups = [...first, ...zeros, ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
