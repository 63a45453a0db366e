// All SQL of metadata keys, of the values that are indexed for them, and of finding a record by its id or the token of its page.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { greatestId, idsWithin, leastId, type Span } from '#/db/lists.ts'
import { rowsOf } from '#/db/rows.ts'
import type { Lead } from '#/db/search.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import { invariant } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import {
  type MetadataKeyStatus,
  type MetadataResource,
  valueLengthMax,
  type WantedValue,
} from './metadata-value.ts'

type RecordRef = { readonly merchantId: MerchantId; readonly id: string }

/** The tables of the records. */
const tables = { PAYMENT: 'payment', WITHDRAWAL: 'withdrawal' } as const satisfies Record<
  MetadataResource,
  string
>

/** The value under a key of a record's metadata, as text: a number in the digits that were written. */
function valueOf(sql: Sql | Tx, table: string, name: Fragment) {
  return sql`(${sql(table)}.request -> 'metadata' ->> ${name})`
}

/** Texts, numbers and booleans are found, up to a length; null, lists and objects are not. */
function isIndexed(sql: Sql | Tx, table: string) {
  return sql`json_typeof(${sql(table)}.request -> 'metadata' -> key.name) in ('string', 'number', 'boolean')
             and length(${valueOf(sql, table, sql`key.name`)}) <= ${valueLengthMax}`
}

/** Indexes new records under the keys that their merchants have declared, in the transaction that writes the records. */
export async function insertValues(
  tx: Tx,
  resource: MetadataResource,
  records: readonly RecordRef[],
): Promise<void> {
  const table = tables[resource]
  await tx`
    insert into metadata_value (merchant_id, key_id, value_hash, record_id)
    select key.merchant_id, key.id, hashtext(${valueOf(tx, table, tx`key.name`)}), ${tx(table)}.id
      from ${rowsOf(tx, 'new', records, { merchant_id: 'uuid', id: 'uuid' })}
      join metadata_key as key on key.merchant_id = new.merchant_id and key.resource = ${resource} and key.status <> 'REMOVING'
      join ${tx(table)} on ${tx(table)}.merchant_id = new.merchant_id and ${tx(table)}.id = new.id
     where ${isIndexed(tx, table)}
        on conflict do nothing`
}

/**
 * Finds records with this value under a declared key: candidates are the newest records with the hash of the value; each is then compared
 * with the value itself.
 */
export function leadOfValue(
  sql: Sql,
  resource: MetadataResource,
  { merchantId, keyId, name, value }: WantedValue,
  span: Span,
): Lead {
  const [first, end] = idsWithin(span)
  const metadata = sql`${sql(tables[resource])}.request -> 'metadata'`
  return {
    candidates: (limit) => sql`
      select record_id as id from metadata_value
       where merchant_id = ${merchantId} and key_id = ${keyId} and value_hash = hashtext(${value}::text)
         and record_id >= ${first} and record_id < ${end}
       order by record_id desc
       limit ${limit}`,
    condition: sql`(json_typeof(${metadata} -> ${name}::text) in ('string', 'number', 'boolean')
                    and (${metadata} ->> ${name}::text) = ${value}::text)`,
  }
}

// ---- The list of keys

export type KeyRow = {
  readonly id: number
  readonly resource: MetadataResource
  readonly name: string
  readonly status: MetadataKeyStatus
  readonly filledTo: string | null
  readonly changedAt: Date
}

/** All keys of a merchant, also those that are being removed, in the order in which they were declared. */
export function selectKeys(sql: Sql | Tx, merchantId: MerchantId): Promise<readonly KeyRow[]> {
  return sql<KeyRow[]>`
    select id, resource, name, status, filled_to as "filledTo", changed_at as "changedAt"
      from metadata_key where merchant_id = ${merchantId} order by id`
}

/** One change of a merchant's keys at a time. Payments and withdrawals do not wait for it. */
export async function lockKeys(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx`select from merchant where id = ${merchantId} for no key update`
}

/** Declares these keys: a worker fills in the older records. */
export async function insertKeys(
  tx: Tx,
  merchantId: MerchantId,
  keys: readonly Pick<KeyRow, 'resource' | 'name'>[],
): Promise<void> {
  await tx`
    insert into metadata_key (merchant_id, resource, name, status, changed_at, connection, due_at)
    select ${merchantId}::uuid, new.resource, new.name, 'FILLING', ${dueNow(tx)}, ${merchantId}::text, ${dueNow(tx)}
      from ${rowsOf(tx, 'new', keys, { resource: 'text', name: 'text' })}`
}

