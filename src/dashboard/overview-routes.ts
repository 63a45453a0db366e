// The figures of the overview.
import { Type as T, type TSchema } from 'typebox'
import { wallet } from '#/contract/wallets.ts'
import { queryOf } from '#/http/query.ts'
import { overviewOf, overviewSpans, type Overview, type OverviewSpan } from '#/insights/overview.ts'
import { given } from '#/kernel/given.ts'
import { count, instant, oneOf, sum } from '#/kernel/schema.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const spans = Object.keys(overviewSpans) as readonly OverviewSpan[]
const amounts = { count: count('How many.'), amount: sum('Minor units.') }
const currency = T.String({ description: 'BRL, EUR, USD or USDT.' })
const method = T.String({ description: 'A payment method, or a type of withdrawal.' })
const byCurrency = T.Array(T.Object({ ...amounts, currency }))
const byMethod = T.Array(T.Object({ ...amounts, currency, method }))

const figures = T.Object(
  {
    from: T.String({ description: 'The first day.' }),
    to: T.String({ description: 'The last day.' }),
    created: T.Array(T.Object({ currency, count: amounts.count })),
    paid: byMethod,
    success: T.Array(
      T.Object({
        method,
        ended: count('Attempts that ended.'),
        paid: count('Those of them that paid.'),
        rate: T.Optional(T.Number({ description: '`paid` of `ended`, from 0 to 1.' })),
      }),
    ),
    timeToPaid: T.Array(
      T.Object({
        method,
        count: amounts.count,
        medianMs: T.Number({ description: 'From creation to PAID.' }),
      }),
    ),
    refunded: byMethod,
    disputed: byCurrency,
    disputesWon: byCurrency,
    disputesLost: byCurrency,
    withdrawn: byMethod,
  },
  { title: 'SpanFigures', description: 'The figures of one span of days.' },
)

const balanceDays = T.Object(
  {
    interval: T.String(),
    timeZone: T.String(),
    data: T.Array(
      T.Object({
        date: T.String(),
        currency,
        openingBalance: sum('At the start of the day.'),
        inflow: T.Optional(sum('What came in; where the span is one day.')),
        outflow: T.Optional(sum('What went out; likewise.')),
        closingBalance: sum('At its end, or now.'),
      }),
    ),
  },
  { title: 'BalanceDays', description: 'Available balances day by day, oldest first.' },
)

/** Things that wait for a person: how many, and the first few. */
function waiting(fields: Readonly<Record<string, TSchema>>) {
  const item = T.Object({ id: T.String(), ...fields })
  return T.Object({ count: count('How many.'), isMore: T.Boolean(), first: T.Array(item) })
}

const amount = sum('Minor units.')

const overview = T.Object(
  {
    span: oneOf('OverviewSpan', spans, 'How many days.'),
    timeZone: T.String({ description: 'Where days begin.' }),
    asOf: instant('Everything before this instant is in the figures.'),
    lagMs: T.Number({ description: 'How old the figures are.' }),
    createdFrom: T.Optional(T.String({ description: 'Created payments are counted from this day on.' })),
    present: figures,
    before: figures,
    days: T.Array(
      T.Object({
        date: T.String(),
        figure: T.String(),
        ...amounts,
        method: T.Optional(method),
        currency: T.Optional(currency),
      }),
    ),
    medianError: T.Number({ description: 'How far a median may be from the true one, as a part of it.' }),
    wallets: T.Optional(T.Array(wallet)),
    balanceHistory: T.Optional(balanceDays),
    attention: T.Object({
      endpoints: T.Optional(waiting({ url: T.String(), state: T.String(), since: instant() })),
      withdrawals: T.Optional(waiting({ type: T.String(), currency, amount, createdAt: instant() })),
      refunds: waiting({ currency, amount, createdAt: instant() }),
      disputes: waiting({ currency, amount, createdAt: instant(), evidenceDueAt: T.Optional(instant()) }),
      underpaid: waiting({ status: T.String(), currency, amount, received: amount }),
      suspended: T.Optional(waiting({ connection: T.String(), currency, amount, recordedAt: instant() })),
    }),
  },
  { title: 'Overview' },
)

const get = memberRoute({
  route: 'GET /overview',
  permission: 'payments:read',
  operationId: 'getOverview',
  summary: 'Balances, volume, success and speed, and what waits for a person',
  answer: overview,
  query: queryOf({ span: T.Optional(oneOf('OverviewSpan', spans, 'Default: 30d.')) }),
  async handle({ http }, { caller, query }) {
    const found = await overviewOf(http.sql, caller.merchant, query.span ?? '30d')
    return allowedOf(caller.permissions, found)
  },
})

/** Without what the role may not see, and with amounts as the API names them. */
function allowedOf(permissions: ReadonlySet<string>, { wallets, balanceHistory, ...found }: Overview) {
  const { endpoints, withdrawals, suspended, ...attention } = found.attention
  return named({
    ...found,
    ...(permissions.has('wallets:read') ? { wallets, ...given({ balanceHistory }) } : {}),
    attention: {
      ...attention,
      ...(permissions.has('webhooks:read') ? { endpoints } : {}),
      ...(permissions.has('withdrawals:read') ? { withdrawals } : {}),
      ...(permissions.has('wallets:read') ? { suspended } : {}),
    },
  })
}

const names = { minor: 'amount', amountMinor: 'amount', receivedMinor: 'received' } as const

type Named<Value> = Value extends string | number | bigint | boolean | Date | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Named<Item>[]
    : {
        readonly [
          Name in keyof Value as Name extends keyof typeof names ? (typeof names)[Name] : Name
        ]: Named<Value[Name]>
      }

/** The same with our names for minor units replaced, all the way down. */
function named<Value>(value: Value): Named<Value> {
  return renamed(value) as Named<Value>
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const nameOf = (name: string) => (Object.hasOwn(names, name) ? names[name as keyof typeof names] : name)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [nameOf(name), renamed(each)]))
}

export const overviewRoutes: readonly DashboardRoute[] = [get]
