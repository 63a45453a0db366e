// Signatures by Standard Webhooks 1.0.0, symmetric scheme: HMAC-SHA256 over "{id}.{timestamp}.{body}", one signature for
// each secret in force, so that a receiver can change secrets without missing a call.
import { createHmac, randomBytes } from 'node:crypto'
import type { EventId, EndpointId } from '#/kernel/id.ts'
import { seal, unseal, type KeyRing } from '#/kernel/secret.ts'

const prefix = 'whsec_'

type WebhookHeaders = {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** The headers that identify and sign one attempt. `secrets`: the newest first. `body`: the exact bytes that are sent. */
export function signatureHeaders(message: {
  readonly id: EventId
  readonly attemptAt: Date
  readonly body: Buffer
  readonly secrets: readonly Buffer[]
}): WebhookHeaders {
  const timestamp = Math.floor(message.attemptAt.getTime() / 1_000).toString()
  const signatures = message.secrets.map((secret) => sign(secret, message.id, timestamp, message.body))
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

function sign(secret: Buffer, id: string, timestamp: string, body: Buffer): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** The secret as merchants see it and as every verifier accepts it: `whsec_` and base64. */
export function showWebhookSecret(secret: Buffer): string {
  return prefix + secret.toString('base64')
}

// The secret of a webhook endpoint: what its deliveries are signed with.

/** Within the 24 to 64 bytes that Standard Webhooks 1.0.0 asks for. */
const secretBytes = 24

/** A new secret, and the same encrypted for its row. */
export function newEndpointSecret(
  sealKey: KeyRing,
  id: EndpointId,
): { readonly secret: Buffer; readonly sealed: Buffer } {
  const secret = randomBytes(secretBytes)
  return { secret, sealed: seal(sealKey, endpointSecretPlace(id), secret) }
}

export function openEndpointSecret(sealKey: KeyRing, id: EndpointId, sealed: Buffer): Buffer {
  return unseal(sealKey, endpointSecretPlace(id), sealed)
}

/** The place to which an endpoint's secrets are bound, one for both columns: the present secret moves to the other column as it is. */
export function endpointSecretPlace(id: EndpointId): string {
  return `webhook_endpoint/secret/${id}`
}