/**
 * Takes these keys from the list: in `waitMs` a worker begins to clear away their values. A worker that fills one of them is superseded.
 */
export async function retireKeys(
  tx: Tx,
  merchantId: MerchantId,
  ids: readonly number[],
  waitMs: number,
): Promise<void> {
  await tx`
    update metadata_key
       set status = 'REMOVING', changed_at = ${dueNow(tx)}, due_at = ${dueIn(tx, waitMs)}, takes = takes + 1
     where merchant_id = ${merchantId} and id = any (${list(ids)}::integer[])`
}

// ---- The worker

const dueKeys: DueTable = { name: 'metadata_key', isListed: (sql) => sql`due.status <> 'READY'` }

export const isKeyDue = someDue(dueKeys)

/** A key whose older records are to be filled in, or whose values are to be deleted. */
export type DueKey = {
  readonly merchantId: MerchantId
  readonly id: number
  readonly resource: MetadataResource
  readonly status: 'FILLING' | 'REMOVING'
  /** When it was declared, or taken from the list. */
  readonly changedAt: Date
  readonly claim: Claim
}

/** Claims due keys for `leaseMs`. */
export async function claimKeys(sql: Sql, slots: Slots, leaseMs: number): Promise<readonly DueKey[]> {
  const rows = await sql<(Omit<DueKey, 'claim'> & { connection: string; takes: number })[]>`
    with recursive ${chosen(sql, dueKeys, slots)}
    update metadata_key
       set due_at = ${dueIn(sql, leaseMs)}, takes = takes + 1
     where ctid = any (array(select ctid from chosen))
    returning merchant_id as "merchantId", id, resource, status, changed_at as "changedAt", connection, takes`
  return rows.map(({ connection, takes, ...key }) => ({
    ...key,
    claim: { id: `${key.merchantId}/${key.id}`, connection, number: takes },
  }))
}

/** Makes it due again in `waitMs`. False when another worker has claimed it since, or it was taken from the list. */
export async function postponeKey(sql: Sql, key: DueKey, waitMs: number): Promise<boolean> {
  const result =
    await sql`update metadata_key set due_at = ${dueIn(sql, waitMs)} where ${isStillClaimed(sql, key)}`
  return result.count === 1
}

function isStillClaimed(sql: Sql | Tx, { merchantId, id, status, claim }: DueKey) {
  return sql`merchant_id = ${merchantId} and id = ${id} and status = ${status} and takes = ${claim.number}`
}

/** `isLate`: every transaction that began before the declaration, and so does not know the key, has ended. */
export type Filled = { readonly records: number; readonly isLate: boolean }

/**
 * Fills in the next `limit` records, and notes the position, in one statement. Until `settledMs` after the declaration it only takes
 * records with ids before `early`, because a transaction that does not know the key may still write younger ones. Undefined: another worker
 * has claimed the key since, or the key was taken from the list.
 */
export async function fillNext(
  tx: Tx,
  key: DueKey,
  { limit, settledMs, early }: { readonly limit: number; readonly settledMs: number; readonly early: string },
): Promise<Filled | undefined> {
  const table = tables[key.resource]
  const [filled] = await tx<Filled[]>`
    with key as materialized (
      select merchant_id, id, name, filled_to, changed_at <= ${dueIn(tx, -settledMs)} as is_late
        from metadata_key where ${isStillClaimed(tx, key)} for update
    ), batch as materialized (
      select record.id, record.request
        from key
       cross join lateral (
         select id, request from ${tx(table)}
          where ${tx(table)}.merchant_id = key.merchant_id and ${tx(table)}.id > coalesce(key.filled_to, ${leastId})
            and ${tx(table)}.id < case when key.is_late then ${greatestId}::uuid else ${early}::uuid end
          order by ${tx(table)}.id
          limit ${limit}) as record
    ), added as (
      insert into metadata_value (merchant_id, key_id, value_hash, record_id)
      select key.merchant_id, key.id, hashtext(${valueOf(tx, 'batch', tx`key.name`)}), batch.id
        from batch cross join key
       where ${isIndexed(tx, 'batch')}
          on conflict do nothing
    )
    update metadata_key
       set filled_to = coalesce((select batch.id from batch order by batch.id desc limit 1), key.filled_to)
      from key
     where metadata_key.merchant_id = key.merchant_id and metadata_key.id = key.id
    returning (select count(*)::integer from batch) as records, key.is_late as "isLate"`
  return filled
}

