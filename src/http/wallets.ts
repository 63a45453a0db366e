// Wallets, their balances, and the statement. Reports are in wallet-reports.ts, transfers in transfers.ts.
import { Readable } from 'node:stream'
import { Type as T, type Static } from 'typebox'
import {
  consolidated,
  statementEntry,
  statementEntryKind,
  wallet,
  walletChange,
  walletRequest,
} from '#/contract/wallets.ts'
import { instantIn, listOf, walletCurrencies } from '#/contract/words.ts'
import { spreadsheets } from '#/kernel/csv.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, newId, type WalletId } from '#/kernel/id.ts'
import { differences } from '#/kernel/same-call.ts'
import { oneOf, uuid } from '#/kernel/schema.ts'
import { none } from '#/people/concern.ts'
import { consolidatedBalance, walletRecordAt, walletRecordNow, walletRecords } from '#/wallets/balance.ts'
import { walletsMax, type CreateWalletVerdict, type WalletRequest } from '#/wallets/create.ts'
import { statementCsv } from '#/wallets/export.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { statementPage, type StatementPosition } from '#/wallets/statement.ts'
import { updateWalletKind } from '#/wallets/update.ts'
import { type Wallet } from '#/wallets/wallet.ts'
import { idempotencyKeyOf, requireCapitals } from './body.ts'
import * as examples from './example-records.ts'
import {
  ofCurrency,
  ofTimeZone,
  pageSize,
  paging,
  queryOf,
  readCursor,
  readInstant,
  readLastId,
  readSpan,
  readZone,
  span,
  unknownCursor,
  writeCursor,
  lowered,
} from './query.ts'
import { route, type Route } from './route.ts'

const create = route({
  route: 'POST /v1/wallets',
  scope: 'wallets:write',
  audit: {
    action: 'wallet.create',
    subjectOf: (_call, verdict: CreateWalletVerdict) =>
      verdict.kind === 'created' ? `wallet:${verdict.wallet.id}` : undefined,
  },
  starts: 'setting',
  concern: none('it is empty, and nothing goes there by itself'),
  operationId: 'createWallet',
  summary: 'Create a wallet',
  description:
    'The first SPENDABLE wallet of a currency is its default; later ones are not. Where a currency has none yet, a RESERVE wallet creates it as well.',
  status: 201,
  answer: wallet,
  example: examples.reserve,
  headers: { 'Idempotent-Replayed': '`true` when the key created this wallet before.' },
  problems: ['idempotency_conflict', 'currency_not_supported', 'limit_exceeded'],
  body: walletRequest,
  exampleBody: { currency: 'BRL', walletType: 'RESERVE', label: 'Taxes' },
  async handle(deps, call, audited) {
    const { merchant } = call
    const key = idempotencyKeyOf(call)
    const request = requestOf(call.body)
    const item = {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'wallet'>(),
      request,
      ...given({ idempotencyKey: key }),
    }
    const verdict = await deps.lane.submit(deps.walletKind, item, audited)
    if (verdict.kind === 'conflict') throw conflict(verdict.wallet, request)
    if (verdict.kind === 'too_many')
      throw new AppError('limit_exceeded', `A merchant has at most ${walletsMax} wallets.`)
    return {
      record: await walletRecordNow(deps.sql, merchant, verdict.wallet),
      isReplayed: verdict.kind === 'replayed',
    }
  },
})

function requestOf({ currency: text, walletType, label }: Static<typeof walletRequest>): WalletRequest {
  const currency = walletCurrencies.find((each) => each === text)
  if (currency !== undefined) return { currency, walletType, label }
  requireCapitals(text)
  const fault = {
    pointer: '/currency',
    code: 'not_available',
    message: `must be one of ${walletCurrencies.join(', ')}`,
  }
  throw new AppError('currency_not_supported', `There are no wallets in ${text}.`, { faults: [fault] })
}

function conflict({ id, currency, walletType, label }: Wallet, request: WalletRequest): AppError {
  const faults = differences({ currency, walletType, label }, request)
  return new AppError('idempotency_conflict', `The key opened wallet ${id} with another body.`, { faults })
}

