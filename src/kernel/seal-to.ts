// Encrypts for the owner of a private key: a process that can seal cannot open. X25519 (RFC 7748), HKDF with SHA-256 (RFC
// 5869), AES-256-GCM.
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { invariant } from './check.ts'
import { deriveKey, sha256 } from './secret.ts'

/** `publicKey` has 32 bytes. */
export type SealingPair = { readonly publicKey: Buffer; readonly privateKey: KeyObject }

const version = 2
const keyIdBytes = 8
const publicKeyBytes = 32
const tagBytes = 16
const headBytes = 1 + keyIdBytes + publicKeyBytes + tagBytes

/**
 * The same secret always gives the same pair. No other key of the secret is equal to this one, because each key has its own
 * purpose.
 */
export function deriveSealingPair(secret: Buffer): SealingPair {
  return pairOf(deriveKey(secret, 'X25519 key pair, opens what is sealed to the worker'))
}

/** The pair of a private key of 32 bytes. */
export function pairOf(privateBytes: Buffer): SealingPair {
  invariant(privateBytes.length === 32, 'a private key has 32 bytes')
  // RFC 8410 §7: the bytes before those of the key, in DER.
  const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), privateBytes])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: bytesOf(createPublicKey(privateKey)) }
}

/** The shared secret of X25519. Throws for a public key of low order, with which the secret would be zero. */
export function agree(privateKey: KeyObject, publicKey: Buffer): Buffer {
  return diffieHellman({ privateKey, publicKey: publicKeyOf(publicKey) })
}

/** The first byte of everything that is sealed to this public key, and the name of the key. */
function sealedToHead(publicKey: Buffer): Buffer {
  return Buffer.concat([Buffer.of(version), sha256(publicKey).subarray(0, keyIdBytes)])
}

/** Whether it was sealed to this public key. Compares only names: opening it proves it. */
export function isSealedTo(publicKey: Buffer, sealed: Buffer): boolean {
  const head = sealedToHead(publicKey)
  return sealed.subarray(0, head.length).equals(head)
}

/**
 * Encrypts `plain` so that only the owner of `publicKey` can open it. `place` is authenticated, as by `seal`. Each call makes a key pair
 * of its own and forgets its private half. Layout: version, name of the public key, ephemeral public key, tag, ciphertext.
 */
export function sealTo(publicKey: Buffer, place: string, plain: Buffer): Buffer {
  const ephemeral = generateKeyPairSync('x25519')
  const ephemeralPublic = bytesOf(ephemeral.publicKey)
  const { key, nonce } = messageKey(agree(ephemeral.privateKey, publicKey), ephemeralPublic, publicKey)
  const head = Buffer.concat([sealedToHead(publicKey), ephemeralPublic])
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.concat([head, Buffer.from(place)]))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([head, cipher.getAuthTag(), body])
}

/** Opens a value of `sealTo`. Throws when it was sealed to another key or for another place, or a bit was changed. */
export function openSealed({ publicKey, privateKey }: SealingPair, place: string, sealed: Buffer): Buffer {
  invariant(sealed[0] === version && sealed.length >= headBytes, 'sealed by an unknown version')
  invariant(isSealedTo(publicKey, sealed), "sealed to another worker's key")
  const head = sealed.subarray(0, headBytes - tagBytes)
  const ephemeralPublic = head.subarray(1 + keyIdBytes)
  const { key, nonce } = messageKey(agree(privateKey, ephemeralPublic), ephemeralPublic, publicKey)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(Buffer.concat([head, Buffer.from(place)]))
  decipher.setAuthTag(sealed.subarray(head.length, headBytes))
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()])
}

/** Both public keys are part of the derivation, so that two pairs with the same shared secret still have different keys. */
function messageKey(shared: Buffer, ephemeralPublic: Buffer, publicKey: Buffer) {
  const info = Buffer.concat([Buffer.from('vintem sealed to the worker, 2'), ephemeralPublic, publicKey])
  const bytes = Buffer.from(hkdfSync('sha256', shared, Buffer.alloc(0), info, 44))
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) }
}

function publicKeyOf(bytes: Buffer): KeyObject {
  invariant(bytes.length === publicKeyBytes, 'a public key has 32 bytes')
  return createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: bytes.toString('base64url') },
    format: 'jwk',
  })
}

function bytesOf(publicKey: KeyObject): Buffer {
  return Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')
}
