// Signatures in both directions: merchants sign their calls with a shared secret, the wallet signs webhooks with RSA.
import { createHmac, randomInt, sign, timingSafeEqual } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The signed text, in both directions: with the exact bytes of the body. */
export function payloadOf(timestamp: string, nonce: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')])
}

/** Whether a merchant with this secret signed the payload: HMAC-SHA512 in upper-case hexadecimal. */
export function isSignedBy(secret: string, payload: Buffer, signature: string): boolean {
  const expected = Buffer.from(createHmac('sha512', secret).update(payload).digest('hex').toUpperCase())
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** RSA PKCS#1 v1.5 over SHA-256, in Base64. */
export function signed(privateKey: string, payload: Buffer): string {
  return sign('sha256', payload, privateKey).toString('base64')
}

/** 32 letters. */
export function freshNonce(): string {
  return Array.from({ length: 32 }, () => letters.charAt(randomInt(letters.length))).join('')
}
