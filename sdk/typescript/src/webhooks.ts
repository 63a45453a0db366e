// Webhooks are signed by Standard Webhooks 1.0.0: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{raw body}`.
import { parseExactly } from './call.ts'
import { VintemError, VintemSignatureError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'

/** The bytes of the request as they came. */
export type RawBody = string | Uint8Array | ArrayBuffer

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** How far the time of the webhook may be off, in seconds. */
  readonly toleranceSeconds?: number
  /** The present, in milliseconds since 1970. */
  readonly now?: number
}

const defaultTolerance = 300

/**
 * Checks a webhook and returns its event. `secret` is your `whsec_…`; give several while you roll it, and one that holds is enough. Throws
 * `VintemSignatureError` when it must not be believed.
 *
 * The body has to be the raw bytes: a body that was parsed and written again has other bytes, so its signature cannot be checked.
 */
export async function verifyWebhook(
  body: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = defaultTolerance, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body)
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  assertFresh(timestamp, toleranceSeconds, now)
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const checks = await Promise.all(secrets.map((each) => holds(each, signatures, signed)))
  if (!checks.includes(true))
    throw new VintemSignatureError(
      'no_match',
      'no signature of the webhook is by this secret: it is another secret, or the body is not the bytes that came, because it was parsed and written again',
    )
  return eventOf(bytes)
}

/**
 * Whether an event about a record is newer than what you have. Webhooks can overtake one another and come twice: keep `data.version` with
 * your order, in the transaction of the effect, and drop what is not newer.
 */
export function isNewer(event: { readonly data: unknown }, knownVersion: number | undefined): boolean {
  const { version } = event.data as { readonly version?: unknown }
  if (typeof version !== 'number') return true
  return knownVersion === undefined || version > knownVersion
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  throw new VintemSignatureError(
    'parsed_body',
    'the body was parsed already: give the raw bytes of the request (express.raw(), await request.text()), because the signature is of them',
  )
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name)
  if (typeof value !== 'string' || value === '')
    throw new VintemSignatureError('missing_header', `the header ${name} is missing`)
  return value
}

function valueIn(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

function assertFresh(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new VintemSignatureError('missing_header', 'the header webhook-timestamp is no number of seconds')
  const ageSeconds = now / 1_000 - Number(timestamp)
  if (ageSeconds > toleranceSeconds)
    throw new VintemSignatureError('too_old', `the webhook is ${Math.round(ageSeconds)} s old`)
  if (ageSeconds < -toleranceSeconds)
    throw new VintemSignatureError(
      'too_new',
      `the webhook is ${Math.round(-ageSeconds)} s ahead of the clock here`,
    )
}

/** Whether one of the signatures is by the secret. `crypto.subtle.verify` compares in constant time. */
async function holds(secret: string, signatures: string, signed: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    'raw',
    keyBytes(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const given = signatures
    .split(' ')
    .filter((text) => text.startsWith('v1,'))
    .flatMap((text) => base64(text.slice(3)) ?? [])
  const checks = await Promise.all(
    given.map((bytes) => crypto.subtle.verify('HMAC', key, bytes, signed as Uint8Array<ArrayBuffer>)),
  )
  return checks.includes(true)
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = base64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0)
    throw new VintemSignatureError('bad_secret', 'the secret is not whsec_ and base64: copy it again')
  return bytes
}

function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent
  } catch (error) {
    if (error instanceof VintemError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new VintemSignatureError('not_json', `the body is no JSON: ${why}`)
  }
}
