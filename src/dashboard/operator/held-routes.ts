// Movements on bank accounts that are held: each beside the one that has its name, and a person says whether it is that one. And corrected
// statements, which two people accept.
import { Type as T } from 'typebox'
import { currency } from '#/contract/words.ts'
import { pageSize, paging, queryOf } from '#/http/query.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { instant, sum } from '#/kernel/schema.ts'
import { correctStatement, decideHeldMovement } from '#/operator/acts/bank-files.ts'
import { selectHeld } from '#/rails/sepa/held-queries.ts'
import { heldOf } from '#/rails/sepa/held.ts'
import { listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'
import { afterOf, pageByTime } from './words.ts'

const shape = T.Object(
  {
    connection: T.String(),
    entry: T.String({ description: 'Its own name, which may have a day added to the bank’s.' }),
    amount: sum('Minor units; negative where money left.'),
    currency,
    bookedOn: T.String(),
    wrote: T.String(),
    party: T.String({ description: 'The other side.' }),
    like: T.Optional(
      T.Object(
        { entry: T.String(), amount: sum('Minor units.'), bookedOn: T.String(), wrote: T.String() },
        { description: 'The movement that has its name. Absent: it contradicts itself.' },
      ),
    ),
    createdAt: instant('When the file was imported.'),
  },
  { title: 'HeldMovement' },
)

function withAmount<Of extends { readonly minor: bigint }>({ minor, ...rest }: Of) {
  return { ...rest, amount: minor }
}

type Row = Awaited<ReturnType<typeof selectHeld>>[number]

function record(row: Row) {
  const { like, ...held } = heldOf(row)
  const other = like === undefined ? {} : { like: withAmount(like) }
  return { ...withAmount(held), ...other, createdAt: row.createdAt }
}

const list = operatorRoute({
  route: 'GET /operator/held',
  operationId: 'listHeldMovements',
  summary:
    'Movements that have the name of another one, oldest first: they are in no book until a person decides',
  answer: listed(shape),
  query: queryOf(paging),
  async handle({ http: { sql } }, { query: { cursor, limit = pageSize } }) {
    const isShort = (text: string) => text.length < 200
    const given = afterOf(cursor, isShort, isShort, (text) => /^\d{1,6}$/.test(text))
    const [connection = '', reference = '', part = '0'] = given?.parts ?? []
    const after = given && {
      atUs: given.atUs,
      connection: connection as ConnectionId,
      reference,
      part: Number(part),
    }
    const rows = await selectHeld(sql, { ...(after && { after }), limit: limit + 1 })
    const partsOf = (row: Row) => [row.connection, row.reference, String(row.part)]
    return pageByTime(rows, limit, { recordOf: record, partsOf })
  },
})

export const heldRoutes: readonly DashboardRoute[] = [
  list,
  routeOf(decideHeldMovement),
  routeOf(correctStatement),
]
