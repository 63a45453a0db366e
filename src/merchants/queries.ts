// All SQL of merchants.
import type { Sql, Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { FeeRule } from './fee.ts'

export function selectFeeRules(sql: Sql | Tx, merchantIds: readonly MerchantId[]): Promise<readonly FeeRule[]> {
  return sql<FeeRule[]>`
    select merchant_id as "merchantId", method, currency, fixed_minor as "fixedMinor", rate_ppm as "ratePpm"
      from fee_rule
     where merchant_id = any (${merchantIds}::uuid[])`
}
