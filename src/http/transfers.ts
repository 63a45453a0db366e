// Transfers between own wallets: create, read, list.
import {
  ownTransferRecord,
  type OwnTransfer,
  type OwnTransferId,
  type OwnTransferRequest,
} from '#/wallets/own-transfer.ts'
import { AppError } from '#/kernel/error.ts'
import { isUuid, newId, type WalletId } from '#/kernel/id.ts'
import { differences } from '#/payments/create.ts'
import { selectOwnTransfers } from '#/wallets/transfer-queries.ts'
import { ownTransferKind, type OwnTransferVerdict } from '#/wallets/transfer.ts'
import { Type as T, type Static } from 'typebox'
import { idempotencyKeyOf, metadataFaults, tooMuch } from './body.ts'
import { ofCurrency, pageOf, pageSize, paging, queryOf, readCursor, readSpan, span } from './query.ts'
import { route, type Route } from './route.ts'
import { uuid } from '#/kernel/schema.ts'
import { listOf } from './schema-words.ts'
import { transfer, transferRequest } from './wallet-schemas.ts'

const create = route({
  method: 'POST',
  path: '/v1/transfers',
  scope: 'wallets:write',
  operationId: 'createTransfer',
  summary: 'Move money between two own wallets of one currency',
  description: 'At once and for good. A RESERVE may pay; an inactive wallet may only receive.',
  status: 201,
  answer: transfer,
  headers: { 'Idempotent-Replayed': '`true` when the key made this transfer before.' },
  problems: [
    'not_found',
    'idempotency_conflict',
    'currency_not_supported',
    'insufficient_funds',
    'wallet_not_spendable',
    'limit_exceeded',
  ],
  body: transferRequest,
  async handle({ lane }, call) {
    const { merchant, body } = call
    const key = idempotencyKeyOf(call)
    const faults = metadataFaults(body.metadata)
    if (faults.length > 0) throw new AppError('invalid_request', 'metadata is too large.', { faults })
    const request = requestOf(body)
    const verdict = await lane.submit(ownTransferKind, {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'own-transfer'>(),
      request,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    })
    const made = madeBy(verdict, request)
    const headers = verdict.kind === 'replayed' ? { 'idempotent-replayed': 'true' } : {}
    return { record: ownTransferRecord(merchant.mode, made), headers }
  },
})

function requestOf(body: Static<typeof transferRequest>): OwnTransferRequest {
  const { amount, description, metadata } = body
  const fromWalletId = body.fromWalletId.toLowerCase() as WalletId
  const toWalletId = body.toWalletId.toLowerCase() as WalletId
  if (fromWalletId === toWalletId) {
    const fault = { pointer: '/toWalletId', code: 'not_allowed', message: 'must be another wallet' }
    throw new AppError('invalid_request', 'A transfer is between two wallets.', { faults: [fault] })
  }
  return {
    fromWalletId,
    toWalletId,
    amount,
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
  }
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
    case 'unknown_wallet': {
      const fault = { pointer: `/${verdict.field}`, code: 'not_found', message: 'is no wallet of yours' }
      throw new AppError('not_found', 'There is no such wallet.', { faults: [fault] })
    }
    case 'other_currency': {
      const { from, to } = verdict
      const message = `is in ${to.currency}, the other one in ${from.currency}`
      throw new AppError('currency_not_supported', 'A transfer stays in one currency.', {
        faults: [{ pointer: '/toWalletId', code: 'other_currency', message }],
      })
    }
    case 'not_spendable': {
      const fault = { pointer: '/fromWalletId', code: 'inactive', message: 'is not active' }
      throw new AppError('wallet_not_spendable', 'This wallet is inactive.', { faults: [fault] })
    }
    case 'too_much':
      throw tooMuch(verdict.roomMinor)
    case 'insufficient_funds':
      throw new AppError('insufficient_funds', 'The wallet does not hold this amount.', {
        faults: [{ pointer: '/amount', code: 'too_large', message: 'is more than the wallet holds' }],
      })
  }
}

const get = route({
  method: 'GET',
  path: '/v1/transfers/{id}',
  scope: 'wallets:read',
  operationId: 'getTransfer',
  summary: 'Get a transfer between own wallets',
  description: 'A transfer never changes: it happened at once and for good.',
  status: 200,
  answer: transfer,
  async handle({ sql }, { merchant, id }) {
    const [found] = await selectOwnTransfers(sql, merchant.id, { id: id as OwnTransferId, limit: 1 })
    if (found === undefined) throw new AppError('not_found', 'There is no such transfer.')
    return { record: ownTransferRecord(merchant.mode, found) }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/transfers',
  scope: 'wallets:read',
  operationId: 'listTransfers',
  summary: 'List transfers between own wallets, newest first',
  description:
    'The transfers of all wallets, or of one on either side. `from` and `to` filter by when the money moved.',
  status: 200,
  answer: listOf(transfer),
  query: queryOf({
    ...paging,
    ...span,
    walletId: T.Optional(uuid('On either side.')),
    currency: ofCurrency,
  }),
  async handle({ sql }, { merchant, query }) {
    const { walletId, currency, cursor, limit = pageSize } = query
    const [before] = cursor === undefined ? [] : readCursor(cursor, isUuid)
    const found = await selectOwnTransfers(sql, merchant.id, {
      ...(walletId === undefined ? {} : { walletId: walletId.toLowerCase() as WalletId }),
      ...(currency === undefined ? {} : { currency }),
      ...(before === undefined ? {} : { before: before as OwnTransferId }),
      ...readSpan(query),
      limit: limit + 1,
    })
    return { record: pageOf(found, limit, (each) => ownTransferRecord(merchant.mode, each)) }
  },
})

export const transferRoutes: readonly Route[] = [create, get, list]
