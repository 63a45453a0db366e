// All SQL of the repair after a restore.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { leastId } from '#/db/lists.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { RestoreId, Subject } from './restore.ts'

// ---- The epoch

/** The end of the books, under the head's lock. */
export type End = {
  readonly batch: bigint
  readonly hash: Buffer
  readonly at: Date
  readonly epoch: number
}

export async function selectEnd(tx: Tx): Promise<End | undefined> {
  const [row] = await tx<End[]>`select batch, hash, at, epoch from head`
  return row
}

export type Epoch = {
  readonly number: number
  readonly id: RestoreId
  /** The newest batch that was restored, its hash and its instant. */
  readonly lastBatch: bigint
  readonly lastHash: Buffer
  readonly lastAt: Date
  readonly eventJump: bigint
  readonly at: Date
}

/** Writes the epoch, its repair, and that the head is of it. */
export async function insertEpoch(tx: Tx, epoch: Epoch): Promise<void> {
  const { number, id, lastBatch, lastHash, lastAt, eventJump, at } = epoch
  await tx`
    with written as (
      insert into epoch (number, id, last_batch, last_hash, last_at, event_jump, at)
      values (${number}, ${id}, ${lastBatch}, ${lastHash}, ${lastAt}, ${eventJump}, ${at})
    ), repair as (
      insert into restore (epoch) values (${number})
    )
    update head set epoch = ${number}`
}

export type Restore = Epoch & {
  readonly jumpedTo: MerchantId | null
  readonly jumpedAt: Date | null
  readonly notifiedTo: MerchantId | null
  readonly notifiedAt: Date | null
  readonly openedAt: Date | null
}

/** The last restore; undefined: there was none. */
export async function selectRestore(sql: Sql | Tx): Promise<Restore | undefined> {
  const [row] = await sql<Restore[]>`
    select epoch.number, epoch.id, last_batch as "lastBatch", last_hash as "lastHash", last_at as "lastAt",
           event_jump as "eventJump", epoch.at, jumped_to as "jumpedTo", jumped_at as "jumpedAt", told_to as "notifiedTo",
           told_at as "notifiedAt", opened_at as "openedAt"
      from epoch
      join restore on restore.epoch = epoch.number
     order by epoch.number desc
     limit 1`
  return row
}

// ---- Merchant by merchant

/** The merchants after this one, in the order of their ids. */
export function selectMerchantsAfter(
  sql: Sql | Tx,
  after: MerchantId | null,
  limit: number,
): Promise<readonly { readonly id: MerchantId; readonly mode: Mode }[]> {
  return sql<{ id: MerchantId; mode: Mode }[]>`
    select id, mode from merchant
     where id > coalesce(${after}::uuid, ${leastId}::uuid)
     order by id limit ${limit}`
}

/** The event numbers of these merchants jump, once for each epoch, and what may have been lost is written down. */
export async function jumpCounters(
  tx: Tx,
  { number, eventJump }: Pick<Epoch, 'number' | 'eventJump'>,
  merchantIds: readonly MerchantId[],
): Promise<void> {
  await tx`
    with wanted as (
      select id, coalesce((select sequence from event_counter where merchant_id = id), 0) as last
        from unnest(${list(merchantIds)}::uuid[]) as id
    ), gaps as (
      insert into event_gap (merchant_id, epoch, last_number, first_number)
      select id, ${number}, last, last + ${eventJump}::bigint + 1 from wanted
      on conflict do nothing
      returning merchant_id, first_number
    )
    insert into event_counter (merchant_id, sequence)
    select merchant_id, first_number - 1 from gaps
    on conflict (merchant_id) do update set sequence = excluded.sequence`
}

export type Gap = {
  readonly merchantId: MerchantId
  readonly lastNumber: bigint
  readonly firstNumber: bigint
}

export function selectGaps(
  tx: Tx,
  epoch: number,
  merchantIds: readonly MerchantId[],
): Promise<readonly Gap[]> {
  return tx<Gap[]>`
    select merchant_id as "merchantId", last_number as "lastNumber", first_number as "firstNumber"
      from event_gap
     where merchant_id = any (${list(merchantIds)}::uuid[]) and epoch = ${epoch}`
}

/** How far a step has come. `to`: the last merchant; null: there are no more, and the step is done. */
export async function moveStep(
  tx: Tx,
  epoch: number,
  step: 'jump' | 'tell',
  to: MerchantId | null,
): Promise<void> {
  const now = dueNow(tx)
  await (step === 'jump'
    ? tx`update restore set jumped_to = coalesce(${to}::uuid, jumped_to),
                jumped_at = case when ${to}::uuid is null then ${now} end where epoch = ${epoch}`
    : tx`update restore set told_to = coalesce(${to}::uuid, told_to),
                told_at = case when ${to}::uuid is null then ${now} end where epoch = ${epoch}`)
}

