// All SQL of merchants; that of their API keys is in key-queries.ts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { MerchantMode } from './api-key.ts'
import type { FeeRule } from './fee.ts'

export function selectFeeRules(
  sql: Sql | Tx,
  merchantIds: readonly MerchantId[],
): Promise<readonly FeeRule[]> {
  return sql<FeeRule[]>`
    select merchant_id as "merchantId", method, currency, fixed_minor as "fixedMinor", rate_ppm as "ratePpm"
      from fee_rule
     where merchant_id = any (${list(merchantIds)}::uuid[])`
}

export async function writeFeeRule(sql: Tx, rule: FeeRule): Promise<void> {
  await sql`
    insert into fee_rule (merchant_id, method, currency, fixed_minor, rate_ppm)
    values (${rule.merchantId}, ${rule.method}, ${rule.currency}, ${rule.fixedMinor}, ${rule.ratePpm})
    on conflict (merchant_id, method, currency)
    do update set fixed_minor = excluded.fixed_minor, rate_ppm = excluded.rate_ppm`
}

/** Whose money each of these connections moves. */
export function selectConnectionModes(
  tx: Tx,
  ids: readonly ConnectionId[],
): Promise<readonly { id: ConnectionId; mode: MerchantMode }[]> {
  return tx<{ id: ConnectionId; mode: MerchantMode }[]>`
    select id, mode from connection where id = any (${list([...new Set(ids)])}::text[])`
}

export type MerchantRow = {
  readonly id: MerchantId
  readonly mode: MerchantMode
  readonly name: string
  readonly createdAt: Date
}

export async function insertMerchant(
  tx: Tx,
  merchant: MerchantRow & { readonly webhookSecret: Buffer },
): Promise<void> {
  await tx`
    insert into merchant (id, mode, name, webhook_secret, created_at)
    values (${merchant.id}, ${merchant.mode}, ${merchant.name}, ${merchant.webhookSecret}, ${merchant.createdAt})`
}

export function selectMerchants(sql: Sql): Promise<readonly MerchantRow[]> {
  return sql<MerchantRow[]>`select id, mode, name, created_at as "createdAt" from merchant order by id`
}

export async function selectMerchant(sql: Sql | Tx, id: MerchantId): Promise<MerchantRow | undefined> {
  const [row] = await sql<MerchantRow[]>`
    select id, mode, name, created_at as "createdAt" from merchant where id = ${id}`
  return row
}

export type SealedSecrets = {
  readonly current: Buffer
  readonly previous: Buffer | null
  readonly rotatedAt: Date | null
}

export async function selectWebhookSecrets(sql: Sql, id: MerchantId): Promise<SealedSecrets | undefined> {
  const [row] = await sql<SealedSecrets[]>`
    select webhook_secret as current, webhook_secret_previous as previous, webhook_secret_rotated_at as "rotatedAt"
      from merchant
     where id = ${id}`
  return row
}

/** Puts a new sealed secret in front of the present one. Answers false when there is no such merchant. */
export async function replaceWebhookSecret(
  sql: Tx,
  id: MerchantId,
  sealed: Buffer,
  at: Date,
): Promise<boolean> {
  const result = await sql`
    update merchant
       set webhook_secret_previous = webhook_secret, webhook_secret = ${sealed}, webhook_secret_rotated_at = ${at}
     where id = ${id}`
  return result.count === 1
}
