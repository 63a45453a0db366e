// Every date in the future that decides something for a merchant, with the rows that have it. A step of the merchant's clock moves
// these dates and no others (decision 114 lists all columns with a time). The date of a row that a worker has claimed is the end of
// a lease, and does not move.
import type { Fragment, Sql, Tx } from '#/db/client.ts'
import { list } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { currencies } from '#/kernel/money.ts'

/** Kinds of work that a date makes due, as answers name them. */
export const workKinds = [
  'PAYMENT_EXPIRY',
  'RELEASE',
  'PAYOUT_SCHEDULE',
  'DELIVERY',
  'FAILING_ENDPOINT',
  'REFUND',
  'WITHDRAWAL',
  'CAPTURE',
  'CHECK',
  'CANCELLATION',
  'SIGNAL',
  'RECONCILIATION',
] as const
export type WorkKind = (typeof workKinds)[number]

type Condition = (sql: Sql | Tx, merchantId: MerchantId) => Fragment

export type Dated = {
  readonly table: string
  readonly column: string
  /** Which rows `due` are the merchant's and still have this date ahead of them. */
  readonly isOpen: Condition
  /** What it makes due. Absent: nothing happens here at the date; the merchant sees it. */
  readonly work?: WorkKind
  /** Housekeeping, which recurs often: the clock moves its dates, but does not stop at them. */
  readonly isPassed?: Condition
  /** Which rows are waited for, when they are due. Default: those of `isOpen`. */
  readonly isAwaited?: Condition
  /** Whether a worker has claimed the row. */
  readonly isClaimed?: (sql: Sql | Tx) => Fragment
  /** An instant of the past in the row, which only says how old something is. */
  readonly age?: string
  /** The date is shown in a record with a version, which grows. */
  readonly hasVersion?: true
}

/** The merchant, if it is one of the sandbox. No statement of the clock can reach a row of a live one. */
export function sandboxMerchant(sql: Sql | Tx, merchantId: MerchantId): Fragment {
  return sql`(select id from merchant where id = ${merchantId} and mode = 'SANDBOX')`
}

const ofMerchant: Condition = (sql, merchantId) => sql`due.merchant_id = ${sandboxMerchant(sql, merchantId)}`

const always: Condition = (sql) => sql`true`

/** A claim writes the end of its lease into both columns. */
const byLease = (sql: Sql | Tx) => sql`(due.lease_until = due.due_at)`

/** Of an index that begins with merchant and currency. */
const anyCurrency = (sql: Sql | Tx) => sql`due.currency = any (${list(Object.keys(currencies))}::text[])`

/** Rows of the merchant's own connections. Rows of a shared connection belong to no merchant alone. */
const ofOwnConnection: Condition = (sql, merchantId) => sql`
  due.connection = any (array(select id from connection where merchant_id = ${sandboxMerchant(sql, merchantId)}))`

/** Also rows of connections that the merchant shares with others of the sandbox. */
const ofAnyConnection: Condition = (sql, merchantId) => sql`
  due.connection = any (array(
    select id from connection
     where mode = 'SANDBOX' and (merchant_id = ${sandboxMerchant(sql, merchantId)} or merchant_id is null)))`

/** Without CRYPTO: the chain has a clock of its own, and so has everything that is sent there. */
const offChain =
  (table: 'refund' | 'withdrawal', column: 'method' | 'type'): Condition =>
  (sql, merchantId) =>
    sql`${ofMerchant(sql, merchantId)} and exists (
    select from ${sql(table)} as record
     where record.merchant_id = due.merchant_id and record.id = due.${sql(`${table}_id`)}
       and record.${sql(column)} <> 'CRYPTO')`

/** Signals of one of the two indexes. */
function signals(isListed: (sql: Sql | Tx) => Fragment): Dated {
  const among =
    (connection: Condition): Condition =>
    (sql, merchantId) =>
      sql`${connection(sql, merchantId)} and not due.parked and ${isListed(sql)}`
  return {
    table: 'inbox',
    column: 'due_at',
    work: 'SIGNAL',
    isPassed: always,
    isOpen: among(ofOwnConnection),
    isAwaited: among(ofAnyConnection),
    isClaimed: (sql) => sql`(due.lease_until > ${dueNow(sql)})`,
  }
}

