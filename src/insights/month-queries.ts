// The SQL of a month's movements by method.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'

/** What moved on one account by a kind and a method. `method`: of a payment, or the type of a withdrawal; null for what has none. */
export type MovedBy = {
  readonly account: bigint
  readonly kind: string
  readonly method: string | null
  readonly count: bigint
  readonly inflow: bigint
  readonly outflow: bigint
}

/**
 * The movements of these accounts after one transfer and up to another, added up. A movement has the method of what it is about: the
 * receipt whose number its step carries, the refund, the withdrawal, the disputed money, or the payment that was split.
 */
export async function selectMovedByMethod(
  sql: Sql | Tx,
  merchantId: MerchantId,
  accounts: readonly bigint[],
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<readonly MovedBy[]> {
  const ofAttempt = (receipts: ReturnType<typeof sql>) => sql`
    select attempt.method from ${receipts}
      join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
     where receipt.merchant_id = ${merchantId}`
  const rows = await sql<(Omit<MovedBy, 'inflow' | 'outflow'> & { inflow: string; outflow: string })[]>`
    select moved.account, moved.kind, moved.method, count(*) as count, sum(greatest(moved.minor, 0))::text as inflow,
           sum(greatest(-moved.minor, 0))::text as outflow
      from (
        select entry.account_id as account, transfer.kind, entry.minor,
               case
                 when transfer.kind in ('REFUND', 'REFUND_RETURNED', 'REFUND_REPAID') then (
                   select refund.method from refund where refund.merchant_id = ${merchantId} and refund.id = transfer.subject)
                 when transfer.kind in ('WITHDRAWAL', 'WITHDRAWAL_FEE', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_REPAID') then (
                   select withdrawal.type from withdrawal
                    where withdrawal.merchant_id = ${merchantId} and withdrawal.id = transfer.subject)
                 when transfer.kind in ('DISPUTE', 'DISPUTE_WON', 'DISPUTE_FEE') then (
                   ${ofAttempt(sql`dispute join receipt on receipt.connection = dispute.connection
                      and receipt.provider_ref = dispute.paid_ref and receipt.outcome = 'paid' and receipt.occurrence = 1`)}
                      and dispute.merchant_id = ${merchantId} and dispute.id = transfer.subject)
                 when transfer.kind not in ('TRANSFER', 'ADJUSTMENT') then coalesce(
                   (${ofAttempt(sql`receipt`)} and receipt.payment_id = transfer.subject
                       and receipt.ordinal = substring(transfer.step from '^[0-9]+')::integer),
                   (select payment.method from payment_split as split
                      join payment on payment.merchant_id = split.merchant_id and payment.id = split.payment_id
                     where split.id = transfer.subject),
                   (select payment.method from payment
                     where payment.merchant_id = ${merchantId} and payment.id = transfer.subject))
               end as method
          from unnest(${list(accounts)}::bigint[]) as account (id)
          join entry on entry.account_id = account.id and entry.transfer > ${after} and entry.transfer <= ${upTo}
          join transfer on transfer.number = entry.transfer
      ) as moved
     group by moved.account, moved.kind, moved.method
     order by moved.account, moved.kind, moved.method`
  return rows.map((row) => ({ ...row, inflow: BigInt(row.inflow), outflow: BigInt(row.outflow) }))
}
