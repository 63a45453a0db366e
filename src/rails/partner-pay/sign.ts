// How both sides authenticate. We sign requests with a shared secret (HMAC-SHA512); the provider signs callbacks with its own key
// (RSA, SHA-256). Both sign the same three lines over the exact bytes of the body, so a body that was parsed and written again
// does not verify.
import { createHmac, randomInt, verify, type KeyObject } from 'node:crypto'

export type Credentials = {
  /** The provider calls it the serial number of our certificate, or the API identity key. */
  readonly apiKey: string
  readonly apiSecret: string
}

/** Returns the headers that sign `body`, which must be sent unchanged. The provider accepts them within a second of `at`. */
export function signRequest(
  { apiKey, apiSecret }: Credentials,
  body: string,
  at: Date,
  nonce: string = newNonce(),
): Readonly<Record<string, string>> {
  const timestamp = String(at.getTime())
  const content = signedContent(timestamp, nonce, Buffer.from(body))
  return {
    'BinancePay-Timestamp': timestamp,
    'BinancePay-Nonce': nonce,
    'BinancePay-Certificate-SN': apiKey,
    'BinancePay-Signature': createHmac('sha512', apiSecret).update(content).digest('hex').toUpperCase(),
  }
}

/** The signature in the headers of a callback. */
export type CallbackSignature = {
  readonly timestamp: string
  readonly nonce: string
  /** Base64. */
  readonly signature: string
}

/** Whether the owner of `key` signed these bytes with this timestamp and nonce. */
export function isSignedBy(
  key: KeyObject,
  { timestamp, nonce, signature }: CallbackSignature,
  body: Buffer,
): boolean {
  return verify('sha256', signedContent(timestamp, nonce, body), key, Buffer.from(signature, 'base64'))
}

function signedContent(timestamp: string, nonce: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')])
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 32 random letters, new for each request. */
function newNonce(): string {
  return Array.from({ length: 32 }, () => letters[randomInt(letters.length)]).join('')
}