export const dates: readonly Dated[] = [
  {
    table: 'payment',
    column: 'expires_at',
    work: 'PAYMENT_EXPIRY',
    isOpen: (sql, merchantId) => sql`${ofMerchant(sql, merchantId)} and ${anyCurrency(sql)}
      and due.status = any ('{PENDING,WAITING_PAYMENT}'::text[])`,
    // A payment whose amount is on its way does not expire.
    isAwaited: (sql, merchantId) => sql`${ofMerchant(sql, merchantId)} and ${anyCurrency(sql)}
      and due.status = any ('{PENDING,WAITING_PAYMENT}'::text[])
      and due.seen_minor + due.received_minor - due.refunded_minor < due.amount_minor`,
    hasVersion: true,
  },
  {
    table: 'payment_link',
    column: 'expires_at',
    isOpen: (sql, merchantId) => sql`${ofMerchant(sql, merchantId)} and due.archived_at is null`,
  },
  {
    table: 'release',
    column: 'release_at',
    work: 'RELEASE',
    isOpen: (sql, merchantId) => sql`${ofMerchant(sql, merchantId)} and due.released_at is null`,
  },
  {
    table: 'dispute',
    column: 'evidence_due_at',
    isOpen: (sql, merchantId) =>
      sql`${ofMerchant(sql, merchantId)} and ${anyCurrency(sql)} and due.status = 'OPEN'`,
  },
  {
    table: 'payout_schedule',
    column: 'next_run_at',
    work: 'PAYOUT_SCHEDULE',
    isOpen: (sql, merchantId) => sql`${ofMerchant(sql, merchantId)} and due.status <> 'ENDED'`,
    isPassed: (sql) => sql`due.rule->>'rhythm' = 'ABOVE'`,
  },
  {
    table: 'delivery_due',
    column: 'due_at',
    work: 'DELIVERY',
    isOpen: ofMerchant,
    // Deliveries of a disabled endpoint wait until its merchant enables it.
    isAwaited: (sql, merchantId) => sql`${ofMerchant(sql, merchantId)} and not exists (
      select from webhook_endpoint as endpoint
       where endpoint.merchant_id = due.merchant_id and endpoint.status <> 'ENABLED'
         and due.origin in ('endpoint:' || endpoint.id, 'recovery:' || endpoint.id))`,
    isClaimed: (sql) => sql`(due.lease is not null)`,
  },
  {
    table: 'webhook_endpoint_failing',
    column: 'disable_at',
    work: 'FAILING_ENDPOINT',
    isOpen: ofMerchant,
  },
  {
    table: 'refund_due',
    column: 'due_at',
    work: 'REFUND',
    isOpen: offChain('refund', 'method'),
    isClaimed: byLease,
  },
  {
    table: 'withdrawal_due',
    column: 'due_at',
    work: 'WITHDRAWAL',
    isOpen: offChain('withdrawal', 'type'),
    isClaimed: byLease,
    age: 'begun_at',
  },
  {
    table: 'authorisation_order',
    column: 'due_at',
    work: 'CAPTURE',
    // Ended ones stay in the table: the index of the others begins with the connection.
    isOpen: (sql, merchantId) => sql`${ofMerchant(sql, merchantId)} and due.ended_at is null
      and ${ofAnyConnection(sql, merchantId)}`,
    isClaimed: byLease,
  },
  {
    table: 'attempt_check',
    column: 'due_at',
    work: 'CHECK',
    isPassed: always,
    isOpen: ofMerchant,
    isClaimed: byLease,
    age: 'opened_at',
  },
  {
    table: 'attempt_closing',
    column: 'due_at',
    work: 'CANCELLATION',
    isPassed: always,
    isOpen: ofMerchant,
    isClaimed: byLease,
  },
  signals((sql) => sql`not due.crowded`),
  signals((sql) => sql`due.crowded`),
  {
    table: 'reconciliation',
    column: 'due_at',
    work: 'RECONCILIATION',
    isPassed: always,
    isOpen: ofOwnConnection,
    isClaimed: byLease,
  },
]
