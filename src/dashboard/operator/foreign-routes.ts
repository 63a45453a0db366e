// Money on bank accounts in currencies that the books do not have: listed until a person says what became of it.
import { Type as T } from 'typebox'
import { paging, queryOf, pageAfter } from '#/http/query.ts'
import { instant, uuid } from '#/kernel/schema.ts'
import { endForeignMoney } from '#/operator/acts/bank-files.ts'
import { selectWaitingForeign } from '#/rails/sepa/foreign-queries.ts'
import { foreignOf } from '#/rails/sepa/foreign.ts'
import { listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'

const foreignShape = T.Object(
  {
    id: uuid(),
    connection: T.String(),
    entry: T.String({ description: 'The bank’s name of the money.' }),
    amount: T.String({
      description:
        'A decimal, as the bank wrote it, because its currency may have any number of places. Negative: the bank took it back.',
    }),
    currency: T.String({ description: 'ISO 4217; none that the books have.' }),
    bookedOn: T.String(),
    wrote: T.String({ description: 'What the payer wrote.' }),
    party: T.String({ description: 'The other side.' }),
    createdAt: instant('When the file was imported.'),
  },
  { title: 'ForeignMoney' },
)

const list = operatorRoute({
  route: 'GET /operator/foreign-money',
  operationId: 'listForeignMoney',
  summary: 'Money on bank accounts in currencies that the books do not have, oldest first: it is in no book',
  answer: listed(foreignShape),
  query: queryOf(paging),
  handle: ({ http: { sql } }, { query }) =>
    pageAfter(query, (page) => selectWaitingForeign(sql, page), foreignOf),
})

export const foreignRoutes: readonly DashboardRoute[] = [list, routeOf(endForeignMoney)]
