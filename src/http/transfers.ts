// Transfers between own wallets, and with wallets of sub-accounts: create, read, list.
import { Type as T, type Static } from 'typebox'
import { transfer, transferRequest } from '#/contract/transfers.ts'
import { listOf } from '#/contract/words.ts'
import { AppError, type FieldFault, type ProblemCode, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import { amountToJson } from '#/kernel/money.ts'
import { differences } from '#/kernel/same-call.ts'
import { uuid } from '#/kernel/schema.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import {
  ownTransferRecord,
  type OwnTransfer,
  type OwnTransferId,
  type OwnTransferRequest,
} from '#/wallets/own-transfer.ts'
import { selectOwnTransfers } from '#/wallets/transfer-queries.ts'
import { ownTransferKind, type OwnTransferVerdict } from '#/wallets/transfer.ts'
import { idempotencyKeyOf, metadataFaults, tooMuch } from './body.ts'
import * as examples from './example-records.ts'
import { ofCurrency, paging, queryOf, readSpan, span, pageBefore, lowered } from './query.ts'
import { route, type Route } from './route.ts'

const create = route({
  route: 'POST /v1/transfers',
  scope: 'wallets:write',
  audit: {
    action: 'transfer.create',
    subjectOf: (_call, verdict: OwnTransferVerdict) =>
      verdict.kind === 'created' ? `transfer:${verdict.transfer.id}` : undefined,
  },
  starts: 'ownTransfer',
  concern: 'money',
  operationId: 'createTransfer',
  summary: 'Move money between two wallets of one currency',
  description:
    'At once and for good: between own wallets, or with a wallet of a sub-account of yours. To a sub-account whenever you want to; from one only while a transfer grant of its stands. A RESERVE may pay; an inactive wallet may only receive.',
  status: 201,
  answer: transfer,
  example: examples.transfer,
  headers: { 'Idempotent-Replayed': '`true` when the key made this transfer before.' },
  problems: [
    'not_found',
    'frozen',
    'idempotency_conflict',
    'invalid_state',
    'currency_not_supported',
    'insufficient_funds',
    'wallet_not_spendable',
    'transfer_not_granted',
    'limit_exceeded',
  ],
  body: transferRequest,
  exampleBody: {
    fromWalletId: examples.transfer.fromWalletId,
    toWalletId: examples.transfer.toWalletId,
    amount: 5000,
    description: 'Taxes of November',
    idempotencyKey: 'taxes-2026-11',
  },
  async handle({ lane }, call, audited) {
    const { merchant, body } = call
    const key = idempotencyKeyOf(call)
    const faults = metadataFaults(body.metadata)
    if (faults.length > 0) throw new AppError('invalid_request', 'metadata is too large.', { faults })
    const request = requestOf(body)
    const item = {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'own-transfer'>(),
      request,
      requestedBy: call.keyId,
      ...given({ idempotencyKey: key }),
    }
    const verdict = await lane.submit(ownTransferKind, item, audited)
    const made = madeBy(verdict, request)
    return { record: ownTransferRecord(merchant.mode, made), isReplayed: verdict.kind === 'replayed' }
  },
})

type Body = Static<typeof transferRequest>

function requestOf(body: Body): OwnTransferRequest {
  const { fromWalletId, fromSubAccountId, toWalletId, toSubAccountId, amount, description, metadata } = body
  const faults = sideFaults(body)
  if (faults.length > 0)
    throw new AppError('invalid_request', 'A transfer is between two wallets.', { faults })
  const id = <Of extends string>(name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: value.toLowerCase() as Of }
  return {
    ...id<WalletId>('fromWalletId', fromWalletId),
    ...id<MerchantId>('fromSubAccountId', fromSubAccountId),
    ...id<WalletId>('toWalletId', toWalletId),
    ...id<MerchantId>('toSubAccountId', toSubAccountId),
    amount,
    ...given({ description, metadata }),
  }
}

/** Each side is named, one side at least is the caller's own, and the two are not one wallet. */
function sideFaults({
  fromWalletId,
  fromSubAccountId,
  toWalletId,
  toSubAccountId,
}: Body): readonly FieldFault[] {
  if (fromSubAccountId !== undefined && toSubAccountId !== undefined)
    return [{ pointer: '/toSubAccountId', code: 'not_allowed', message: 'is not for money of a sub-account' }]
  const missing = [
    ...(fromWalletId === undefined && fromSubAccountId === undefined ? ['/fromWalletId'] : []),
    ...(toWalletId === undefined && toSubAccountId === undefined ? ['/toWalletId'] : []),
  ]
  if (missing.length > 0)
    return missing.map((pointer) => ({ pointer, code: 'required', message: 'is required, or a sub-account' }))
  return fromWalletId !== undefined && fromWalletId.toLowerCase() === toWalletId?.toLowerCase()
    ? [{ pointer: '/toWalletId', code: 'not_allowed', message: 'must be another wallet' }]
    : []
}

