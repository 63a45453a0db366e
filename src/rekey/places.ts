// Everything that is sealed under the master key. What is sealed to the worker has a pass of its own (merchants/reseal.ts).
import type { ConnectionId, EndpointId, MerchantId } from '#/kernel/id.ts'
import { deriveKey, type KeyRing } from '#/kernel/secret.ts'
import { letterKey, letterPlace } from '#/mail/letter.ts'
import type { LetterId } from '#/mail/queries.ts'
import { connectionKeys, collectingPlace } from '#/merchants/connections.ts'
import { webhookSecretPlace } from '#/merchants/merchant.ts'
import { totpKey, totpPlace } from '#/people/totp.ts'
import type { UserId } from '#/people/user.ts'
import { endpointSecretPlace } from '#/webhooks/sign.ts'
import type { SealedColumn } from './queries.ts'

/**
 * `what`: its name for people, in the plural. `keyOf`: derives its key from the master key. `placeOf`: the place to which the
 * value of a row is bound.
 */
export type SealedPlace = SealedColumn & {
  readonly what: string
  readonly keyOf: (masterKey: KeyRing) => KeyRing
  readonly placeOf: (id: string) => string
}

const merchant = {
  what: 'webhook secrets of merchants',
  table: 'merchant',
  id: 'id',
  idType: 'uuid',
  keyOf: (masterKey: KeyRing) => deriveKey(masterKey, 'webhook secrets'),
  placeOf: (id: string) => webhookSecretPlace(id as MerchantId),
} as const

const endpoint = {
  what: 'secrets of webhook endpoints',
  table: 'webhook_endpoint',
  owner: 'merchant_id',
  id: 'id',
  idType: 'uuid',
  keyOf: (masterKey: KeyRing) => deriveKey(masterKey, 'webhook endpoint secrets'),
  placeOf: (id: string) => endpointSecretPlace(id as EndpointId),
} as const

/** A present secret is moved unchanged to the column of the previous secret, so that column comes later in this list. */
export const sealedPlaces: readonly SealedPlace[] = [
  { ...merchant, column: 'webhook_secret' },
  { ...merchant, column: 'webhook_secret_previous' },
  { ...endpoint, column: 'secret' },
  { ...endpoint, column: 'secret_previous' },
  {
    what: 'credentials of connections',
    table: 'connection',
    id: 'id',
    idType: 'text',
    column: 'sealed',
    keyOf: (masterKey) => connectionKeys(masterKey, undefined).collecting,
    placeOf: (id) => collectingPlace(id as ConnectionId),
  },
  {
    what: 'secrets of authenticator apps',
    table: 'user_totp',
    id: 'user_id',
    idType: 'uuid',
    column: 'secret',
    keyOf: (masterKey) => totpKey(deriveKey(masterKey, 'people')),
    placeOf: (id) => totpPlace(id as UserId),
  },
  {
    what: 'letters that wait',
    table: 'letter',
    id: 'id',
    idType: 'uuid',
    column: 'sealed',
    keyOf: letterKey,
    placeOf: (id) => letterPlace(id as LetterId),
  },
]
