// What a merchant's server does with every webhook: it checks the signature by Standard Webhooks 1.0.0 first. This code is written
// from the standard and shares nothing with the code that signs.
import { createHmac } from 'node:crypto'
import { equalSecrets } from '#/kernel/secret.ts'
import { minuteMs } from '#/kernel/time.ts'

const toleranceMs = 5 * minuteMs

export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Whether one of `secrets` signed exactly these bytes, not more than five minutes from `now`. `headers` have lower-case
 * names, as node:http gives them.
 */
export function isGenuine(
  secrets: readonly Buffer[],
  message: { readonly headers: HeaderValues; readonly body: Buffer },
  now: Date,
): boolean {
  const id = message.headers['webhook-id']
  const timestamp = message.headers['webhook-timestamp']
  const signatures = message.headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > toleranceMs) return false
  const given = signatures
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3))] : []))
  return secrets.some((secret) => {
    const digest = createHmac('sha256', secret)
      .update(`${id}.${timestamp}.`)
      .update(message.body)
      .digest('base64')
    return given.some((each) => equalSecrets(each, Buffer.from(digest)))
  })
}

/** The bytes of a secret in the form that merchants get: `whsec_` and base64. */
export function webhookSecretBytes(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}
