// The SQL of records by their key, page after page, with the states that their merchants must have been notified of.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'

/** The key of a record, as in its events. */
export type Key = { readonly merchantId: MerchantId; readonly id: string }

/** Sorts before every key. */
export const minId = '00000000-0000-0000-0000-000000000000'

/** A record as it is now, by a key of its own kind. */
export type State<Id extends Key, Status extends string> = Id & {
  readonly status: Status
  readonly createdAt: Date
}

/** The next page of records of a table, by key, with their states. */
export function selectStatesOf<Id extends Key, Status extends string>(
  sql: Sql,
  table: 'refund' | 'dispute',
  after: Key | undefined,
  limit: number,
): Promise<readonly State<Id, Status>[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<State<Id, Status>[]>`
    select merchant_id as "merchantId", id, status, created_at as "createdAt"
      from ${sql(table)}
     where (merchant_id, id) > (${merchantId}, ${id})
     order by merchant_id, id
     limit ${limit}`
}
