// Makes a merchant of a test a sub-account of a new one, or changes its state, without a call: for tests whose merchant was there before. Keys
// that nobody finds count as the parent's, so where its withdrawals go is put on its list.
import { randomBytes } from 'node:crypto'
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import { createMerchant } from '#/merchants/merchant.ts'

export async function setSubAccount(
  sql: Sql,
  merchantId: MerchantId,
  { state, clock }: { readonly state: 'SUSPENDED' | 'ACTIVE'; readonly clock: Clock },
): Promise<void> {
  const suspendedBy = state === 'SUSPENDED' ? 'OPERATOR' : null
  await sql`
    insert into withdrawal_destination (merchant_id, type, destination, note, created_at)
    select distinct on (type, place) merchant_id, type, place, 'a test', clock_timestamp()
      from (select merchant_id, type, destination ->> 'text' as place from withdrawal where merchant_id = ${merchantId}) as paid
        on conflict do nothing`
  const changed = await sql`
    update sub_account set state = ${state}, suspended_by = ${suspendedBy} where merchant_id = ${merchantId}`
  if (changed.count > 0) return
  const deps = { sql, clock, sealKey: randomBytes(32), openWallets: async () => {} }
  const parent = await createMerchant(deps, { mode: 'SANDBOX', name: 'Platform' })
  await sql`
    insert into sub_account (merchant_id, parent_id, state, suspended_by, created_at)
    values (${merchantId}, ${parent.merchant.id}, ${state}, ${suspendedBy}, clock_timestamp())`
}
