// Sub-accounts.
import { Type as T } from 'typebox'
import { instant, oneOf, uuid, version } from '#/kernel/schema.ts'
import { scope, scopes } from './keys.ts'
import * as patterns from './patterns.ts'
import { about, documented, idempotencyKey, mode, text } from './words.ts'

export const subAccountStates = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const

const state = oneOf(
  'SubAccountState',
  subAccountStates,
  'PENDING receives and cannot withdraw. ACTIVE, by the operator alone, withdraws. SUSPENDED starts no payments, gets no new splits, and its money stays. CLOSED is final: its keys are not valid, nothing is started for it, and what still comes goes on to its parent.',
)

const fields = {
  id: uuid('It is a merchant of its own, and this is that merchant’s id.'),
  mode,
  name: T.String(),
  state,
  taxId: T.Optional(T.String()),
  reference: T.Optional(T.String({ description: 'Your own name of it.' })),
  suspendedBy: T.Optional(
    oneOf(
      'SubAccountSuspender',
      ['PARENT', 'OPERATOR'],
      'SUSPENDED: who may let it go on, besides the operator.',
    ),
  ),
  createdAt: instant(),
  activatedAt: T.Optional(instant('When the operator last let it withdraw.')),
  version,
}

export const subAccount = T.Object(fields, {
  title: 'SubAccount',
  description: 'A merchant with a parent: wallets, keys, events and webhooks of its own.',
})

export const newSubAccount = T.Object(
  {
    ...fields,
    webhookSecret: T.Optional(
      T.String({ description: 'Signs its webhooks. Shown this once; absent when the key made it before.' }),
    ),
  },
  { title: 'NewSubAccount', description: 'A sub-account that was just made.' },
)

const taxId = text(32, 'Its tax id, as its country writes it.')
const reference = text(100, 'Your own name of it, such as a seller’s number.')
const name = documented(text(200, 'A name for people; not blank.'), { pattern: patterns.notBlank })

export const subAccountRequest = T.Object(
  {
    name,
    taxId: T.Optional(taxId),
    reference: T.Optional(reference),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { title: 'CreateSubAccountRequest', additionalProperties: false },
)

export const subAccountChange = T.Object(
  {
    name: T.Optional(name),
    taxId: T.Optional(taxId),
    reference: T.Optional(reference),
    state: T.Optional(about(state, 'The state that it is to have.')),
  },
  { title: 'ChangeSubAccountRequest', additionalProperties: false },
)

export const subAccountKeyRequest = T.Object(
  {
    name: text(100, 'A name for people.'),
    scopes: T.Array(scope, {
      minItems: 1,
      maxItems: scopes.length,
      uniqueItems: true,
    }),
  },
  { title: 'CreateSubAccountKeyRequest', additionalProperties: false },
)
