// Transfer grants: a sub-account gives, reads and revokes them; its parent reads them and takes by them (transfers.ts).
import { Type as T, type Static } from 'typebox'
import { transferGrant, transferGrantRequest } from '#/contract/transfers.ts'
import { listOf, walletCurrencies } from '#/contract/words.ts'
import { readNow } from '#/db/due.ts'
import { AppError, type FieldFault, noSuch } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { differences } from '#/kernel/same-call.ts'
import { uuid } from '#/kernel/schema.ts'
import { notInState } from '#/merchants/account-state.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { ends } from '#/people/concern.ts'
import { giveGrantKind, revokeGrantKind, type GiveGrantVerdict } from '#/wallets/give-grant.ts'
import {
  grantRecord,
  type GrantRequest,
  type TransferGrant,
  type TransferGrantId,
} from '#/wallets/transfer-grant.ts'
import { listGrants } from '#/wallets/transfer-queries.ts'
import { idempotencyKeyOf, requireCapitals } from './body.ts'
import * as examples from './example-records.ts'
import * as splitExamples from './example-splits.ts'
import { paging, queryOf, readInstant, pageBefore, lowered } from './query.ts'
import { route, type Call, type Route } from './route.ts'

const create = route({
  route: 'POST /v1/transfer-grants',
  scope: 'withdrawals:write',
  audit: 'ITSELF',
  starts: 'grant',
  concern: 'money',
  operationId: 'createTransferGrant',
  summary: 'Let your parent take money by transfer',
  description:
    'For sub-accounts, by a key or a member of their own: not by a key of the parent, nor by one that the parent made. With `maxAmount`, `expiresAt`, or both. One grant stands in each currency.',
  status: 201,
  answer: transferGrant,
  example: splitExamples.grant,
  headers: { 'Idempotent-Replayed': '`true` when the key gave this grant before.' },
  problems: ['idempotency_conflict', 'invalid_state', 'currency_not_supported'],
  body: transferGrantRequest,
  exampleBody: {
    currency: 'BRL',
    maxAmount: 10000,
    expiresAt: splitExamples.grant.expiresAt,
    description: splitExamples.grant.description,
    idempotencyKey: 'rent-2026-12',
  },
  async handle({ lane }, call) {
    const { merchant, keyId, body } = call
    const key = idempotencyKeyOf(call)
    const request = requestOf(body)
    const id = newId<'transfer-grant'>()
    const item = { merchantId: merchant.id, mode: merchant.mode, id, request, keyId }
    const verdict = await lane.submit(
      giveGrantKind,
      { ...item, ...given({ idempotencyKey: key }) },
      { beside: (tx) => writeAudit(tx, [{ ...entryOf(call, 'transfer-grant.give', id), after: request }]) },
    )
    const { grant, now } = givenBy(verdict, request)
    return { record: grantRecord(grant, 'SUB_ACCOUNT', now), isReplayed: verdict.kind === 'replayed' }
  },
})

type Body = Static<typeof transferGrantRequest>

function requestOf({ idempotencyKey: _key, currency: given, expiresAt, ...body }: Body): GrantRequest {
  const currency = walletCurrencies.find((each) => each === given)
  if (currency === undefined) {
    requireCapitals(given)
    const fault = { pointer: '/currency', code: 'not_available', message: 'is not available' }
    throw new AppError('currency_not_supported', `There are no wallets in ${given}.`, { faults: [fault] })
  }
  const end = readInstant('expiresAt', expiresAt)
  if (body.maxAmount === undefined && end === undefined)
    throw malformed({ pointer: '/maxAmount', code: 'required', message: 'is required, or expiresAt' })
  return { ...body, currency, ...(end === undefined ? {} : { expiresAt: end.toISOString() }) }
}

function malformed(fault: FieldFault): AppError {
  return new AppError('invalid_request', `${fault.pointer} ${fault.message}.`, { faults: [fault] })
}