/** Marks the key as complete: all older records are filled in. */
export async function finishKey(sql: Sql | Tx, key: DueKey): Promise<void> {
  await sql`update metadata_key set status = 'READY' where ${isStillClaimed(sql, key)}`
}

/** Clears away up to `limit` values of a key that was taken from the list. `after`: those before this hash are gone. */
export async function deleteValues(
  tx: Tx,
  { merchantId, id }: DueKey,
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<{ readonly count: number; readonly last: number }> {
  const rows = await tx<{ hash: number }[]>`
    delete from metadata_value
     where ctid = any (array(
       select ctid from metadata_value
        where merchant_id = ${merchantId} and key_id = ${id} and value_hash >= ${after}
        order by value_hash
        limit ${limit}))
    returning value_hash as hash`
  return { count: rows.length, last: rows.reduce((last, { hash }) => Math.max(last, hash), after) }
}

/** Forgets a key without values. */
export async function deleteKey(sql: Sql | Tx, key: DueKey): Promise<void> {
  await sql`delete from metadata_key where ${isStillClaimed(sql, key)}`
}

/** The records that are found, in this order. */
export const recordKinds = [
  'PAYMENT',
  'REFUND',
  'WITHDRAWAL',
  'DISPUTE',
  'PAYMENT_LINK',
  'WALLET',
  'WITHDRAWAL_BATCH',
  'EVENT',
  'DELIVERY',
] as const
export type RecordKind = (typeof recordKinds)[number]

/** The table of each kind. */
const tablesOfRecords = {
  PAYMENT: 'payment',
  REFUND: 'refund',
  WITHDRAWAL: 'withdrawal',
  DISPUTE: 'dispute',
  PAYMENT_LINK: 'payment_link',
  WALLET: 'wallet',
  WITHDRAWAL_BATCH: 'withdrawal_batch',
  EVENT: 'event',
  DELIVERY: 'delivery',
} as const satisfies Record<RecordKind, string>

export type FoundRecord = { readonly kind: RecordKind; readonly id: string }

/** The merchant's records with this id: each table is asked by its key. */
export function selectRecordsById(
  sql: Sql,
  merchantId: MerchantId,
  id: string,
): Promise<readonly FoundRecord[]> {
  const of = ([kind, table]: readonly [string, string]) => sql`
    select ${kind}::text as kind, id from ${sql(table)} where merchant_id = ${merchantId} and id = ${id}`
  const [payments, ...others] = Object.entries(tablesOfRecords).map(of)
  invariant(payments !== undefined, 'payments are records')
  return sql<FoundRecord[]>`${payments} ${others.map((each) => sql`union all ${each}`)}`
}

/** The first and last id that begin with the same digits. */
export type IdRange = { readonly first: string; readonly last: string }

/** The merchant's records whose id lies within these: of each kind the newest, at most `limit`. */
export function selectRecordsInRange(
  sql: Sql,
  merchantId: MerchantId,
  { first, last, limit }: IdRange & { readonly limit: number },
): Promise<readonly FoundRecord[]> {
  const of = ([kind, table]: readonly [string, string]) => sql`
    (select ${kind}::text as kind, id from ${sql(table)}
      where merchant_id = ${merchantId} and id >= ${first}::uuid and id <= ${last}::uuid
      order by id desc
      limit ${limit})`
  const [payments, ...others] = Object.entries(tablesOfRecords).map(of)
  invariant(payments !== undefined, 'payments are records')
  return sql<FoundRecord[]>`${payments} ${others.map((each) => sql`union all ${each}`)}`
}

/** The merchant's payment, or payment link, whose page has this token. */
export function selectRecordsByToken(
  sql: Sql,
  merchantId: MerchantId,
  token: string,
): Promise<readonly FoundRecord[]> {
  return sql<FoundRecord[]>`
    select 'PAYMENT' as kind, id from payment where page_token = ${token} and merchant_id = ${merchantId}
     union all
    select 'PAYMENT_LINK', id from payment_link where token = ${token} and merchant_id = ${merchantId}`
}
