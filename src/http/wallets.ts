// Wallets, their balances, and the statement.
import { AppError } from '#/kernel/error.ts'
import { isUuid, newId, type WalletId } from '#/kernel/id.ts'
import { differences } from '#/payments/create.ts'
import { consolidatedBalance, walletRecords } from '#/wallets/balance.ts'
import type { WalletRequest } from '#/wallets/create.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { statementKinds, statementPage, type StatementPosition } from '#/wallets/statement.ts'
import { walletCurrencies, type Wallet } from '#/wallets/wallet.ts'
import { Type as T, type Static } from 'typebox'
import { pageSize, paging, queryOf, readCursor, readSpan, span, unknownCursor, writeCursor } from './query.ts'
import { route, type Call, type Route } from './route.ts'
import { consolidated, listOf, oneOf, statementEntry, uuid, wallet, walletRequest } from './schemas.ts'

const create = route({
  method: 'POST',
  path: '/v1/wallets',
  scope: 'wallets:write',
  operationId: 'createWallet',
  summary: 'Open a wallet',
  description: 'The first SPENDABLE wallet of a currency is its default; later ones are not.',
  status: 201,
  answer: wallet,
  headers: { 'Idempotent-Replayed': '`true` when the key opened this wallet before.' },
  problems: ['idempotency_conflict', 'currency_not_supported'],
  body: walletRequest,
  async handle(deps, call) {
    const { merchant } = call
    const key = keyOf(call)
    const request = requestOf(call.body)
    const verdict = await deps.lane.submit(deps.walletKind, {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'wallet'>(),
      request,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    })
    if (verdict.kind === 'conflict') throw conflict(verdict.wallet, request)
    const [record] = await walletRecords(deps.sql, merchant, [verdict.wallet])
    return { record, headers: verdict.kind === 'replayed' ? { 'idempotent-replayed': 'true' } : {} }
  },
})

/** The key may come in the body or in the header; not two different ones. */
function keyOf({ body, idempotencyKey }: Call<unknown, Static<typeof walletRequest>>): string | undefined {
  if (
    idempotencyKey !== undefined &&
    body.idempotencyKey !== undefined &&
    idempotencyKey !== body.idempotencyKey
  ) {
    const fault = {
      pointer: '/idempotencyKey',
      code: 'differs',
      message: 'differs from the header Idempotency-Key',
    }
    throw new AppError('invalid_request', 'The header and the body name different keys.', { errors: [fault] })
  }
  return body.idempotencyKey ?? idempotencyKey
}

function requestOf({ currency: text, walletType, label }: Static<typeof walletRequest>): WalletRequest {
  const currency = walletCurrencies.find((each) => each === text)
  if (currency !== undefined) return { currency, walletType, label }
  const fault = {
    pointer: '/currency',
    code: 'not_available',
    message: `must be one of ${walletCurrencies.join(', ')}`,
  }
  throw new AppError('currency_not_supported', `There are no wallets in ${text}.`, { errors: [fault] })
}

function conflict({ id, currency, walletType, label }: Wallet, request: WalletRequest): AppError {
  const errors = differences({ currency, walletType, label }, request)
  return new AppError('idempotency_conflict', `The key opened wallet ${id} with another body.`, { errors })
}

const get = route({
  method: 'GET',
  path: '/v1/wallets/{id}',
  scope: 'wallets:read',
  operationId: 'getWallet',
  summary: 'Get a wallet',
  status: 200,
  answer: wallet,
  async handle({ sql }, { merchant, id }) {
    const [found] = await selectWallets(sql, merchant.id, { id: id as WalletId })
    if (found === undefined) throw unknownWallet()
    const [record] = await walletRecords(sql, merchant, [found])
    return { record }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/wallets',
  scope: 'wallets:read',
  operationId: 'listWallets',
  summary: 'List wallets, oldest first',
  status: 200,
  answer: listOf(wallet),
  query: queryOf({ ...paging, currency: T.Optional(T.String({ minLength: 1, maxLength: 12 })) }),
  async handle({ sql }, { merchant, query }) {
    const { cursor, currency, limit = pageSize } = query
    const [after] = cursor === undefined ? [] : readCursor(cursor, isUuid)
    const found = await selectWallets(sql, merchant.id, {
      ...(currency === undefined ? {} : { currency }),
      ...(after === undefined ? {} : { after: after as WalletId }),
      limit: limit + 1,
    })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const data = await walletRecords(sql, merchant, page)
    return {
      record:
        found.length > limit && last !== undefined ? { data, nextCursor: writeCursor([last.id]) } : { data },
    }
  },
})

const balance = route({
  method: 'GET',
  path: '/v1/wallets/balance',
  scope: 'wallets:read',
  operationId: 'getBalance',
  summary: 'Get the sums of each currency',
  status: 200,
  answer: consolidated,
  handle: async ({ sql }, { merchant }) => ({ record: await consolidatedBalance(sql, merchant) }),
})

const statement = route({
  method: 'GET',
  path: '/v1/wallets/statement',
  scope: 'wallets:read',
  operationId: 'getStatement',
  summary: 'List the movements of available balances, newest first',
  description:
    'When only one kind is wanted and it is rare, a page may hold fewer rows than asked for and still have a next one.',
  status: 200,
  answer: listOf(statementEntry),
  query: queryOf({
    ...paging,
    ...span,
    walletId: T.Optional(uuid()),
    currency: T.Optional(T.String({ minLength: 1, maxLength: 12 })),
    kind: T.Optional(oneOf(statementKinds)),
  }),
  async handle({ sql }, { merchant, query }) {
    const { walletId, currency, kind, cursor, limit = pageSize } = query
    const page = await statementPage(sql, merchant, {
      ...(walletId === undefined ? {} : { walletId: walletId.toLowerCase() as WalletId }),
      ...(currency === undefined ? {} : { currency }),
      ...(kind === undefined ? {} : { kind }),
      ...(cursor === undefined ? {} : { after: positionOf(cursor) }),
      ...readSpan(query),
      limit,
    })
    if (page === 'unknown_wallet') throw unknownWallet()
    if (page === 'unknown_position') throw unknownCursor()
    const { data, next } = page
    if (next === undefined) return { record: { data } }
    return { record: { data, nextCursor: writeCursor([next.subject, next.step, next.walletId]) } }
  },
})

function positionOf(cursor: string): StatementPosition {
  const [subject = '', step = '', walletId = ''] = readCursor(
    cursor,
    isUuid,
    (step) => /^[\w.-]{1,64}$/.test(step),
    isUuid,
  )
  return { subject, step, walletId: walletId as WalletId }
}

function unknownWallet(): AppError {
  return new AppError('not_found', 'There is no such wallet.')
}

export const walletRoutes: readonly Route[] = [list, balance, statement, get, create]
