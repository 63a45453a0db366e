// The shapes of API keys, and how a key's row becomes its record.
import { Type as T, type TSchema } from 'typebox'
import * as patterns from '#/contract/patterns.ts'
import { documented, idempotencyKey, text } from '#/contract/words.ts'
import { instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { keyLength, scopes } from '#/merchants/api-key.ts'
import type { KeyRow } from '#/merchants/key-queries.ts'
import { cidrsMax } from '#/merchants/key-rights.ts'

export const scope = oneOf('Scope', scopes, 'What a key may do. New ones may be added.')

const keyStatuses = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const
const makers = ['API_KEY', 'USER', 'OPERATOR'] as const

const keyFields = {
  id: uuid(),
  name: T.String(),
  lastFour: T.String({ description: 'The last four characters of the key.' }),
  status: oneOf('ApiKeyStatus', keyStatuses, 'Only an ACTIVE key works.'),
  scopes: T.Array(scope),
  allowedCidrs: T.Optional(
    T.Array(T.String(), { description: 'The networks from which it may be used. Absent: from everywhere.' }),
  ),
  createdAt: instant(),
  createdBy: T.Object(
    {
      kind: oneOf(
        'ApiKeyMaker',
        makers,
        'API_KEY: a key of yours. USER: a person, in the dashboard. OPERATOR: a command of the operator.',
      ),
      keyId: T.Optional(uuid('API_KEY: which one.')),
      userId: T.Optional(uuid('USER: who.')),
    },
    { title: 'ApiKeyCreator', description: 'Who made it.' },
  ),
  rolledFrom: T.Optional(uuid('The key in whose place it was made.')),
  lineage: uuid(
    'The first key of those that it came of, by rolling or because a key made it. Keys of one lineage count as one person.',
  ),
  person: T.Optional(
    T.String({ description: 'Who holds it, in the operator’s words. Keys of one person count as one.' }),
  ),
  expiresAt: T.Optional(instant('From then on it does not work.')),
  revokedAt: T.Optional(instant()),
  lastUsedAt: T.Optional(instant('When it was last used, to within a minute or two. Absent: never.')),
}

/** A key as answers show it. */
export const apiKey = T.Object(keyFields, {
  title: 'ApiKey',
  description: 'A key, without the key itself.',
})

/** A key that was just made. */
export const newApiKey = T.Object(
  {
    ...keyFields,
    key: T.Optional(
      T.String({
        maxLength: keyLength,
        description: 'The key itself, shown this once. Absent when the idempotency key made it before.',
      }),
    ),
  },
  { title: 'NewApiKey', description: 'A key that was just made.' },
)

const name = text(100, 'What it is for, so that you recognise it.')

const cidrs = (description: string) =>
  T.Array(
    documented(
      T.String({
        minLength: 2,
        maxLength: 49,
        examples: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
      }),
      { pattern: patterns.cidr },
    ),
    { minItems: 1, maxItems: cidrsMax, description },
  )

const scopeList = (description: string) =>
  T.Array(scope, { minItems: 1, maxItems: scopes.length, description })

const expiresAt = (description: string) =>
  T.Optional(
    documented(T.String({ maxLength: 40, description, examples: ['2027-12-31T00:00:00Z'] }), {
      pattern: patterns.instant,
    }),
  )

const request = <Fields extends Record<string, TSchema>>(title: string, fields: Fields) =>
  T.Object(fields, { title, additionalProperties: false })

export const keyRequest = request('CreateApiKeyRequest', {
  name,
  scopes: scopeList('What it may do; nothing that the calling key may not.'),
  expiresAt: expiresAt(
    'From when on it does not work; not later than the end of the calling key. Default: when that ends.',
  ),
  allowedCidrs: T.Optional(
    cidrs(
      'The networks from which it may be used, all within those of the calling key. Default: those of the calling key.',
    ),
  ),
  idempotencyKey: T.Optional(idempotencyKey),
})

export const keyChange = request('ChangeApiKeyRequest', {
  name: T.Optional(name),
  scopes: T.Optional(scopeList('Those that it keeps, of those that it has.')),
  allowedCidrs: T.Optional(
    cidrs(
      'The networks from which it may be used from now on, all within those of the calling key. `0.0.0.0/0` and `::/0` are everywhere.',
    ),
  ),
})

/** The longest overlap: a week. */
const overlapHoursMax = 168
export const overlapHoursUsual = 24

export const rollRequest = request('RollApiKeyRequest', {
  overlapHours: T.Optional(
    documented(whole(0, overlapHoursMax, 'How long the old key works on. 0: it ends now.'), {
      default: overlapHoursUsual,
    }),
  ),
  expiresAt: expiresAt(
    'From when on the new key does not work; not later than the end of the calling key. Default: when the old key would have ended.',
  ),
  idempotencyKey: T.Optional(idempotencyKey),
})

/** The key as the API shows it. */
export function keyRecord(row: KeyRow): Readonly<Record<string, unknown>> {
  const { id, name, lastFour, scopes: granted, createdAt, lineage } = row
  const optional = {
    allowedCidrs: row.allowedCidrs,
    rolledFrom: row.rolledFrom,
    person: row.person,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lastUsedAt: row.lastUsedAt,
  }
  return {
    id,
    name,
    lastFour,
    status: row.revokedAt !== null ? 'REVOKED' : row.isExpired ? 'EXPIRED' : 'ACTIVE',
    scopes: granted,
    createdAt,
    createdBy: makerOf(row),
    lineage,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
  }
}

function makerOf({ madeByKey, madeByMember }: KeyRow): Readonly<Record<string, string>> {
  if (madeByKey === null) return { kind: 'OPERATOR' }
  return madeByMember === null
    ? { kind: 'API_KEY', keyId: madeByKey }
    : { kind: 'USER', userId: madeByMember }
}