const change = route({
  route: 'PATCH /v1/wallets/{id}',
  scope: 'wallets:write',
  audit: { action: 'wallet.change', subjectOf: ({ id }) => `wallet:${id}` },
  starts: 'setting',
  concern: none('its name, and whether it is used; the default wallet stays'),
  operationId: 'changeWallet',
  summary: 'Rename a wallet, or make it inactive or active again',
  description: 'The default wallet of a currency stays active: what is received needs a place.',
  answer: wallet,
  example: { ...examples.reserve, label: 'Taxes and rent' },
  problems: ['invalid_state'],
  body: walletChange,
  exampleBody: { label: 'Taxes and rent' },
  async handle({ lane, sql }, { merchant, id, body }, audited) {
    const { label, isActive } = body
    const item = { merchantId: merchant.id, id: id as WalletId, change: given({ label, isActive }) }
    const verdict = await lane.submit(updateWalletKind, item, audited)
    if (verdict.kind === 'not_found') throw noSuch('wallet')
    if (verdict.kind === 'is_default') {
      const fault = {
        pointer: '/isActive',
        code: 'not_allowed',
        message: 'must be true for a default wallet',
      }
      throw new AppError('invalid_state', 'This is the default wallet of its currency.', { faults: [fault] })
    }
    return { record: await walletRecordNow(sql, merchant, verdict.wallet) }
  },
})

const at = instantIn('The balances as they were at this instant; not in the future.')

const get = route({
  route: 'GET /v1/wallets/{id}',
  scope: 'wallets:read',
  operationId: 'getWallet',
  summary: 'Get a wallet',
  description: 'With `at` the balances are those of that instant: zero before the wallet was created.',
  answer: wallet,
  example: examples.wallet,
  query: queryOf({ at }),
  async handle({ sql }, { merchant, id, query }) {
    const [found] = await selectWallets(sql, merchant.id, { id: id as WalletId })
    if (found === undefined) throw noSuch('wallet')
    const instant = readInstant('at', query.at)
    if (instant === undefined) return { record: await walletRecordNow(sql, merchant, found) }
    const record = await walletRecordAt(sql, merchant, found, instant)
    if (record === 'future') throw future()
    return { record }
  },
})