/** The transfer that was made, or the problem that says why there is none. */
function madeBy(verdict: OwnTransferVerdict, request: OwnTransferRequest): OwnTransfer {
  switch (verdict.kind) {
    case 'created':
    case 'replayed':
      return verdict.transfer
    case 'conflict': {
      const { id, request: before } = verdict.transfer
      const faults = differences(before, request)
      throw new AppError('idempotency_conflict', `The key made transfer ${id} with another body.`, { faults })
    }
    case 'unknown_sub_account':
      throw refused('not_found', 'There is no such sub-account.', {
        pointer: `/${verdict.side}SubAccountId`,
        code: 'not_found',
        message: 'is no sub-account of yours',
      })
    case 'unknown_wallet': {
      const isTheirs =
        request[verdict.field === 'fromWalletId' ? 'fromSubAccountId' : 'toSubAccountId'] !== undefined
      const message = isTheirs ? 'is no wallet of that sub-account' : 'is no wallet of yours'
      const fault = { pointer: `/${verdict.field}`, code: 'not_found', message }
      throw refused('not_found', 'There is no such wallet.', fault)
    }
    case 'no_wallet':
      throw refused('currency_not_supported', `The sub-account has no wallet in ${verdict.currency}.`, {
        pointer: `/${verdict.side}SubAccountId`,
        code: 'other_currency',
        message: `has no wallet in ${verdict.currency}`,
      })
    case 'other_currency': {
      const { from, to } = verdict
      const message = `is in ${to.currency}, the other one in ${from.currency}`
      const fault = { pointer: '/toWalletId', code: 'other_currency', message }
      throw refused('currency_not_supported', 'A transfer stays in one currency.', fault)
    }
    case 'sub_account_state':
      throw refused('invalid_state', `The sub-account is ${verdict.state}.`, {
        pointer: `/${verdict.side}SubAccountId`,
        code: 'not_active',
        message: `is ${verdict.state}`,
      })
    case 'frozen':
      throw moneyIsFrozen()
    case 'objected':
      throw new AppError(
        'forbidden',
        'Whoever gave the transfer grant does not take by it: another person of yours does.',
        { extra: { reason: verdict.objection } },
      )
    case 'not_granted':
      throw notGranted(verdict.leftMinor)
    case 'not_spendable': {
      const fault = { pointer: '/fromWalletId', code: 'inactive', message: 'is not active' }
      throw refused('wallet_not_spendable', 'This wallet is inactive.', fault)
    }
    case 'too_much':
      throw tooMuch(verdict.roomMinor)
    case 'insufficient_funds': {
      const fault = { pointer: '/amount', code: 'too_large', message: 'is more than the wallet holds' }
      throw refused('insufficient_funds', 'The wallet does not hold this amount.', fault)
    }
  }
}

function refused(code: ProblemCode, detail: string, fault: FieldFault): AppError {
  return new AppError(code, detail, { faults: [fault] })
}

/** The answer to a platform that takes without a grant, or more than it allows. */
function notGranted(leftMinor: bigint | undefined): AppError {
  if (leftMinor === undefined)
    return refused(
      'transfer_not_granted',
      'The sub-account has not granted this: no transfer grant of its stands.',
      {
        pointer: '/fromSubAccountId',
        code: 'not_granted',
        message: 'has given no transfer grant in this currency that stands',
      },
    )
  return new AppError('transfer_not_granted', `The grant of the sub-account leaves ${leftMinor}.`, {
    faults: [{ pointer: '/amount', code: 'too_large', message: `is at most ${leftMinor} by its grant` }],
    extra: { left: amountToJson(leftMinor) },
  })
}

const get = route({
  route: 'GET /v1/transfers/{id}',
  scope: 'wallets:read',
  operationId: 'getTransfer',
  summary: 'Get a transfer between wallets',
  description: 'A transfer never changes: it happened at once and for good.',
  answer: transfer,
  example: examples.transfer,
  async handle({ sql }, { merchant, id }) {
    const [found] = await selectOwnTransfers(sql, merchant.id, { id: id as OwnTransferId, limit: 1 })
    return { record: ownTransferRecord(merchant.mode, existing(found, 'transfer')) }
  },
})

const list = route({
  route: 'GET /v1/transfers',
  scope: 'wallets:read',
  operationId: 'listTransfers',
  summary: 'List transfers between wallets, newest first',
  description:
    'The transfers of all wallets, or of one on either side. `from` and `to` filter by when the money moved.',
  answer: listOf(transfer),
  example: { data: [examples.transfer] },
  query: queryOf({
    ...paging,
    ...span,
    walletId: T.Optional(uuid('On either side.')),
    currency: ofCurrency,
  }),
  async handle({ sql }, { merchant, query }) {
    const { walletId, currency } = query
    const filter = { ...given({ walletId: lowered<WalletId>(walletId), currency }), ...readSpan(query) }
    return {
      record: await pageBefore(
        query,
        (page) => selectOwnTransfers(sql, merchant.id, { ...filter, ...page }),
        (each) => ownTransferRecord(merchant.mode, each),
      ),
    }
  },
})

export const transferRoutes: readonly Route[] = [create, get, list]
