// The SQL of the console's view of durable work: how much of each kind waits, since when, and what of it fails. A queue may be long: of
// each at most `queueReadMax` rows are read.
import type { Sql, Tx } from '#/db/client.ts'
import { afterDueInOrder, dueNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'

export const queueReadMax = 10_000

export const queueNames = [
  'inbox',
  'parked',
  'deliveries',
  'refunds',
  'withdrawals',
  'checks',
  'closings',
  'captures',
  'evidence',
  'recoveries',
  'jobs',
] as const
export type QueueName = (typeof queueNames)[number]

/** Each row as `item`: its id and merchant, when it is due, since when it waits where that is kept, how often it failed, and why. */
function rowsOf(sql: Sql | Tx, name: QueueName) {
  const limit = sql`limit ${queueReadMax + 1}`
  switch (name) {
    case 'inbox':
      return sql`select id::text, null::uuid as merchant, connection, due_at, received_at as since, tries as fails, last_error as error
                   from inbox where not parked ${limit}`
    case 'parked':
      return sql`select id::text, null::uuid as merchant, connection, due_at, received_at as since, tries as fails, last_error as error
                   from inbox where parked order by id ${limit}`
    case 'deliveries':
      return sql`select delivery_id::text as id, merchant_id as merchant, origin as connection, due_at, null::timestamptz as since,
                        failures as fails, null::text as error
                   from delivery_due ${limit}`
    case 'refunds':
      return sql`select refund_id::text as id, merchant_id as merchant, connection, due_at, null::timestamptz as since,
                        sends - unsent as fails, null::text as error
                   from refund_due ${limit}`
    case 'withdrawals':
      return sql`select withdrawal_id::text as id, merchant_id as merchant, connection, due_at, begun_at as since, sends as fails,
                        null::text as error
                   from withdrawal_due ${limit}`
    case 'checks':
      return sql`select attempt_id::text as id, merchant_id as merchant, connection, due_at, opened_at as since, silent as fails,
                        null::text as error
                   from attempt_check ${limit}`
    case 'closings':
      return sql`select attempt_id::text as id, merchant_id as merchant, connection, due_at, null::timestamptz as since, tries as fails,
                        null::text as error
                   from attempt_closing ${limit}`
    case 'captures':
      return sql`select attempt_id::text as id, merchant_id as merchant, connection, due_at, created_at as since, sends as fails,
                        null::text as error
                   from authorisation_order where ended_at is null ${limit}`
    case 'evidence':
      return sql`select dispute_id::text as id, merchant_id as merchant, connection, due_at, null::timestamptz as since, takes as fails,
                        null::text as error
                   from dispute_evidence_due ${limit}`
    case 'recoveries':
      return sql`select id::text, merchant_id as merchant, null::text as connection, due_at, created_at as since, 0 as fails,
                        null::text as error
                   from webhook_recovery where status = 'RUNNING' ${limit}`
    case 'jobs':
      return sql`select id::text, null::uuid as merchant, kind as connection, due_at, created_at as since, takes - 1 as fails, error
                   from operator_job where status in ('QUEUED', 'RUNNING') ${limit}`
  }
}

export type QueueDepth = {
  /** Rows that were read: at most one more than `queueReadMax`. */
  readonly read: number
  readonly due: number
  readonly failing: number
  /** Of those that were read. */
  readonly oldestDueAt: Date | null
}

export async function selectQueueDepth(sql: Sql, name: QueueName): Promise<QueueDepth> {
  const [row] = await sql<QueueDepth[]>`
    select count(*)::integer as read, count(*) filter (where due_at <= ${dueNow(sql)})::integer as due,
           count(*) filter (where fails > 0)::integer as failing, min(due_at) as "oldestDueAt"
      from (${rowsOf(sql, name)}) as item`
  return must(row, 'a depth is one row')
}

export type QueueAge = QueueDepth & {
  /** How long ago the oldest became due, and came, as far as that is kept. */
  readonly lateSeconds: number
  readonly ageSeconds: number
}

/** The depth with ages by the database's clock. Rows that are sent in the order of numbers have no time of their own. */
export async function selectQueueAge(sql: Sql | Tx, name: QueueName): Promise<QueueAge> {
  const [row] = await sql<QueueAge[]>`
    select count(*)::integer as read, count(*) filter (where due_at <= ${dueNow(sql)})::integer as due,
           count(*) filter (where fails > 0)::integer as failing, min(due_at) as "oldestDueAt",
           greatest(0, coalesce(extract(epoch from ${dueNow(sql)} - min(due_at) filter (where due_at >= ${afterDueInOrder(sql)})), 0))::float8
             as "lateSeconds",
           greatest(0, coalesce(extract(epoch from ${dueNow(sql)} - min(since)), 0))::float8 as "ageSeconds"
      from (${rowsOf(sql, name)}) as item`
  return must(row, 'a depth is one row')
}

export type QueueItem = {
  readonly id: string
  readonly merchantId: MerchantId | null
  readonly connection: string | null
  readonly dueAt: Date
  readonly since: Date | null
  readonly fails: number
  readonly error: string | null
}

/** Those that failed most often, and then those that are due first. */
export function selectQueueItems(sql: Sql, name: QueueName, limit: number): Promise<readonly QueueItem[]> {
  return sql<QueueItem[]>`
    select id, merchant as "merchantId", connection, due_at as "dueAt", since, greatest(fails, 0)::integer as fails, error
      from (${rowsOf(sql, name)}) as item
     order by fails desc, due_at, id
     limit ${limit}`
}
