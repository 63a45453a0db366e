// The SQL of why withdrawals and refunds have not ended, for the console: one page of them at a time.
import { list, type Sql } from '#/db/client.ts'
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'

/** What keeps a withdrawal or refund. Absent times: a worker does not have it in its queue. */
export type PayoutFacts<Id> = {
  readonly id: Id
  readonly merchantName: string
  /** Its money may not leave now: everything, its method or its merchant is frozen or suspended. */
  readonly isFrozen: boolean
  /** When a worker tries it or asks about it next. */
  readonly dueAt: Date | null
  /** How often it may have been sent. */
  readonly maybeSent: number
}

export function selectWithdrawalFacts(
  sql: Sql,
  ids: readonly WithdrawalId[],
): Promise<readonly PayoutFacts<WithdrawalId>[]> {
  return sql<PayoutFacts<WithdrawalId>[]>`
    select withdrawal.id, merchant.name as "merchantName", is_frozen(withdrawal.merchant_id, withdrawal.type) as "isFrozen",
           due.due_at as "dueAt", case when due.begun_at is null then 0 else due.sends end as "maybeSent"
      from withdrawal
      join merchant on merchant.id = withdrawal.merchant_id
      left join withdrawal_due as due
        on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
     where withdrawal.id = any (${list(ids)}::uuid[])`
}

export function selectRefundFacts(
  sql: Sql,
  ids: readonly RefundId[],
): Promise<readonly (PayoutFacts<RefundId> & { readonly isDisputed: boolean })[]> {
  return sql<(PayoutFacts<RefundId> & { readonly isDisputed: boolean })[]>`
    select refund.id, merchant.name as "merchantName", is_frozen(refund.merchant_id, refund.method) as "isFrozen",
           due.due_at as "dueAt", coalesce(due.sends - due.unsent, 0) as "maybeSent",
           exists (select from dispute
                    where dispute.merchant_id = refund.merchant_id and dispute.payment_id = refund.payment_id
                      and dispute.connection = refund.connection and dispute.paid_ref = refund.paid_ref
                      and dispute.status = 'OPEN') as "isDisputed"
      from refund
      join merchant on merchant.id = refund.merchant_id
      left join refund_due as due on due.merchant_id = refund.merchant_id and due.refund_id = refund.id
     where refund.id = any (${list(ids)}::uuid[])`
}
