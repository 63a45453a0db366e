// Files of payments (pain.001), which a person takes once and uploads at the bank.
import { Type as T } from 'typebox'
import { pageSize, paging, queryOf } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import { isUuid, type Id } from '#/kernel/id.ts'
import { count, instant, sum, uuid } from '#/kernel/schema.ts'
import { makeFile } from '#/operator/acts/bank-files.ts'
import { selectBatchPage, selectWaitingPayouts } from '#/operator/sepa-queries.ts'
import { downloadPaymentFile } from '#/operator/statements.ts'
import type { Batch } from '#/rails/sepa/payout-queries.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'
import { afterOf, operatorOf, pageByTime } from './words.ts'

const fileShape = T.Object(
  {
    id: uuid(),
    connection: T.String(),
    payouts: count('Payouts in it.'),
    amount: sum('Their sum, in cents of EUR.'),
    madeBy: T.String(),
    createdAt: instant(),
    takenBy: T.Optional(T.String({ description: 'Absent: nobody has taken it yet.' })),
    takenAt: T.Optional(instant()),
  },
  { title: 'PaymentFile' },
)

function fileRecord({ id, connection, payouts, sumMinor, madeBy, createdAt, takenBy, takenAt }: Batch) {
  const taken = takenBy === null || takenAt === null ? {} : { takenBy, takenAt }
  return { id, connection, payouts, amount: sumMinor, madeBy, createdAt, ...taken }
}

const list = operatorRoute({
  route: 'GET /operator/payment-files',
  operationId: 'listPaymentFiles',
  summary: 'The files of payments, newest first, and who took them',
  answer: listed(fileShape),
  query: queryOf(paging),
  async handle({ http: { sql } }, { query: { cursor, limit = pageSize } }) {
    const after = afterOf(cursor, isUuid)
    const rows = await selectBatchPage(sql, { ...(after && { after }), limit: limit + 1 })
    return pageByTime(rows, limit, { recordOf: fileRecord, partsOf: ({ id }) => [id] })
  },
})

/** Counted at most, of each account. A file has a thousand. */
const countedMax = 10_000

const waiting = operatorRoute({
  route: 'GET /operator/waiting-payouts',
  operationId: 'listWaitingPayouts',
  summary: 'The accounts whose payouts wait for a file of payments, with how many they are',
  answer: T.Object({
    data: T.Array(
      T.Object({
        connection: T.String(),
        payouts: count('Payouts that wait, as far as they were counted.'),
        isMore: T.Boolean({ description: 'There are more than were counted.' }),
        amount: sum('Their sum, in cents of EUR.'),
      }),
    ),
  }),
  async handle({ http: { sql }, operator: { connections } }) {
    const accounts = connections.all('SEPA_TRANSFER').map(({ id }) => id)
    const rows = await selectWaitingPayouts(sql, accounts, countedMax + 1)
    return {
      data: rows.map(({ connection, payouts, minor }) => ({
        connection,
        payouts: Math.min(payouts, countedMax),
        isMore: payouts > countedMax,
        amount: minor,
      })),
    }
  },
})

const make = routeOf(makeFile, {
  answer: { id: uuid(), payouts: count('Payouts in it.'), amount: sum('Their sum, in cents of EUR.') },
  recordOf({ done }) {
    if (done === undefined) throw new AppError('invalid_state', 'No payout waits on this account.')
    return { id: done.id, payouts: done.payouts, amount: done.sumMinor }
  },
})

const take = operatorRoute({
  route: 'POST /operator/payment-files/{id}/take',
  permission: 'operator:approve',
  concern: 'money',
  operationId: 'takePaymentFile',
  summary:
    'Hands out a file once, for the upload at the bank. The same person with the same key is given it again, because the answer may have been lost',
  answer: T.Object({
    name: T.String({ description: 'How to name the file.' }),
    content: T.String({ description: 'The file, in UTF-8.' }),
  }),
  body: bodyOf({ key: uuid('Of your own: it names this taking.') }),
  async handle({ http: { sql } }, call) {
    const id = call.id as Id<'sepa-batch'>
    const content = await downloadPaymentFile(sql, operatorOf(call), { id, key: call.body.key })
    return { name: `payments-${id}.xml`, content }
  },
})

export const paymentFileRoutes: readonly DashboardRoute[] = [list, waiting, make, take]
