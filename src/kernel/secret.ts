// Encrypts stored secrets, and compares secrets in constant time.
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { invariant } from './check.ts'

const nonceBytes = 12
const tagBytes = 16
const version = 1
const fingerprintBytes = 8

/** One key, or several: the first encrypts and signs, all of them open. So a key can be changed while processes run. */
export type KeyRing = Buffer | readonly [Buffer, ...(readonly Buffer[])]

/** All keys of the ring, the one that encrypts first. */
export function keysOf(ring: KeyRing): readonly [Buffer, ...(readonly Buffer[])] {
  return Buffer.isBuffer(ring) ? [ring] : ring
}

/** The key that encrypts and signs. */
export function firstKey(ring: KeyRing): Buffer {
  return keysOf(ring)[0]
}

/** Names a key without showing it: the database stores which key is in force. */
export function fingerprintOf(key: Buffer): Buffer {
  return deriveKey(key, 'fingerprint').subarray(0, fingerprintBytes)
}

/** Derives a 32-byte key from the operator's master key, one for each purpose (RFC 5869); of a ring, from each of its keys. */
export function deriveKey(masterKey: Buffer, purpose: string): Buffer
export function deriveKey(masterKey: KeyRing, purpose: string): KeyRing
export function deriveKey(masterKey: KeyRing, purpose: string): KeyRing {
  if (!Buffer.isBuffer(masterKey)) {
    const [first, ...others] = masterKey
    return [deriveKey(first, purpose), ...others.map((each) => deriveKey(each, purpose))]
  }
  invariant(masterKey.length >= 32, 'a master key has at least 32 bytes')
  const pseudoRandomKey = createHmac('sha256', 'vintem').update(masterKey).digest()
  return createHmac('sha256', pseudoRandomKey).update(purpose).update(Buffer.of(1)).digest()
}

/**
 * Encrypts `plain` with AES-256-GCM. `place` (table, column and row id) is authenticated too, so a sealed value that is copied to
 * another row cannot be decrypted. Layout: version, nonce, tag, ciphertext.
 */
export function seal(key: KeyRing, place: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', firstKey(key), nonce)
  cipher.setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body])
}

/** Decrypts a value of `seal` with the key that fits. Throws when none does, when the place differs, or a bit was changed. */
export function unseal(ring: KeyRing, place: string, sealed: Buffer): Buffer {
  const [first, ...others] = keysOf(ring)
  try {
    return unsealWith(first, place, sealed)
  } catch (error) {
    const [next, ...later] = others
    if (next === undefined) throw error
    return unseal([next, ...later], place, sealed)
  }
}

function unsealWith(key: Buffer, place: string, sealed: Buffer): Buffer {
  invariant(sealed[0] === version, 'sealed by an unknown version')
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
}

/** Compares in a time that depends on the lengths alone. */
export function equalSecrets(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

export function sha256(bytes: Buffer | string): Buffer {
  // `hash` with output 'buffer' allocates separate memory, which takes nearly twice as long to create and to collect.
  return Buffer.from(hash('sha256', bytes, 'latin1'), 'latin1')
}
