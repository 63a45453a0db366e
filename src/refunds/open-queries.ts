// The SQL of refunds that have not ended, for people: a list of them, and whether one may have been sent.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { RefundId } from '#/kernel/id.ts'
import { columns, toRefund, type RefundRow } from './queries.ts'
import type { Refund } from './refund.ts'

export type OpenRefund = Refund & {
  /** How often it was claimed for sending, and how often it is known that nothing was sent. */
  readonly sends: number
  readonly unsent: number
}

/** Refunds that have not ended, for the operator: those that wait for a person, then the others in the order in which they are due. */
export async function selectOpen(sql: Sql, limit: number): Promise<readonly OpenRefund[]> {
  const rows = await sql<(RefundRow & { sends: number; unsent: number })[]>`
    with open as (
      (select merchant_id, id, 0 as sends, 0 as unsent, null::timestamptz as due_at
         from refund where approval_required order by merchant_id, id limit ${limit})
       union all
      (select merchant_id, refund_id, sends, unsent, due_at from refund_due order by due_at limit ${limit})
    )
    select ${columns(sql)}, open.sends, open.unsent
      from open
      join refund on refund.merchant_id = open.merchant_id and refund.id = open.id
      join merchant on merchant.id = refund.merchant_id
     order by open.due_at nulls first, refund.id
     limit ${limit}`
  return rows.map(({ sends, unsent, ...row }) => ({ ...toRefund(row), sends, unsent }))
}

/**
 * How often each of these refunds was claimed for sending without proof that nothing was sent. Locks them, so that no worker
 * claims one before the transaction ends. Refunds without a row in `refund_due` are left out.
 */
export async function lockSends(tx: Tx, ids: readonly RefundId[]): Promise<ReadonlyMap<RefundId, number>> {
  const rows = await tx<{ id: RefundId; sends: number }[]>`
    select due.refund_id as id, due.sends - due.unsent as sends
      from refund
      join refund_due as due on due.merchant_id = refund.merchant_id and due.refund_id = refund.id
     where refund.id = any (${list(ids)}::uuid[])
     order by due.merchant_id, due.refund_id
       for update of due`
  return new Map(rows.map(({ id, sends }) => [id, sends]))
}