const list = route({
  route: 'GET /v1/wallets',
  scope: 'wallets:read',
  operationId: 'listWallets',
  summary: 'List wallets, oldest first',
  description: 'With their balances now. Every merchant starts with a default wallet in BRL, EUR and USDT.',
  answer: listOf(wallet),
  example: { data: [examples.wallet] },
  query: queryOf({ ...paging, currency: ofCurrency }),
  async handle({ sql }, { merchant, query }) {
    const { cursor, currency, limit = pageSize } = query
    const after = readLastId(cursor)
    const found = await selectWallets(sql, merchant.id, {
      ...given({ currency, after }),
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
  route: 'GET /v1/wallets/balance',
  scope: 'wallets:read',
  operationId: 'getBalance',
  summary: 'Get the sums of each currency',
  description: 'Now, or with `at` as they were after the last movement at or before that instant.',
  answer: consolidated,
  example: {
    data: [
      {
        currency: 'USDT',
        ...examples.balances,
        owed: 0,
        byWalletType: [{ walletType: 'SPENDABLE', ...examples.balances }],
      },
    ],
    asOf: examples.paidAt,
  },
  query: queryOf({ at }),
  async handle({ sql }, { merchant, query }) {
    const record = await consolidatedBalance(sql, merchant, readInstant('at', query.at))
    if (record === 'future') throw future()
    return { record }
  },
})

const statement = route({
  route: 'GET /v1/wallets/statement',
  scope: 'wallets:read',
  operationId: 'getStatement',
  summary: 'List the movements of available balances, newest first',
  description:
    'When only one kind is requested and it is rare, a page may hold fewer rows than its limit and still have a next one. `format=csv` returns all of it as one file, of any length; what is posted meanwhile is not in it.',
  answer: listOf(statementEntry),
  example: { data: [examples.entry] },
  streams: {
    type: 'text/csv',
    description:
      'RFC 4180 in UTF-8, with a header row; texts in quotes, and an apostrophe before what a spreadsheet would read as a formula. `amount` and `balance` are minor units as in JSON, `amountDecimal` and `balanceDecimal` the same with a decimal point. With `spreadsheet`, a byte order mark comes first, times are `2026-11-30 14:05:09` in `timeZone`, and a text that looks like a number, such as a tax id, is written `="00123"`, which a spreadsheet shows as that text.',
  },
  query: queryOf({
    ...paging,
    ...span,
    walletId: T.Optional(uuid()),
    currency: ofCurrency,
    kind: T.Optional(statementEntryKind),
    format: T.Optional(
      oneOf('StatementFormat', ['json', 'csv'], 'Default: json. csv accepts neither limit nor cursor.'),
    ),
    spreadsheet: T.Optional(
      oneOf(
        'Spreadsheet',
        spreadsheets,
        'Of a CSV file that a spreadsheet opens. `semicolon`: separated by `;`, with a decimal comma, as in Brazil; `comma`: separated by `,`, with a decimal point. Default: a file for programs.',
      ),
    ),
    timeZone: ofTimeZone(
      'In which times are written for a spreadsheet: a name of the IANA database. Default: UTC.',
    ),
  }),
  async handle({ sql }, { merchant, query }) {
    const { walletId, currency, kind, cursor, limit, format, spreadsheet, timeZone } = query
    const filter = {
      ...given({ walletId: lowered<WalletId>(walletId), currency, kind }),
      ...readSpan(query),
    }
    if (format === 'csv') {
      if (cursor !== undefined || limit !== undefined)
        throw noPages(cursor === undefined ? 'limit' : 'cursor')
      const pieces = await statementCsv(sql, merchant, filter, {
        spreadsheet,
        timeZone: readZone(timeZone),
      })
      if (pieces === 'unknown_wallet') throw noSuch('wallet')
      return { stream: Readable.from(pieces, { objectMode: false }), headers: csvHeaders }
    }
    if (spreadsheet !== undefined || timeZone !== undefined)
      throw onlyOfFiles(spreadsheet === undefined ? 'timeZone' : 'spreadsheet')
    const page = await statementPage(sql, merchant, {
      ...filter,
      ...(cursor === undefined ? {} : { after: positionOf(cursor) }),
      limit: limit ?? pageSize,
    })
    if (page === 'unknown_wallet') throw noSuch('wallet')
    if (page === 'unknown_position') throw unknownCursor()
    const { data, next } = page
    if (next === undefined) return { record: { data } }
    return { record: { data, nextCursor: writeCursor([next.subject, next.step, next.walletId]) } }
  },
})

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="statement.csv"',
}

function noPages(name: string): AppError {
  const fault = { pointer: `/${name}`, code: 'not_allowed', message: 'is for pages of JSON' }
  return new AppError('invalid_request', 'A file has no pages.', { faults: [fault] })
}

function onlyOfFiles(name: string): AppError {
  const fault = { pointer: `/${name}`, code: 'not_allowed', message: 'is for format=csv' }
  return new AppError('invalid_request', 'Pages of JSON are for programs.', { faults: [fault] })
}

function positionOf(cursor: string): StatementPosition {
  const [subject = '', step = '', walletId = ''] = readCursor(
    cursor,
    isUuid,
    (step) => /^[\w.-]{1,64}$/.test(step),
    isUuid,
  )
  return { subject, step, walletId: walletId as WalletId }
}

function future(): AppError {
  const fault = { pointer: '/at', code: 'too_large', message: 'must not be in the future' }
  return new AppError('invalid_request', 'Nobody knows the balance of an instant to come.', {
    faults: [fault],
  })
}

export const walletRoutes: readonly Route[] = [list, balance, statement, get, create, change]
