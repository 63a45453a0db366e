// The secret of a webhook endpoint: what its deliveries are signed with.
import { randomBytes } from 'node:crypto'
import type { EndpointId } from '#/kernel/id.ts'
import { seal, unseal, type KeyRing } from '#/kernel/secret.ts'

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
