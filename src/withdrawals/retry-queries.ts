// The SQL by which a person makes us send a withdrawal, or query its provider, now.
import type { Sql, Tx } from '#/db/client.ts'
import { hasten } from '#/jobs/due-queries.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import { withdrawalDue } from './queries.ts'

/** Makes the withdrawal due now, whatever its state. False when a worker holds its claim at this moment, or nothing is due. */
export async function retryNow(sql: Sql | Tx, id: WithdrawalId): Promise<boolean> {
  const hastened = await hasten(
    sql,
    withdrawalDue,
    sql`select due.ctid
          from withdrawal
          join withdrawal_due as due on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
         where withdrawal.id = ${id}`,
  )
  return hastened > 0
}
