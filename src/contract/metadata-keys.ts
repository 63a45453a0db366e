// The keys of metadata by which lists find records.
import { Type as T } from 'typebox'
import { instant, oneOf } from '#/kernel/schema.ts'
import { text } from './words.ts'

export const keysMax = 5
export const keyLengthMax = 64

export const metadataKey = T.Object(
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

export const metadataKeys = T.Object(
  { data: T.Array(metadataKey, { description: 'In the order in which they were declared.' }) },
  { title: 'MetadataKeyList', description: 'All your declared keys.' },
)

export const metadataKeysRequest = T.Object(
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
