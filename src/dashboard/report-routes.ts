// The report of a month.
import { Type as T } from 'typebox'
import { statementEntryKind } from '#/contract/wallets.ts'
import { queryOf } from '#/http/query.ts'
import { methodsMax, monthReport, type MonthReport } from '#/insights/month.ts'
import { AppError } from '#/kernel/error.ts'
import { count, instant, sum, uuid } from '#/kernel/schema.ts'
import { zoneOf } from '#/wallets/calendar.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const currency = T.String({ description: 'BRL, EUR, USD or USDT.' })
const moved = {
  kind: statementEntryKind,
  count: count('Rows of the statement.'),
  inflow: sum('What came in.'),
  outflow: sum('What went out.'),
}

const report = T.Object(
  {
    month: T.String(),
    timeZone: T.String({ description: 'Where the month begins and ends.' }),
    from: instant('Inclusive.'),
    to: instant('Exclusive.'),
    wallets: T.Array(
      T.Object({
        walletId: uuid(),
        label: T.String(),
        currency,
        openingBalance: sum('Before the first movement.'),
        closingBalance: sum('After the last movement.'),
        byKind: T.Array(T.Object(moved)),
        byMethod: T.Optional(
          T.Array(
            T.Object({
              ...moved,
              method: T.Optional(
                T.String({
                  description: 'A payment method, or a type of withdrawal. Absent: what moved has none.',
                }),
              ),
            }),
            {
              description: `The same movements, each with its method. Absent in a month of more than ${methodsMax} movements.`,
            },
          ),
        ),
      }),
    ),
  },
  { title: 'MonthReport' },
)

const get = memberRoute({
  route: 'GET /report',
  permission: 'wallets:read',
  operationId: 'getMonthReport',
  summary: 'What moved in a month, wallet by wallet and by method',
  answer: report,
  query: queryOf({
    month: T.String({ pattern: '^\\d{4}-\\d{2}$', description: 'Such as 2026-11.' }),
    timeZone: T.Optional(T.String({ minLength: 1, maxLength: 64, description: 'Default: UTC.' })),
  }),
  async handle({ http }, { caller, query }) {
    const { month, timeZone = 'UTC' } = query
    const zone = zoneOf(timeZone)
    if (zone === undefined) throw unknown('timeZone', timeZone)
    const found = await monthReport(http.sql, caller.merchant, { month, zone })
    if (found === undefined) throw unknown('month', month)
    return { month, timeZone: zone, ...reportRecord(found) }
  },
})

function reportRecord({ from, to, wallets }: MonthReport) {
  return {
    from,
    to,
    wallets: wallets.map(({ wallet: { id, label, currency: of }, ...rest }) => ({
      walletId: id,
      label,
      currency: of,
      ...rest,
    })),
  }
}

function unknown(name: string, value: string): AppError {
  const fault = { pointer: `/${name}`, code: 'not_allowed', message: 'is not one of the calendar' }
  return new AppError('invalid_request', `There is no ${name} ${value.slice(0, 64)}.`, { faults: [fault] })
}

export const reportRoutes: readonly DashboardRoute[] = [get]
