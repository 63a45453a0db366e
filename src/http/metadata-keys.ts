// The keys of metadata by which lists find payments and withdrawals.
import { type metadataKey, metadataKeys, metadataKeysRequest } from '#/contract/metadata-keys.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import { declareMetadataKeys, listMetadataKeys } from '#/finding/metadata-key.ts'
import type { MetadataKey } from '#/finding/metadata-key.ts'
import { none } from '#/people/concern.ts'
import * as examples from './example-records.ts'
import { route, type Route } from './route.ts'

const list = route({
  route: 'GET /v1/metadata-keys',
  scope: 'payments:read',
  operationId: 'listMetadataKeys',
  summary: 'List the keys of metadata that lists find by',
  description:
    'Each with its state: whether lists find by it yet, and how far earlier records are filled in.',
  answer: metadataKeys,
  example: { data: [{ key: 'orderId', status: 'READY', declaredAt: examples.paidAt }] },
  async handle({ sql }, { merchant }) {
    return { record: listOfKeys(await listMetadataKeys(sql, merchant.id)) }
  },
})

const declare = route({
  route: 'PUT /v1/metadata-keys',
  scope: 'payments:write',
  audit: { action: 'metadata_keys.declare', subjectOf: ({ merchant }) => `merchant:${merchant.id}` },
  starts: 'setting',
  concern: none('how lists find'),
  operationId: 'declareMetadataKeys',
  summary: 'Declare the keys of metadata that lists find by',
  description:
    'The whole list, of at most five. Records that are created from now on are found by a new key at once when it is READY; earlier ones are filled in first, which takes at least a minute. Keys that stay in the list stay READY. The same list again changes nothing.',
  answer: metadataKeys,
  example: {
    data: [
      { key: 'orderId', status: 'READY', declaredAt: examples.paidAt },
      { key: 'customerId', status: 'FILLING', declaredAt: examples.paidAt },
    ],
  },
  problems: ['invalid_state'],
  body: metadataKeysRequest,
  exampleBody: { keys: ['orderId', 'customerId'] },
  async handle({ sql }, { merchant, body }, { beside }) {
    return { record: listOfKeys(await declareMetadataKeys(sql, merchant.id, body.keys, beside)) }
  },
})

function listOfKeys(keys: readonly MetadataKey[]): Of<typeof metadataKeys> {
  return {
    data: keys.map(({ key, status, declaredAt, filledUntil }) =>
      recordOf<typeof metadataKey>({
        key,
        status,
        declaredAt: declaredAt.toISOString(),
        filledUntil: filledUntil?.toISOString(),
      }),
    ),
  }
}

export const metadataKeyRoutes: readonly Route[] = [list, declare]
