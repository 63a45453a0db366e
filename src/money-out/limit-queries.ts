// All SQL of withdrawal limits.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import type { Limit, Spent } from './limits.ts'

export function selectLimits(sql: Sql | Tx, merchantIds: readonly MerchantId[]): Promise<readonly Limit[]> {
  return sql<Limit[]>`
    select merchant_id as "merchantId", type, currency, each_minor as "eachMinor", day_minor as "dayMinor",
           approval_above_minor as "approvalAboveMinor", listed_only as "listedOnly"
      from withdrawal_limit
     where merchant_id = any (${list(merchantIds)}::uuid[])`
}

/** `spentMinor`: what was accepted today, in UTC, by the database's clock, with that of the merchant's sub-accounts. */
export type LimitToday = Limit & { readonly spentMinor: bigint }

export function selectLimitsToday(sql: Sql, merchantId: MerchantId): Promise<readonly LimitToday[]> {
  return sql<LimitToday[]>`
    select most.merchant_id as "merchantId", most.type, most.currency, most.each_minor as "eachMinor",
           most.day_minor as "dayMinor", most.approval_above_minor as "approvalAboveMinor",
           most.listed_only as "listedOnly", spent.minor as "spentMinor"
      from withdrawal_limit as most
     cross join lateral (
       select coalesce(sum(each.minor), 0)::bigint as minor
         from (select most.merchant_id as id
                union all
               select sub_account.merchant_id from sub_account where sub_account.parent_id = most.merchant_id) as member
         join withdrawal_spent as each on each.merchant_id = member.id and each.type = most.type and each.currency = most.currency
                                      and each.day = (${dueNow(sql)} at time zone 'UTC')::date
     ) as spent
     where most.merchant_id = ${merchantId}
     order by most.type, most.currency`
}

/** Sets a merchant's limits of one type and currency, instead of the present ones. */
export async function writeLimit(sql: Tx, limit: Limit): Promise<void> {
  await sql`
    insert into withdrawal_limit (merchant_id, type, currency, each_minor, day_minor, approval_above_minor, listed_only)
    values (${limit.merchantId}, ${limit.type}, ${limit.currency}, ${limit.eachMinor}, ${limit.dayMinor},
            ${limit.approvalAboveMinor}, ${limit.listedOnly})
        on conflict (merchant_id, type, currency) do update
       set each_minor = excluded.each_minor, day_minor = excluded.day_minor,
           approval_above_minor = excluded.approval_above_minor, listed_only = excluded.listed_only`
}

/** The sums accepted on these days, each for its merchant, type and currency, with those of the merchant's sub-accounts. */
export function selectSpentOn(tx: Tx, days: readonly Omit<Spent, 'minor'>[]): Promise<readonly Spent[]> {
  return tx<Spent[]>`
    select wanted.merchant_id as "merchantId", wanted.type, wanted.currency, wanted.day::text, sum(spent.minor)::bigint as minor
      from (select distinct merchant_id, type, currency, day::date as day from ${rowsOf(tx, 'each', days, dayColumns)}) as wanted
     cross join lateral (select wanted.merchant_id as id
                          union all
                         select sub_account.merchant_id from sub_account where sub_account.parent_id = wanted.merchant_id) as member
      join withdrawal_spent as spent on spent.merchant_id = member.id and spent.type = wanted.type
                                    and spent.currency = wanted.currency and spent.day = wanted.day
     group by wanted.merchant_id, wanted.type, wanted.currency, wanted.day`
}

const dayColumns = { merchant_id: 'uuid', type: 'text', currency: 'text', day: 'text' } as const

/** Adds accepted withdrawals to the sums of their days. */
export async function addSpent(tx: Tx, added: readonly Spent[]): Promise<void> {
  await tx`
    insert into withdrawal_spent (merchant_id, type, currency, day, minor)
    select merchant_id, type, currency, day::date, sum(minor)
      from ${rowsOf(tx, 'new', added, { ...dayColumns, minor: 'bigint' })}
     group by merchant_id, type, currency, day
        on conflict (merchant_id, type, currency, day) do update
       set minor = withdrawal_spent.minor + excluded.minor`
}

/** Deducts from the sums of their days what did not leave after all. */
export async function releaseSpent(tx: Tx, released: readonly Spent[]): Promise<void> {
  await tx`
    update withdrawal_spent
       set minor = greatest(withdrawal_spent.minor - new.minor, 0)
      from (select merchant_id, type, currency, day::date as day, sum(minor)::bigint as minor
              from ${rowsOf(tx, 'old', released, { ...dayColumns, minor: 'bigint' })}
             group by merchant_id, type, currency, day) as new
     where withdrawal_spent.merchant_id = new.merchant_id and withdrawal_spent.type = new.type
       and withdrawal_spent.currency = new.currency and withdrawal_spent.day = new.day`
}

/**
 * Makes withdrawals of the merchant and its sub-accounts due now that limits or lists of destinations held back, because the
 * rules have changed. Skips claimed ones.
 */
export async function hastenHeldBack(sql: Sql, merchantId: MerchantId): Promise<void> {
  await sql`
    update withdrawal_due as due
       set due_at = least(due.due_at, ${dueNow(sql)})
      from withdrawal
     where due.merchant_id = any (array(select ${merchantId}::uuid
                                         union all
                                        select sub_account.merchant_id from sub_account where parent_id = ${merchantId}))
       and due.asked_at is null
       and withdrawal.merchant_id = due.merchant_id and withdrawal.id = due.withdrawal_id and withdrawal.review_required`
}

export type ListedDestination = {
  readonly merchantId: MerchantId
  readonly type: PayoutType
  readonly destination: string
  readonly note: string | null
}

export function selectDestinations(
  sql: Sql | Tx,
  merchantIds: readonly MerchantId[],
): Promise<readonly ListedDestination[]> {
  return sql<ListedDestination[]>`
    select merchant_id as "merchantId", type, destination, note
      from withdrawal_destination
     where merchant_id = any (${list(merchantIds)}::uuid[])
     order by type, destination`
}

/** The first destinations of a merchant's list. */
export function selectFirstDestinations(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly Pick<ListedDestination, 'type' | 'destination'>[]> {
  return sql<Pick<ListedDestination, 'type' | 'destination'>[]>`
    select type, destination from withdrawal_destination
     where merchant_id = ${merchantId}
     order by type, destination
     limit ${limit}`
}

export async function insertDestination(
  sql: Tx,
  { merchantId, type, destination, note }: ListedDestination,
): Promise<void> {
  await sql`
    insert into withdrawal_destination (merchant_id, type, destination, note, created_at)
    values (${merchantId}, ${type}, ${destination}, ${note}, clock_timestamp())
        on conflict do nothing`
}

/** Returns false when it was not on the list. */
export async function deleteDestination(
  sql: Tx,
  { merchantId, type, destination }: Omit<ListedDestination, 'note'>,
): Promise<boolean> {
  const result = await sql`
    delete from withdrawal_destination
     where merchant_id = ${merchantId} and type = ${type} and destination = ${destination}`
  return result.count === 1
}
