// Sub-accounts of the caller: create, read, list, change, and make keys for them.
import { apiKey, newApiKey } from '#/contract/keys.ts'
import {
  newSubAccount,
  subAccount,
  subAccountChange,
  subAccountKeyRequest,
  subAccountRequest,
} from '#/contract/sub-accounts.ts'
import { consolidated } from '#/contract/wallets.ts'
import { listOf } from '#/contract/words.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { listKeys } from '#/merchants/key-queries.ts'
import { keyRecord } from '#/merchants/keys.ts'
import { listSubAccounts } from '#/merchants/sub-account-queries.ts'
import { subAccountRecord } from '#/merchants/sub-account.ts'
import {
  changeSubAccount,
  makeSubAccount,
  makeSubAccountKey,
  requireSubAccount,
  type SubAccountRequest,
} from '#/merchants/sub-accounts.ts'
import { none } from '#/people/concern.ts'
import { consolidatedBalance } from '#/wallets/balance.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import { idempotencyKeyOf } from './body.ts'
import * as examples from './example-records.ts'
import * as splitExamples from './example-splits.ts'
import * as webhookExamples from './example-webhooks.ts'
import { paging, queryOf, pageBefore } from './query.ts'
import { route, type Route } from './route.ts'

const create = route({
  route: 'POST /v1/sub-accounts',
  scope: 'subaccounts:write',
  audit: 'ITSELF',
  starts: 'setting',
  concern: 'people',
  operationId: 'createSubAccount',
  summary: 'Make a sub-account',
  description:
    'A merchant whose parent you are, of your mode: with wallets, keys, events and webhooks of its own. It starts PENDING: payments may be split to it, and the operator has to make it ACTIVE before it withdraws. A sub-account has none of its own.',
  status: 201,
  answer: newSubAccount,
  example: { ...splitExamples.subAccount, webhookSecret: webhookExamples.secret },
  headers: { 'Idempotent-Replayed': '`true` when the key made this sub-account before.' },
  problems: ['idempotency_conflict', 'invalid_state', 'limit_exceeded'],
  body: subAccountRequest,
  exampleBody: {
    name: splitExamples.subAccount.name,
    taxId: splitExamples.subAccount.taxId,
    reference: splitExamples.subAccount.reference,
    idempotencyKey: 'seller-17',
  },
  async handle({ sql, clock, newMerchants }, call) {
    const key = idempotencyKeyOf(call)
    const { merchant, origin, body } = call
    const request: SubAccountRequest = {
      name: nameOf(body.name),
      ...given({ taxId: body.taxId, reference: body.reference }),
    }
    const keyed = { ...request, ...given({ idempotencyKey: key }) }
    const made = await makeSubAccount({ sql, clock, ...newMerchants }, merchant, keyed, origin)
    const record = subAccountRecord(made.account)
    if (made.webhookSecret === undefined) return { record, isReplayed: true }
    return { record: { ...record, webhookSecret: showWebhookSecret(made.webhookSecret) } }
  },
})

function nameOf(written: string): string {
  const name = written.trim()
  if (name !== '') return name
  const fault: FieldFault = { pointer: '/name', code: 'too_short', message: 'must not be blank' }
  throw new AppError('invalid_request', 'A sub-account has a name.', { faults: [fault] })
}

const list = route({
  route: 'GET /v1/sub-accounts',
  scope: 'subaccounts:read',
  operationId: 'listSubAccounts',
  summary: 'List sub-accounts, newest first',
  description: 'All that you made, closed ones too.',
  answer: listOf(subAccount),
  example: { data: [splitExamples.subAccount] },
  query: queryOf(paging),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageBefore(query, (page) => listSubAccounts(sql, merchant.id, page), subAccountRecord),
  }),
})

