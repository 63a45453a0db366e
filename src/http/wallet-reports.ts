// Reports on wallets: the summary of a span, and the history of balances.
import { Type as T } from 'typebox'
import * as shapes from '#/contract/wallets.ts'
import { about, instantIn } from '#/contract/words.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { WalletId } from '#/kernel/id.ts'
import { uuid } from '#/kernel/schema.ts'
import { startOfDay } from '#/wallets/calendar.ts'
import { balanceHistory, historyRowsMax, summary } from '#/wallets/reports.ts'
import * as examples from './example-records.ts'
import { ofCurrency, ofTimeZone, queryOf, readInstant, readSpan, readZone, span, lowered } from './query.ts'
import { route, type Route } from './route.ts'

const getSummary = route({
  route: 'GET /v1/wallets/summary',
  scope: 'wallets:read',
  operationId: 'getSummary',
  summary: 'Sum up what came in and went out',
  description:
    'The available balances of all wallets of each currency. Default: the last 30 days. Transfers between own wallets are in `byKind`, on both sides, and in neither `inflow` nor `outflow`.',
  answer: shapes.summary,
  example: examples.summary,
  query: queryOf(span),
  async handle({ sql }, { merchant, query }) {
    const report = await summary(sql, merchant, readSpan(query))
    if (report === 'backwards') throw backwards()
    return { record: report }
  },
})

const localInstant = (description: string) =>
  instantIn(`${description} A date alone is its start in the time zone.`)

const getHistory = route({
  route: 'GET /v1/wallets/balance-history',
  scope: 'wallets:read',
  operationId: 'getBalanceHistory',
  summary: 'List balances day by day, week by week, or month by month',
  description: `One row for each interval and currency, or for one wallet, also where nothing moved. Intervals are whole, in the calendar of the time zone; weeks begin on Monday. Without \`from\`: 30 days, 13 weeks or 12 months. At most ${historyRowsMax} rows.`,
  answer: shapes.balanceHistory,
  example: examples.history,
  problems: ['not_found'],
  query: queryOf({
    interval: T.Optional(about(shapes.historyInterval, 'Default: DAY.')),
    timeZone: ofTimeZone('A name of the IANA database. Default: UTC.'),
    currency: ofCurrency,
    walletId: T.Optional(uuid()),
    from: localInstant('The interval that this instant lies in is the first.'),
    to: localInstant('The interval before this instant is the last. Default: now.'),
  }),
  async handle({ sql }, { merchant, query }) {
    const { interval = 'DAY', timeZone, currency, walletId } = query
    const zone = readZone(timeZone)
    const from = edgeOf('from', query.from, zone)
    const to = edgeOf('to', query.to, zone)
    const report = await balanceHistory(sql, merchant, {
      interval,
      zone,
      ...given({ currency, walletId: lowered<WalletId>(walletId), from, to }),
    })
    if (report === 'unknown_wallet') throw noSuch('wallet')
    if (report === 'backwards') throw backwards()
    if (report === 'too_many') throw tooMany()
    return { record: report }
  },
})

/** An instant; a date alone is the start of that day in the time zone. */
function edgeOf(name: string, text: string | undefined, zone: string): Date | undefined {
  const at = readInstant(name, text)
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return at
  const start = startOfDay(text, zone)
  if (start !== undefined) return start
  const fault = { pointer: `/${name}`, code: 'malformed', message: 'is no day of the calendar' }
  throw new AppError('invalid_request', `There is no day ${text}.`, { faults: [fault] })
}

function backwards(): AppError {
  const fault = { pointer: '/to', code: 'too_small', message: 'must not be before from' }
  return new AppError('invalid_request', 'The span ends before it begins.', { faults: [fault] })
}

function tooMany(): AppError {
  const fault = {
    pointer: '/from',
    code: 'too_small',
    message: `leaves more than ${historyRowsMax} rows: ask for a shorter span, a longer interval or one currency`,
  }
  return new AppError('invalid_request', 'This history has too many rows.', { faults: [fault] })
}

export const reportRoutes: readonly Route[] = [getSummary, getHistory]
