// The query that finds changes for all open pages.
import type { Sql } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { PaymentRef } from '#/rails/attempt.ts'

/** Changes when the page may have changed: the payment's version, and how many of its attempts were opened or ended. */
export type PageVersion = { readonly paymentId: PaymentId; readonly version: number; readonly opened: number }

export function selectVersions(sql: Sql, refs: readonly PaymentRef[]): Promise<readonly PageVersion[]> {
  return sql<PageVersion[]>`
    select payment.id as "paymentId", payment.version,
           (select count(*)::integer from attempt
             where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
               and (attempt.artifacts is not null or attempt.refusal is not null))
           + (select count(*)::integer from attempt
               where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
                 and attempt.over_at is not null) as opened
      from ${rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', id: ['uuid', (each) => each.paymentId] })}
      join payment on payment.merchant_id = wanted.merchant_id and payment.id = wanted.id`
}
