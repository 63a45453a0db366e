// The SQL of the inspection of restores.
import type { Sql } from '#/db/client.ts'
import { leastId } from '#/db/lists.ts'

export type EpochRow = {
  readonly number: number
  readonly id: string
  readonly lastBatch: bigint
  readonly lastHash: Buffer
  readonly lastAt: Date
  readonly eventJump: bigint
  readonly at: Date
  /** Of the batch that was the newest one; null: there is no such batch. */
  readonly batchHash: Buffer | null
  readonly batchAt: Date | null
  /** The instant of the batch after it, which began the epoch. */
  readonly firstAt: Date | null
  /** What the audit log, which the chain seals, says of it. */
  readonly logged: Readonly<Record<string, unknown>> | null
}

/** One row for each restore that was repaired. */
export function selectEpochs(sql: Sql): Promise<readonly EpochRow[]> {
  return sql<EpochRow[]>`
    select epoch.number, epoch.id, last_batch as "lastBatch", last_hash as "lastHash", last_at as "lastAt",
           event_jump as "eventJump", epoch.at, batch.hash as "batchHash", batch.at as "batchAt", first.at as "firstAt",
           (select after from audit_log
             where action = 'books.restore' and subject = 'epoch:' || epoch.number and merchant_id is null
             order by id limit 1) as logged
      from epoch
      left join batch on batch.number = last_batch
      left join batch as first on first.number = last_batch + 1
     order by epoch.number`
}

export async function selectEpochOfHead(sql: Sql, cell: string): Promise<number | undefined> {
  const [row] = await sql<{ epoch: number }[]>`select epoch from head where cell = ${cell}`
  return row?.epoch
}

type StrayGap = { readonly merchantId: string; readonly epoch: number }

/** Gaps that no epoch explains: of another length than its jump, or of none. At most ten. */
export function selectStrayGaps(sql: Sql): Promise<readonly StrayGap[]> {
  return sql<StrayGap[]>`
    select merchant_id as "merchantId", epoch
      from event_gap left join epoch on epoch.number = event_gap.epoch
     where first_number - last_number - 1 is distinct from event_jump
     order by merchant_id, epoch
     limit 10`
}

/** An import of lost attempts: what the audit log says of it. */
export type PageRow = { readonly pageId: string; readonly logged: Readonly<Record<string, unknown>> }

/** The next entries of the audit log about lost attempts, in the order of their pages. */
export function selectLoggedPages(
  sql: Sql,
  after: string | undefined,
  limit: number,
): Promise<readonly PageRow[]> {
  return sql<PageRow[]>`
    select split_part(subject, ':', 2) as "pageId", after as logged
      from audit_log
     where action = 'restore.find-issued' and merchant_id is null
       and split_part(subject, ':', 2) > ${after ?? leastId}
     order by split_part(subject, ':', 2)
     limit ${limit}`
}

export type LostIssuanceRow = {
  readonly merchantId: string
  readonly attemptId: string
  readonly paymentId: string
  readonly epoch: number
  readonly method: string
  readonly connection: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly issuedAt: Date
  /** Whether the books have the attempt after all. */
  readonly isInBooks: boolean
  /** Null: there is no such connection. */
  readonly connectionMethod: string | null
}

/** The lost attempts of one page: a thousand at most. */
export function selectLostOfPage(sql: Sql, pageId: string): Promise<readonly LostIssuanceRow[]> {
  return sql<LostIssuanceRow[]>`
    select lost.merchant_id as "merchantId", lost.attempt_id as "attemptId", lost.payment_id as "paymentId", lost.epoch,
           lost.method, lost.connection, lost.amount_minor as "amountMinor", lost.currency, lost.issued_at as "issuedAt",
           exists (select from attempt where attempt.merchant_id = lost.merchant_id and attempt.id = lost.attempt_id) as "isInBooks",
           connection.method as "connectionMethod"
      from lost_issuance as lost
      left join connection on connection.id = lost.connection
     where lost.page_id = ${pageId}`
}

/** Lost attempts of pages that no entry names, closings and watched addresses of attempts that are not lost. At most ten of each. */
export function selectStrayLost(
  sql: Sql,
): Promise<readonly { readonly row: string; readonly what: string }[]> {
  return sql<{ row: string; what: string }[]>`
    (select 'lost attempt ' || attempt_id as row, 'is in no entry of the audit log' as what
       from lost_issuance
      where not exists (select from audit_log
                         where action = 'restore.find-issued' and merchant_id is null
                           and subject = 'lost-page:' || lost_issuance.page_id)
      order by attempt_id limit 10)
      union all
    (select 'closing of lost attempt ' || attempt_id, 'is of an attempt that is not lost'
       from lost_closing
      where not exists (select from lost_issuance as lost
                         where lost.merchant_id = lost_closing.merchant_id and lost.attempt_id = lost_closing.attempt_id
                           and lost.connection = lost_closing.connection)
      order by attempt_id limit 10)`
}
