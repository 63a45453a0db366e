// The SQL of the inspection of evidence: receipts with the bytes that they were made of.
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Outcome } from '#/rails/receipt.ts'

export type KeptReceipt = {
  readonly connection: string
  readonly providerRef: string
  readonly outcome: Outcome
  readonly occurrence: number
  /** Of a receipt that fits no attempt: the one whose reference it holds, in our format. Null: it holds none, or is older than the column. */
  readonly attemptId: string | null
  /** The amount that was booked, or put into suspense. */
  readonly minor: bigint
  readonly happenedAt: Date
  readonly evidence: Buffer
}

/** The connections of a method. */
export async function selectConnectionsOf(sql: Sql, method: string): Promise<readonly ConnectionId[]> {
  const rows = await sql<
    { id: ConnectionId }[]
  >`select id from connection where method = ${method} order by id`
  return rows.map(({ id }) => id)
}

/** A receipt whose evidence may have been erased. */
export type ReceiptRow = Omit<KeptReceipt, 'evidence'> & { readonly evidence: Buffer | null }

/**
 * A page of the receipts of one connection. One connection, so that the query uses the index; erased ones too, so that a page is read and
 * not searched for.
 */
export function selectReceipts(
  sql: Sql,
  connection: ConnectionId,
  after: ReceiptRow | undefined,
  limit: number,
): Promise<readonly ReceiptRow[]> {
  const { providerRef = '', outcome = '', occurrence = 0 } = after ?? {}
  const key = sql`provider_ref, outcome, occurrence`
  const isNext = sql`connection = ${connection} and (${key}) > (${providerRef}, ${outcome}, ${occurrence})`
  // One look-up for each receipt: for an EXISTS the database may read all erasures.
  const erasure = sql`lateral (
    select true as found from erased
     where erased.merchant_id = receipt.merchant_id and erased.place = 'receipt.evidence'
       and erased.key = receipt.payment_id || '/' || receipt.ordinal limit 1) as erasure on true`
  return sql<ReceiptRow[]>`
    select connection, provider_ref as "providerRef", outcome, occurrence, attempt_id as "attemptId", minor,
           happened_at as "happenedAt", evidence
      from (
        (select connection, ${key}, attempt_id, booked_minor as minor, happened_at,
                case when erasure.found is null then evidence end as evidence
           from receipt left join ${erasure} where ${isNext} order by ${key} limit ${limit})
        union all
        (select connection, ${key}, attempt_id, amount_minor, happened_at, evidence
           from unmatched where ${isNext} order by ${key} limit ${limit})
      ) as page
     order by ${key}
     limit ${limit}`
}
