// The SQL of the inspection of evidence: receipts with the bytes that they were made of.
import type { Sql } from '#/db/client.ts'
import type { Outcome } from '#/rails/rail.ts'

export type KeptReceipt = {
  readonly connection: string
  readonly providerRef: string
  readonly outcome: Outcome
  readonly occurrence: number
  /** Absent for one that fits no attempt. */
  readonly attemptId: string | null
  /** What was booked or suspended for it. */
  readonly minor: bigint
  readonly happenedAt: Date
  readonly evidence: Buffer
}

/** Receipts of a method after one, by key, those that fit no payment among them. */
export function selectKept(
  sql: Sql,
  method: string,
  after: KeptReceipt | undefined,
  limit: number,
): Promise<readonly KeptReceipt[]> {
  const { connection = '', providerRef = '', outcome = '', occurrence = 0 } = after ?? {}
  const isAfter = (table: string) => sql`
    (${sql(table)}.connection, ${sql(table)}.provider_ref, ${sql(table)}.outcome, ${sql(table)}.occurrence)
      > (${connection}, ${providerRef}, ${outcome}, ${occurrence})
      and ${sql(table)}.connection in (select id from connection where method = ${method})`
  const key = sql`connection, provider_ref, outcome, occurrence`
  return sql<KeptReceipt[]>`
    select connection, provider_ref as "providerRef", outcome, occurrence, attempt_id as "attemptId", minor,
           happened_at as "happenedAt", evidence
      from (
        (select ${key}, attempt_id, booked_minor as minor, happened_at, evidence
           from receipt where ${isAfter('receipt')} order by ${key} limit ${limit})
        union all
        (select ${key}, null, amount_minor, happened_at, evidence
           from unmatched where ${isAfter('unmatched')} order by ${key} limit ${limit})
      ) as kept
     order by ${key}
     limit ${limit}`
}
