// Authenticates callbacks: the provider signs the time and the raw bytes with a secret that only it and we know
// (`Stripe-Signature: t=…,v1=…`). An old callback may be a copy that a third party kept, so its age counts.
import { createHmac } from 'node:crypto'
import { equalSecrets } from '#/kernel/secret.ts'
import { minuteMs, unixSeconds } from '#/kernel/time.ts'
import type { CallbackVerdict, SignedCallback } from '#/rails/rail.ts'
import { jsonOf } from './fields.ts'
import { parseHint } from './wire.ts'

/** How far the two clocks may differ, including the delivery time of the callback. */
const toleranceMs = 5 * minuteMs
const signaturesMax = 16

/**
 * Whether one of the signatures was made with one of the secrets. There are several of both while a secret is being replaced. All
 * pairs are compared, each in constant time.
 */
export function verifySignature(
  { headers, body, receivedAt }: Pick<SignedCallback, 'headers' | 'body' | 'receivedAt'>,
  secrets: readonly string[],
): CallbackVerdict {
  const header = headers['stripe-signature']
  const signed = typeof header === 'string' ? parseHeader(header) : undefined
  if (signed === undefined) return { ok: false, reason: 'it has no Stripe-Signature that can be read' }
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${signed.time}.`).update(body).digest(),
  )
  const matches = signed.signatures.flatMap((sent) => expected.filter((each) => equalSecrets(each, sent)))
  if (matches.length === 0) return { ok: false, reason: 'no signature of it is made with our secret' }
  const ageMs = receivedAt.getTime() - unixSeconds(BigInt(signed.time)).getTime()
  if (Math.abs(ageMs) > toleranceMs)
    return { ok: false, reason: `it was signed ${Math.round(ageMs / 1_000)} s before it came` }
  const hint = parseHint(jsonOf(body))
  return hint === undefined ? { ok: false, reason: 'it is no event' } : { ok: true, eventId: hint.id }
}

function parseHeader(header: string) {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1]
  if (time === undefined || !/^\d{1,11}$/.test(time)) return undefined
  const signatures = parts.flatMap(([name, value = '']) =>
    name === 'v1' && /^[0-9a-f]{64}$/i.test(value) ? [Buffer.from(value, 'hex')] : [],
  )
  return { time, signatures: signatures.slice(0, signaturesMax) }
}
