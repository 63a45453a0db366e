// All SQL of merchants; that of their API keys is in key-queries.ts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { lengthened } from '#/db/limits.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, MerchantId, ApiKeyId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { FeeRule, FeeRuleNow } from './fee.ts'
import type { Freeze, FreezeKind, FreezeScope } from './freeze.ts'
import type { Holder, Holders } from './lineage.ts'

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

export type MerchantWithSettings = MerchantRow & MerchantSettings

export async function selectMerchant(sql: Sql | Tx, id: MerchantId): Promise<MerchantRow | undefined> {
  const [row] = await sql<MerchantRow[]>`
    select id, mode, name, created_at as "createdAt" from merchant where id = ${id}`
  return row
}

export async function selectMerchantWithSettings(
  sql: Sql | Tx,
  id: MerchantId,
): Promise<MerchantWithSettings | undefined> {
  const [row] = await sql<MerchantWithSettings[]>`
    select id, mode, name, created_at as "createdAt", return_url as "returnUrl", legal_name as "legalName", tax_id as "taxId",
           tax_country as country
      from merchant
     where id = ${id}`
  return row
}

/** What a merchant decides for all its payments. */
export type MerchantSettings = {
  /** Where the pages of payments lead back to when neither the payment nor its template says it. Null: nowhere. */
  readonly returnUrl: string | null
  /** Who it is before the law, as receipts show it. */
  readonly legalName: string | null
  /** In its normal form; of `country`, and without one of Brazil. */
  readonly taxId: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
}

/** Writes all settings. Returns whether anything changed. */
export async function writeSettings(
  tx: Tx,
  id: MerchantId,
  { returnUrl, legalName, taxId, country }: MerchantSettings,
): Promise<boolean> {
  const rows = await tx`
    update merchant
       set return_url = ${returnUrl}, legal_name = ${legalName}, tax_id = ${taxId}, tax_country = ${country}
     where id = ${id}
       and (return_url, legal_name, tax_id, tax_country)
           is distinct from (${returnUrl}::text, ${legalName}::text, ${taxId}::text, ${country}::text)
    returning id`
  return rows.length > 0
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

// All SQL of freezes and suspensions. Statements that claim what is to be sent call `is_frozen` themselves.

/** The freezes and suspensions that apply to these merchants, of any rail. */
export function selectFreezes(
  sql: Sql | Tx,
  merchantIds: readonly MerchantId[],
): Promise<readonly FreezeScope[]> {
  return sql<FreezeScope[]>`
    select merchant_id as "merchantId", rail
      from money_freeze
     where merchant_id is null or merchant_id = any (${list(merchantIds)}::uuid[])`
}

/** Whether money of this merchant may not leave by this rail, at this moment. */
export async function isFrozenNow(
  sql: Sql | Tx,
  { merchantId, rail }: { readonly merchantId: MerchantId; readonly rail: string },
): Promise<boolean> {
  const [row] = await sql<{ frozen: boolean }[]>`select is_frozen(${merchantId}, ${rail}) as frozen`
  return row?.frozen !== false
}

/** Whether a restore is being repaired and nobody has confirmed yet what left in the span that it lost. */
export async function isMoneyOutUnknown(sql: Sql | Tx): Promise<boolean> {
  const rows = await sql`
    select from money_freeze
     where kind = 'RESTORE'
       and not exists (select from restore_review
                        where epoch = (select max(number) from epoch) and subject = 'MONEY_OUT')
     limit 1`
  return rows.length > 0
}

/** Every freeze and suspension, the oldest first, with the merchants' names. */
export function selectAllFreezes(
  sql: Sql | Tx,
): Promise<readonly (Freeze & { readonly merchantName: string | null })[]> {
  return sql<(Freeze & { readonly merchantName: string | null })[]>`
    select money_freeze.id, kind, merchant_id as "merchantId", merchant.name as "merchantName", rail, reason,
           decided_by as "decidedBy", at
      from money_freeze
      left join merchant on merchant.id = merchant_id
     order by at, money_freeze.id`
}

/** Returns false when the same is frozen already: that row stays as it is. */
export async function insertFreeze(tx: Tx, freeze: Omit<Freeze, 'at'>): Promise<boolean> {
  const { id, kind, merchantId, rail, reason, decidedBy } = freeze
  const result = await tx`
    insert into money_freeze (id, kind, merchant_id, rail, reason, decided_by)
    values (${id}, ${kind}, ${merchantId}, ${rail}, ${reason}, ${decidedBy})
    on conflict do nothing`
  return result.count === 1
}

/** Ends a freeze. Returns the row that was deleted. */
export async function deleteFreeze(
  tx: Tx,
  { kind, merchantId, rail }: FreezeScope & { readonly kind: FreezeKind },
): Promise<Freeze | undefined> {
  const [row] = await tx<Freeze[]>`
    delete from money_freeze
     where kind = ${kind} and merchant_id is not distinct from ${merchantId} and rail is not distinct from ${rail}
    returning id, kind, merchant_id as "merchantId", rail, reason, decided_by as "decidedBy", at`
  return row
}

// How far the clock of a sandbox's merchant was moved. Zero for every other merchant.

/** How far the merchant's dates were moved in all, in milliseconds. */
export async function selectMoved(sql: Sql | Tx, merchantId: MerchantId): Promise<number> {
  const [row] = await sql<{ movedMs: number }[]>`select moved_ms(${merchantId}::uuid)::float8 as "movedMs"`
  return row?.movedMs ?? 0
}

export type Since = { readonly merchantId: MerchantId; readonly id: string; readonly since: Date }

/** How far the dates of these merchants were moved since these instants. */
export function selectMovedSince(
  sql: Sql | Tx,
  wanted: readonly Since[],
): Promise<readonly { readonly id: string; readonly movedMs: number }[]> {
  return sql<{ id: string; movedMs: number }[]>`
    select id, moved_ms_since(merchant_id, since)::float8 as "movedMs"
      from ${rowsOf(sql, 'wanted', wanted, { merchant_id: 'uuid', id: 'uuid', since: 'timestamptz' })}`
}

// The SQL of who holds keys: found by the key alone, whichever merchant it is of.

/** Who holds these keys, whichever merchant they are of. A key is absent that is not there, or whose first key is not there. */
export async function selectHolders(sql: Sql | Tx, ids: readonly ApiKeyId[]): Promise<Holders> {
  const rows = await sql<(Holder & { readonly id: ApiKeyId })[]>`
    select api_key.id, first.id as lineage, first.merchant_id as "begunAt", first.member as "user", api_key.person
      from unnest(${list([...new Set(ids)])}::uuid[]) as wanted (id)
      join api_key on api_key.id = wanted.id
      join api_key as first on first.id = coalesce(api_key.lineage, api_key.id)`
  return new Map(rows.map(({ id, ...holder }) => [id, holder]))
}

/**
 * Those of these keys that belong to the merchant's parent: a key of the parent that acts for the merchant, or a key that was made by such
 * a key. A parent that makes a key for its sub-account still counts as the parent.
 */
export async function selectParentsKeys(
  sql: Sql | Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly id: ApiKeyId }[],
): Promise<ReadonlySet<ApiKeyId>> {
  const rows = await sql<{ id: ApiKeyId }[]>`
    select wanted.id
      from ${rowsOf(sql, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      left join api_key on api_key.merchant_id = wanted.merchant_id and api_key.id = wanted.id
      left join api_key as first on first.merchant_id = wanted.merchant_id and first.id = coalesce(api_key.lineage, api_key.id)
     where first.id is null`
  return new Set(rows.map(({ id }) => id))
}