/** Ends sessions of people and links for one use, which may have been ended or used since. Returns how many it ended; zero: all are. */
export async function endSessions(sql: Sql, limit: number): Promise<number> {
  const now = dueNow(sql)
  const [row] = await sql<{ count: number }[]>`
    with sessions as (
      update user_session set revoked_at = ${now}
       where id in (select id from user_session where revoked_at is null limit ${limit}) returning 1
    ), links as (
      update one_time_link set revoked_at = ${now}
       where id in (select id from one_time_link where revoked_at is null and used_at is null limit ${limit}) returning 1
    )
    select ((select count(*) from sessions) + (select count(*) from links))::integer as count`
  return must(row, 'the counts are one row').count
}

// ---- What a person reviews

export type Reviewed = {
  readonly subject: Subject
  readonly at: Date
  readonly reviewedBy: string
  readonly note: string | null
}

export function selectReviews(sql: Sql | Tx, epoch: number): Promise<readonly Reviewed[]> {
  return sql<Reviewed[]>`
    select subject, at, reviewed_by as "reviewedBy", note from restore_review where epoch = ${epoch} order by at`
}

/** False: it was noted before. */
export async function insertReview(
  tx: Tx,
  epoch: number,
  { subject, reviewedBy, note }: Omit<Reviewed, 'at'>,
): Promise<boolean> {
  const result = await tx`
    insert into restore_review (epoch, subject, at, reviewed_by, note)
    values (${epoch}, ${subject}, ${dueNow(tx)}, ${reviewedBy}, ${note})
    on conflict do nothing`
  return result.count === 1
}

/** Money leaves again. False: it did before. */
export async function markOpened(tx: Tx, epoch: number): Promise<boolean> {
  const result = await tx`
    update restore set opened_at = ${dueNow(tx)} where epoch = ${epoch} and opened_at is null`
  return result.count === 1
}

/** One thing that is in force in the restored state. `name` is what the command that ends it is given. */
export type InForce = {
  readonly merchantId: MerchantId | null
  readonly name: string
  readonly what: string
  readonly since: Date | null
}

/** The place of a row in its list. */
export type Place = Pick<InForce, 'merchantId' | 'name'>

/** A page of the API keys that work. */
export function selectKeysInForce(
  sql: Sql,
  after: Place | undefined,
  limit: number,
): Promise<readonly InForce[]> {
  return sql<InForce[]>`
    select merchant_id as "merchantId", id::text as name, name || ' (' || array_to_string(scopes, ' ') || ')' as what,
           created_at as since
      from api_key
     where (merchant_id, id) > (${after?.merchantId ?? leastId}::uuid, ${after?.name ?? leastId}::uuid)
       and member is null and revoked_at is null and coalesce(expires_at, 'infinity'::timestamptz) > ${dueNow(sql)}
     order by merchant_id, id
     limit ${limit}`
}

/** A page of the members of merchants, and before them those who may use the operator's console. */
export function selectRolesInForce(
  sql: Sql,
  after: Place | undefined,
  limit: number,
): Promise<readonly InForce[]> {
  return sql<InForce[]>`
    select held."merchantId", held.name, held.what, held.since
      from (select null::uuid as "merchantId", email as name, 'operator' as what, created_at as since
              from app_user where is_operator and disabled_at is null
             union all
            select membership.merchant_id, email, role, membership.created_at
              from membership join app_user on app_user.id = membership.user_id
             where disabled_at is null) as held
     where (coalesce(held."merchantId", ${leastId}::uuid), held.name)
             > (coalesce(${after?.merchantId ?? null}::uuid, ${leastId}::uuid), ${after?.name ?? ''})
     order by coalesce(held."merchantId", ${leastId}::uuid), held.name
     limit ${limit}`
}

/** A page of the limits of withdrawals. */
export function selectLimitsInForce(
  sql: Sql,
  after: Place | undefined,
  limit: number,
): Promise<readonly InForce[]> {
  return sql<InForce[]>`
    select merchant_id as "merchantId", type || ' ' || currency as name,
           concat_ws(', ', 'each ' || each_minor, 'day ' || day_minor, 'approval above ' || approval_above_minor,
                     case when one_person then 'one person pays out' end,
                     case when listed_only then 'listed only' end) as what,
           null::timestamptz as since
      from withdrawal_limit
     where (merchant_id, type || ' ' || currency) > (${after?.merchantId ?? leastId}::uuid, ${after?.name ?? ''})
     order by merchant_id, type || ' ' || currency
     limit ${limit}`
}

/** A page of the destinations that withdrawals may go to. */
export function selectDestinationsInForce(
  sql: Sql,
  after: Place | undefined,
  limit: number,
): Promise<readonly InForce[]> {
  return sql<InForce[]>`
    select merchant_id as "merchantId", type || ' ' || destination as name, coalesce(note, '') as what, created_at as since
      from withdrawal_destination
     where (merchant_id, type || ' ' || destination) > (${after?.merchantId ?? leastId}::uuid, ${after?.name ?? ''})
     order by merchant_id, type || ' ' || destination
     limit ${limit}`
}