const get = route({
  route: 'GET /v1/sub-accounts/{id}',
  scope: 'subaccounts:read',
  operationId: 'getSubAccount',
  summary: 'Get a sub-account',
  description:
    'Its wallets, payments and events are read with its own keys, or with the header `sub-account`.',
  answer: subAccount,
  example: splitExamples.subAccount,
  async handle({ sql }, { merchant, id }) {
    return { record: subAccountRecord(await requireSubAccount(sql, merchant.id, id as MerchantId)) }
  },
})

const balance = route({
  route: 'GET /v1/sub-accounts/{id}/balance',
  scope: 'subaccounts:read',
  operationId: 'getSubAccountBalance',
  summary: 'Get a sub-account’s sums of each currency',
  description: 'What its wallets hold now, and what it owes: `owed` to the operator, `owedToParent` to you.',
  answer: consolidated,
  example: {
    data: [
      {
        currency: 'BRL',
        ...examples.balances,
        owed: 0,
        owedToParent: 1_250,
        byWalletType: [{ walletType: 'SPENDABLE', ...examples.balances }],
      },
    ],
    asOf: examples.paidAt,
  },
  async handle({ sql }, { merchant, id }) {
    const account = await requireSubAccount(sql, merchant.id, id as MerchantId)
    return { record: await consolidatedBalance(sql, account) }
  },
})

const keys = route({
  route: 'GET /v1/sub-accounts/{id}/keys',
  scope: 'subaccounts:read',
  operationId: 'listSubAccountKeys',
  summary: 'List the API keys of a sub-account, newest first',
  description: 'Those that you made and those that it made itself, without the keys themselves.',
  answer: listOf(apiKey),
  example: { data: [{ ...examples.apiKey, name: 'seller' }] },
  query: queryOf(paging),
  async handle({ sql }, { merchant, id, query }) {
    const account = await requireSubAccount(sql, merchant.id, id as MerchantId)
    return { record: await pageBefore(query, (page) => listKeys(sql, account.id, page), keyRecord) }
  },
})

const change = route({
  route: 'PATCH /v1/sub-accounts/{id}',
  scope: 'subaccounts:write',
  audit: 'ITSELF',
  starts: 'setting',
  concern: none('names, and states in which less is possible; ACTIVE is the operator’s'),
  operationId: 'changeSubAccount',
  summary: 'Change a sub-account, suspend it, or close it',
  description:
    '`state`: SUSPENDED; PENDING ends a suspension of yours; CLOSED is final, and is refused (409) while anything of it is open; `open` names what. ACTIVE is the operator’s alone (403).',
  answer: subAccount,
  example: { ...splitExamples.subAccount, state: 'SUSPENDED', suspendedBy: 'PARENT', version: 2 },
  problems: ['invalid_state'],
  body: subAccountChange,
  exampleBody: { state: 'SUSPENDED' },
  async handle({ sql }, { merchant, id, body, origin }) {
    const wish = { ...body, ...(body.name === undefined ? {} : { name: nameOf(body.name) }) }
    const of = { id: id as MerchantId, parentId: merchant.id }
    return { record: subAccountRecord(await changeSubAccount(sql, of, wish, origin)) }
  },
})

const makeKey = route({
  route: 'POST /v1/sub-accounts/{id}/keys',
  scope: 'subaccounts:write',
  audit: 'ITSELF',
  starts: 'key',
  concern: 'people',
  operationId: 'createSubAccountKey',
  summary: 'Make an API key of a sub-account',
  description:
    'The answer shows the key itself, this once. It has at most the rights of the calling key, and counts as the same person where two are needed.',
  status: 201,
  answer: newApiKey,
  example: { ...examples.apiKey, name: 'seller', key: examples.apiKeySecret },
  body: subAccountKeyRequest,
  exampleBody: { name: 'seller', scopes: ['payments:read'] },
  async handle({ sql, keyMint }, call) {
    const made = await makeSubAccountKey({ sql, mint: keyMint }, call, call.id as MerchantId, call.body)
    return { record: { ...keyRecord(made.row), key: made.key } }
  },
})

export const subAccountRoutes: readonly Route[] = [list, get, balance, keys, create, change, makeKey]
