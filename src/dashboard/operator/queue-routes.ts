// Durable work: how much waits and what fails; signals that wait for a person; and the load of today.
import { Type as T } from 'typebox'
import { pageOf, pageSize, paging, queryOf, readCursor } from '#/http/query.ts'
import { must } from '#/kernel/check.ts'
import { noSuch } from '#/kernel/error.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import { count, instant, oneOf, uuid } from '#/kernel/schema.ts'
import { dayMs, secondMs } from '#/kernel/time.ts'
import { dropParkedSignal, retryParkedSignal } from '#/operator/acts/inbox.ts'
import { aboutSignal } from '#/operator/parked.ts'
import { selectBooksLoad, selectTallyLoad } from '#/operator/queries.ts'
import { queueNames, queueReadMax, selectQueueDepth, selectQueueItems } from '#/operator/queue-queries.ts'
import { selectParkedPage, type ParkedSignal } from '#/settlement/inbox-queries.ts'
import { listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'

const queueName = oneOf('QueueName', queueNames, 'Which queue.')

const list = operatorRoute({
  route: 'GET /operator/queues',
  operationId: 'listQueues',
  summary: 'How much of each kind of durable work waits, and since when',
  answer: T.Object({
    data: T.Array(
      T.Object({
        name: queueName,
        depth: count('Rows, as far as they were counted.'),
        isMore: T.Boolean({
          description: 'There are more than were counted; the other figures are of those counted.',
        }),
        due: count('Rows whose time has come.'),
        failing: count('Rows that failed before.'),
        oldestDueAt: T.Optional(instant()),
      }),
    ),
  }),
  async handle({ http: { sql } }) {
    const data = []
    // One after another, so that the console does not take the connections that the queues need.
    for (const name of queueNames) {
      const { read, ...figures } = await selectQueueDepth(sql, name)
      const depth = Math.min(read, queueReadMax)
      data.push({ name, depth, isMore: read > queueReadMax, ...withoutNulls(figures) })
    }
    return { data }
  },
})

const items = operatorRoute({
  route: 'GET /operator/queues/{id}',
  idForm: 'text',
  operationId: 'listQueueItems',
  summary:
    'Items of one queue by id: those that failed most often first, then those that are due first. At most 100',
  answer: T.Object({
    data: T.Array(
      T.Object({
        id: T.String(),
        merchantId: T.Optional(uuid()),
        connection: T.Optional(
          T.String({ description: 'Where it goes: a connection, or the origin of an endpoint.' }),
        ),
        dueAt: instant(),
        since: T.Optional(instant()),
        fails: count('How often it was tried without success.'),
        error: T.Optional(T.String()),
      }),
    ),
  }),
  async handle({ http: { sql } }, { id }) {
    const name = queueNames.find((each) => each === id)
    if (name === undefined) throw noSuch('queue')
    const rows = await selectQueueItems(sql, name, 100)
    return { data: rows.map(withoutNulls) }
  },
})

const signalShape = T.Object(
  {
    id: T.String(),
    method: T.String(),
    connection: T.String(),
    receivedAt: instant(),
    tries: count('How often it was tried.'),
    lastError: T.Optional(T.String()),
    body: T.String({ description: 'As it came; bytes that are no text are �. Written by others.' }),
    bodySha256: T.String(),
  },
  { title: 'ParkedSignal' },
)

function signalRecord(signal: ParkedSignal) {
  return {
    ...withoutNulls(signal),
    id: signal.id.toString(),
    body: signal.body.toString('utf8'),
    bodySha256: aboutSignal(signal).bodySha256,
  }
}

const parked = operatorRoute({
  route: 'GET /operator/inbox',
  operationId: 'listParkedSignals',
  summary: 'Signals that could not be settled and wait for a person, oldest first',
  answer: listed(signalShape),
  query: queryOf(paging),
  async handle({ http: { sql } }, { query }) {
    const { cursor, limit = pageSize } = query
    const [after] = cursor === undefined ? [] : readCursor(cursor, (part) => /^\d{1,18}$/.test(part))
    const rows = await selectParkedPage(sql, {
      ...(after === undefined ? {} : { after: BigInt(after) }),
      limit: limit + 1,
    })
    const page = rows.map((signal) => ({ signal, id: signal.id.toString() }))
    return pageOf(page, limit, ({ signal }) => signalRecord(signal))
  },
})

const drop = routeOf(dropParkedSignal, {
  answer: signalShape.properties,
  recordOf: ({ done }) => signalRecord(must(done, 'nobody else approves it')),
})

const spans = [1, 15, 60] as const
const batchesMax = 20_000
const rowsMax = 20_000

const capacity = operatorRoute({
  route: 'GET /operator/capacity',
  operationId: 'getCapacity',
  summary:
    'What the books took in the last minutes, the payments of today by the tally, and beside them what the bench measured on this machine',
  answer: T.Object({
    books: T.Array(
      T.Object({
        minutes: count('The span, back from now.'),
        batches: count('Commits of the ledger.'),
        transfers: count('Transfers that were booked.'),
        events: T.Optional(count('Events. Absent above a number of batches that are too many to add up.')),
      }),
    ),
    today: T.Object({
      created: count('Payments that were created today, in UTC.'),
      paid: count('Payments that were paid today.'),
      isWhole: T.Boolean({ description: 'False: more merchants were active than are added up.' }),
      createdPerSecond: T.Number({ description: 'The mean of today, since midnight in UTC.' }),
    }),
    measured: T.Optional(
      T.Object(
        {
          paymentsPerSecond: T.Number({ description: 'Payments created per second.' }),
          at: instant('When it was measured.'),
        },
        { description: 'Absent: the bench has not run here, so nobody knows what this machine carries.' },
      ),
    ),
  }),
  async handle({ http: { sql, clock }, operator: { cell, benchFigure } }) {
    const books = []
    for (const minutes of spans) books.push(await selectBooksLoad(sql, cell, minutes, batchesMax))
    const tally = await selectTallyLoad(sql, rowsMax)
    const of = (figure: string) => Number(tally.find((each) => each.figure === figure)?.count ?? 0)
    const read = tally.reduce((sum, each) => sum + each.read, 0)
    const created = of('CREATED')
    const seconds = Math.max(1, (clock.now().getTime() % dayMs) / secondMs)
    const measured = await benchFigure()
    return {
      ...given({ measured }),
      books: books.map(withoutNulls),
      today: { created, paid: of('PAID'), isWhole: read < rowsMax, createdPerSecond: created / seconds },
    }
  },
})

export const queueRoutes: readonly DashboardRoute[] = [
  list,
  items,
  parked,
  routeOf(retryParkedSignal),
  drop,
  capacity,
]
