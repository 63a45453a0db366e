// The SQL of the gate's own facts. Its others are read by the queries of the rooms that own them.
import { type Sql, type Tx, list } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId, WithdrawalBatchId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { payoutCurrencies, type Limit, type Spent } from './limits.ts'

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

// The SQL of the destinations that are ours.

/** Those of the addresses (0x and 40 digits in lower case) that are ours on any chain. */
export async function selectOwnAddresses(
  sql: Sql | Tx,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ address: string }[]>`
    with asked as materialized (
      select decode(substr(text, 3), 'hex') as address from unnest(${list(addresses)}::text[]) as text
    )
    select '0x' || encode(asked.address, 'hex') as address
      from asked
     where exists (select from chain
                          join deposit_address as deposit
                            on deposit.chain = chain.key and deposit.address = asked.address)
        or exists (select from hot_wallet where hot_wallet.address = asked.address)
        or exists (select from chain where asked.address in (chain.treasury, chain.factory))
        or exists (select from chain_token as token where token.address = asked.address)`
  return rows.map(({ address }) => address)
}

/** Those of the IBANs that are accounts of connections. */
export async function selectOwnIbans(sql: Sql | Tx, ibans: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ iban: string }[]>`
    select distinct settings->>'iban' as iban from connection
     where method = 'SEPA_TRANSFER' and settings->>'iban' = any (${list(ibans)}::text[])`
  return rows.map(({ iban }) => iban)
}

/** Those of the PIX keys (in lower case) that are of connections. */
export async function selectOwnPixKeys(sql: Sql | Tx, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ key: string }[]>`
    select distinct lower(settings->>'pixKey') as key from connection
     where method in ('PIX', 'PIX_PAYOUT') and lower(settings->>'pixKey') = any (${list(keys)}::text[])`
  return rows.map(({ key }) => key)
}

// All SQL of withdrawal limits.

export function selectLimits(sql: Sql | Tx, merchantIds: readonly MerchantId[]): Promise<readonly Limit[]> {
  return sql<Limit[]>`
    select merchant_id as "merchantId", type, currency, each_minor as "eachMinor", day_minor as "dayMinor",
           approval_above_minor as "approvalAboveMinor", one_person as "onePerson", listed_only as "listedOnly"
      from withdrawal_limit
     where merchant_id = any (${list(merchantIds)}::uuid[])`
}

/** `spentMinor`: what was accepted today, in UTC, by the database's clock, with that of the merchant's sub-accounts. */
export type LimitToday = Limit & { readonly spentMinor: bigint }

export function selectLimitsToday(sql: Sql, merchantId: MerchantId): Promise<readonly LimitToday[]> {
  return sql<LimitToday[]>`
    select most.merchant_id as "merchantId", most.type, most.currency, most.each_minor as "eachMinor",
           most.day_minor as "dayMinor", most.approval_above_minor as "approvalAboveMinor", most.one_person as "onePerson",
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

/** What a merchant and its sub-accounts paid out today, in UTC, by the database's clock: of each type in the currency that it pays out. */
export function selectSpentToday(
  sql: Sql,
  merchantId: MerchantId,
): Promise<readonly Omit<Spent, 'merchantId' | 'day'>[]> {
  const paid = Object.entries(payoutCurrencies).map(([type, currency]) => ({ type, currency }))
  return sql<Omit<Spent, 'merchantId' | 'day'>[]>`
    select paid.type, paid.currency, spent.minor
      from ${rowsOf(sql, 'paid', paid, { type: 'text', currency: 'text' })}
     cross join lateral (
       select coalesce(sum(each.minor), 0)::bigint as minor
         from (select ${merchantId}::uuid as id
                union all
               select sub_account.merchant_id from sub_account where sub_account.parent_id = ${merchantId}) as member
         join withdrawal_spent as each on each.merchant_id = member.id and each.type = paid.type and each.currency = paid.currency
                                      and each.day = (${dueNow(sql)} at time zone 'UTC')::date
     ) as spent
     order by paid.type`
}

/** Sets a merchant's limits of one type and currency, instead of the present ones. */
export async function writeLimit(sql: Tx, limit: Limit): Promise<void> {
  await sql`
    insert into withdrawal_limit (merchant_id, type, currency, each_minor, day_minor, approval_above_minor, one_person, listed_only)
    values (${limit.merchantId}, ${limit.type}, ${limit.currency}, ${limit.eachMinor}, ${limit.dayMinor},
            ${limit.approvalAboveMinor}, ${limit.onePerson === true}, ${limit.listedOnly})
        on conflict (merchant_id, type, currency) do update
       set each_minor = excluded.each_minor, day_minor = excluded.day_minor,
           approval_above_minor = excluded.approval_above_minor, one_person = excluded.one_person, listed_only = excluded.listed_only`
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
