// The SQL of the inspection of restores.
import type { Sql } from '#/db/client.ts'

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

export type StrayGap = { readonly merchantId: string; readonly epoch: number }

/** Gaps that no epoch explains: of another length than its jump, or of none. At most ten. */
export function selectStrayGaps(sql: Sql): Promise<readonly StrayGap[]> {
  return sql<StrayGap[]>`
    select merchant_id as "merchantId", epoch
      from event_gap left join epoch on epoch.number = event_gap.epoch
     where first_number - last_number - 1 is distinct from event_jump
     order by merchant_id, epoch
     limit 10`
}
