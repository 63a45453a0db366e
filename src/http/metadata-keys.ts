// The keys of metadata by which lists find payments and withdrawals.
import { Type as T } from 'typebox'
import { text } from '#/contract/words.ts'
import { declareMetadataKeys, keyLengthMax, keysMax, listMetadataKeys } from '#/finding/metadata-key.ts'
import type { MetadataKey } from '#/finding/metadata-key.ts'
import { instant, oneOf } from '#/kernel/schema.ts'
import { route, type Route } from './route.ts'

const metadataKey = T.Object(
  {
    key: T.String(),
    status: oneOf(
      'MetadataKeyStatus',
      ['FILLING', 'READY'],
      'FILLING: earlier records are being filled in, and lists refuse the key. READY: lists find every record by it.',
    ),
    declaredAt: instant(),
    filledUntil: T.Optional(instant('While FILLING: records that were created before it are filled in.')),
  },
  { title: 'MetadataKey', description: 'A key of your metadata that lists find records by.' },
)

const metadataKeys = T.Object(
  { data: T.Array(metadataKey, { description: 'In the order in which they were declared.' }) },
  { title: 'MetadataKeyList', description: 'All your declared keys.' },
)

const request = T.Object(
  {
    keys: T.Array(text(keyLengthMax, 'The name of a field of your metadata, on its first level.'), {
      maxItems: keysMax,
      uniqueItems: true,
      description: 'All of them: a key that is missing here is no longer declared.',
      examples: [['orderId', 'customerId']],
    }),
  },
  { title: 'DeclareMetadataKeysRequest', additionalProperties: false },
)

const list = route({
  method: 'GET',
  path: '/v1/metadata-keys',
  scope: 'payments:read',
  operationId: 'listMetadataKeys',
  summary: 'List the keys of metadata that lists find by',
  description:
    'Each with its state: whether lists find by it yet, and how far earlier records are filled in.',
  status: 200,
  answer: metadataKeys,
  async handle({ sql }, { merchant }) {
    return { record: recordOf(await listMetadataKeys(sql, merchant.id)) }
  },
})

const declare = route({
  method: 'PUT',
  path: '/v1/metadata-keys',
  scope: 'payments:write',
  operationId: 'declareMetadataKeys',
  summary: 'Declare the keys of metadata that lists find by',
  description:
    'The whole list, of at most five. Records that are created from now on are found by a new key at once when it is READY; earlier ones are filled in first, which takes at least a minute. Keys that stay in the list stay READY. The same list again changes nothing.',
  status: 200,
  answer: metadataKeys,
  problems: ['invalid_state'],
  body: request,
  async handle({ sql, auditAct }, { merchant, body }) {
    return { record: recordOf(await declareMetadataKeys(sql, merchant.id, body.keys, auditAct)) }
  },
})

function recordOf(keys: readonly MetadataKey[]) {
  return {
    data: keys.map(({ key, status, declaredAt, filledUntil }) => ({
      key,
      status,
      declaredAt: declaredAt.toISOString(),
      ...(filledUntil === undefined ? {} : { filledUntil: filledUntil.toISOString() }),
    })),
  }
}

export const metadataKeyRoutes: readonly Route[] = [list, declare]
