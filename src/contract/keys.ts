// API keys.
import { Type as T, type TSchema } from 'typebox'
import { instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import * as patterns from './patterns.ts'
import { documented, idempotencyKey, text } from './words.ts'

/** Everything that a key can allow. Each route names the scope that it needs. */
export const scopes = [
  'payments:read',
  'payments:write',
  'wallets:read',
  'wallets:write',
  'withdrawals:read',
  'withdrawals:write',
  'withdrawals:approve',
  'webhooks:read',
  'webhooks:write',
  'requests:read',
  'keys:read',
  'keys:write',
  'subaccounts:read',
  'subaccounts:write',
  'subaccounts:act',
  'sandbox',
] as const

/** The length of every key: its prefix, the cell's code, 30 random digits and the checksum. */
export const keyLength = 47

/** The most networks in the list of a key. */
export const cidrsMax = 20

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

const requestOf = <Fields extends Record<string, TSchema>>(title: string, fields: Fields) =>
  T.Object(fields, { title, additionalProperties: false })

export const keyRequest = requestOf('CreateApiKeyRequest', {
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

export const keyChange = requestOf('ChangeApiKeyRequest', {
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

export const rollRequest = requestOf('RollApiKeyRequest', {
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
