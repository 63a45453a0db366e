// The SQL of the gate's own facts. Its others are read by the queries of the rooms that own them.
import type { Sql, Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId, WithdrawalBatchId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'

/** What the batches of these withdrawals come to, by type and currency, ended withdrawals included: a part that has left counts. */
export function selectBatchSums(
  sql: Sql | Tx,
  members: readonly {
    readonly merchantId: MerchantId
    readonly batchId?: WithdrawalBatchId | undefined
  }[],
): Promise<
  readonly {
    readonly batchId: WithdrawalBatchId
    readonly type: PayoutType
    readonly currency: Currency
    readonly minor: bigint
  }[]
> {
  return sql`
    select withdrawal.batch_id as "batchId", withdrawal.type, withdrawal.currency, sum(withdrawal.amount_minor)::bigint as minor
      from (select distinct *
              from ${rowsOf(sql, 'member', members, { merchant_id: 'uuid', batch_id: 'uuid' })}) as member
      join withdrawal on withdrawal.merchant_id = member.merchant_id and withdrawal.batch_id = member.batch_id
     where withdrawal.status <> 'CANCELED'
     group by withdrawal.batch_id, withdrawal.type, withdrawal.currency`
}