function givenBy(
  verdict: GiveGrantVerdict,
  request: GrantRequest,
): { readonly grant: TransferGrant; readonly now: Date } {
  switch (verdict.kind) {
    case 'created':
    case 'replayed':
      return verdict
    case 'conflict':
      throw new AppError(
        'idempotency_conflict',
        `The key gave grant ${verdict.grant.id} with another body.`,
        {
          faults: differences(requestOfGrant(verdict.grant), request),
        },
      )
    case 'stands':
      throw new AppError(
        'invalid_state',
        `Grant ${verdict.grant.id} stands in ${verdict.grant.currency}: revoke it first.`,
        { extra: { grantId: verdict.grant.id } },
      )
    case 'past':
      throw malformed({ pointer: '/expiresAt', code: 'too_small', message: 'must be in the future' })
    case 'sub_account_state':
      throw notInState(verdict.state)
    case 'no_parent':
      throw new AppError('invalid_state', 'Only a sub-account gives transfer grants.')
    case 'parents_key':
      throw parentsKey()
  }
}

function parentsKey(): AppError {
  return new AppError(
    'forbidden',
    'A sub-account gives and revokes grants by a key or a member of its own. This key is one of its parent, or came of one.',
  )
}

/** The request of a grant, as it was sent. */
function requestOfGrant({ currency, maxMinor, expiresAt, description }: TransferGrant): GrantRequest {
  return {
    currency,
    ...(maxMinor === null ? {} : { maxAmount: toJsonInteger(maxMinor) }),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(description === null ? {} : { description }),
  }
}

function entryOf({ origin, merchant }: Call<unknown, unknown>, action: string, id: TransferGrantId) {
  return { ...origin, action, subject: `transfer_grant:${id}`, merchantId: merchant.id }
}

const revoke = route({
  route: 'POST /v1/transfer-grants/{id}/revoke',
  scope: 'withdrawals:write',
  audit: 'ITSELF',
  starts: 'ending',
  concern: ends,
  operationId: 'revokeTransferGrant',
  summary: 'Revoke a transfer grant',
  description:
    'For the sub-account that gave it. From then on nothing is taken by it; what was taken stays taken. Revoking again returns the same.',
  answer: transferGrant,
  example: { ...splitExamples.grant, status: 'REVOKED', revokedAt: examples.paidAt, version: 2 },
  async handle({ lane }, call) {
    const { merchant, keyId } = call
    const id = call.id as TransferGrantId
    const item = { merchantId: merchant.id, mode: merchant.mode, id, keyId }
    const verdict = await lane.submit(revokeGrantKind, item, {
      beside: (tx) => writeAudit(tx, [entryOf(call, 'transfer-grant.revoke', id)]),
    })
    switch (verdict.kind) {
      case 'revoked':
      case 'was_revoked':
        return { record: grantRecord(verdict.grant, 'SUB_ACCOUNT', verdict.now) }
      case 'parents_key':
        throw parentsKey()
      case 'not_found':
      case 'no_parent':
        throw noSuch('transfer grant')
    }
  },
})

const get = route({
  route: 'GET /v1/transfer-grants/{id}',
  scope: 'wallets:read',
  operationId: 'getTransferGrant',
  summary: 'Get a transfer grant',
  description: 'One that you gave, or that a sub-account of yours gave you.',
  answer: transferGrant,
  example: splitExamples.grant,
  async handle({ sql }, { merchant, id }) {
    const [[found], now] = await Promise.all([
      listGrants(sql, merchant.id, { id: id as TransferGrantId, limit: 1 }),
      readNow(sql),
    ])
    if (found === undefined) throw noSuch('transfer grant')
    return { record: grantRecord(found, viewOf(found, merchant.id), now) }
  },
})

const list = route({
  route: 'GET /v1/transfer-grants',
  scope: 'wallets:read',
  operationId: 'listTransferGrants',
  summary: 'List transfer grants, newest first',
  description:
    'Those that you gave; or those that your sub-accounts gave you, all or of one. Ended ones are there too.',
  answer: listOf(transferGrant),
  example: { data: [splitExamples.grant] },
  query: queryOf({ ...paging, subAccountId: T.Optional(uuid('Only those of this sub-account.')) }),
  async handle({ sql }, { merchant, query }) {
    const of = given({ subAccountId: lowered<MerchantId>(query.subAccountId) })
    const now = await readNow(sql)
    return {
      record: await pageBefore(
        query,
        (page) => listGrants(sql, merchant.id, { ...of, ...page }),
        (each) => grantRecord(each, viewOf(each, merchant.id), now),
      ),
    }
  },
})

function viewOf({ merchantId }: TransferGrant, reader: MerchantId): 'SUB_ACCOUNT' | 'PARENT' {
  return merchantId === reader ? 'SUB_ACCOUNT' : 'PARENT'
}

export const transferGrantRoutes: readonly Route[] = [create, list, get, revoke]
