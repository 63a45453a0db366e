// All SQL of merchants; that of their API keys is in key-queries.ts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { lengthened } from '#/db/limits.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { FeeRule, FeeRuleNow } from './fee.ts'

/** The rules of these merchants that are in force now. */
export function selectFeeRules(
  sql: Sql | Tx,
  merchantIds: readonly MerchantId[],
): Promise<readonly FeeRuleNow[]> {
  return sql<FeeRuleNow[]>`
    select merchant_id as "merchantId", method, currency, fixed_minor as "fixedMinor", rate_ppm as "ratePpm",
           valid_from as "validFrom"
      from fee_rule
     where merchant_id = any (${list(merchantIds)}::uuid[])`
}

export type FeeRuleKey = Pick<FeeRule, 'merchantId' | 'method' | 'currency'> & { readonly at: Date }

/** The rules that were in force at these instants and have been replaced since. */
export function selectPastFeeRules(
  tx: Tx,
  wanted: readonly FeeRuleKey[],
): Promise<readonly (FeeRule & { readonly at: Date })[]> {
  return tx<(FeeRule & { at: Date })[]>`
    select wanted.at, past.merchant_id as "merchantId", past.method, past.currency, past.fixed_minor as "fixedMinor",
           past.rate_ppm as "ratePpm"
      from (select distinct *
              from unnest(${list(wanted.map((each) => each.merchantId))}::uuid[], ${list(wanted.map((each) => each.method))}::text[],
                          ${list(wanted.map((each) => each.currency))}::text[],
                          ${list(wanted.map((each) => each.at))}::timestamptz[]) as pair (merchant_id, method, currency, at))
           as wanted
     cross join lateral (
       select *
         from fee_rule_past as rule
        where rule.merchant_id = wanted.merchant_id and rule.method = wanted.method
          and rule.currency = wanted.currency and rule.valid_from <= wanted.at
        order by rule.valid_from desc
        limit 1) as past
     where wanted.at < past.valid_to`
}

/**
 * Sets a rule for payments created from now on, and keeps the rule before for payments created under it. Locks the head until the
 * transaction ends, so that no batch of the ledger lane reads the old rule and decides after the new one began.
 */
export async function writeFeeRule(tx: Tx, rule: FeeRule): Promise<void> {
  const { merchantId, method, currency, fixedMinor, ratePpm } = rule
  await tx`select set_config('lock_timeout', ${`${lengthened(5)}s`}, true)`
  await tx`select 1 from head for update`
  // Not before the instants in the books or in the rule itself, in case the clock was set back.
  const [now] = await tx<{ at: Date }[]>`
    select greatest(date_trunc('milliseconds', clock_timestamp()), (select max(at) from head),
                    (select valid_from
                       from fee_rule
                      where merchant_id = ${merchantId} and method = ${method} and currency = ${currency})) as at`
  const at = must(now, 'there is always a row').at
  // A rule that was replaced in its own millisecond was never in force. If it were kept, the rule after it, which begins in
  // the same millisecond, would not be.
  await tx`
    insert into fee_rule_past (merchant_id, method, currency, valid_from, valid_to, fixed_minor, rate_ppm)
    select merchant_id, method, currency, valid_from, ${at}::timestamptz, fixed_minor, rate_ppm
      from fee_rule
     where merchant_id = ${merchantId} and method = ${method} and currency = ${currency}
       and (fixed_minor, rate_ppm) <> (${fixedMinor}::bigint, ${ratePpm}::bigint) and valid_from < ${at}`
  await tx`
    insert into fee_rule as rule (merchant_id, method, currency, fixed_minor, rate_ppm, valid_from)
    values (${merchantId}, ${method}, ${currency}, ${fixedMinor}, ${ratePpm}, ${at})
        on conflict (merchant_id, method, currency)
        do update set fixed_minor = excluded.fixed_minor, rate_ppm = excluded.rate_ppm, valid_from = excluded.valid_from
                where (rule.fixed_minor, rule.rate_ppm) <> (excluded.fixed_minor, excluded.rate_ppm)`
}

/** The mode of each of these connections. */
export function selectConnectionModes(
  tx: Tx,
  ids: readonly ConnectionId[],
): Promise<readonly { id: ConnectionId; mode: Mode }[]> {
  return tx<{ id: ConnectionId; mode: Mode }[]>`
    select id, mode from connection where id = any (${list([...new Set(ids)])}::text[])`
}

export type MerchantRow = {
  readonly id: MerchantId
  readonly mode: Mode
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

/** Whether the merchant is a sandbox that was archived. */
export async function isArchived(sql: Sql | Tx, id: MerchantId): Promise<boolean> {
  const rows = await sql`select from sandbox where merchant_id = ${id} and archived_at is not null`
  return rows.length > 0
}

export type SealedSecrets = {
  readonly current: Buffer
  /** Null as well when it was replaced longer ago than the overlap. */
  readonly previous: Buffer | null
}

export async function selectWebhookSecrets(
  sql: Sql,
  id: MerchantId,
  overlapMs: number,
): Promise<SealedSecrets | undefined> {
  const [row] = await sql<SealedSecrets[]>`
    select webhook_secret as current,
           case when webhook_secret_rotated_at > ${dueIn(sql, -overlapMs)} then webhook_secret_previous end as previous
      from merchant
     where id = ${id}`
  return row
}

/** Makes a new sealed secret the present one. Returns false when there is no such merchant. */
export async function replaceWebhookSecret(sql: Tx, id: MerchantId, sealed: Buffer): Promise<boolean> {
  const result = await sql`
    update merchant
       set webhook_secret_previous = webhook_secret, webhook_secret = ${sealed}, webhook_secret_rotated_at = ${dueNow(sql)}
     where id = ${id}`
  return result.count === 1
}
