// All SQL of connections to providers.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { hourMs } from '#/kernel/time.ts'

export type ConnectionRow = {
  readonly id: ConnectionId
  /** Null: the operator's, shared by all merchants of its mode. */
  readonly merchantId: MerchantId | null
  readonly mode: Mode
  readonly method: string
  readonly provider: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly sealed: Buffer | null
  readonly sealedRefunds: Buffer | null
  readonly isActive: boolean
  /** Archived with its sandbox. */
  readonly archivedAt: Date | null
  readonly createdAt: Date
  readonly changedAt: Date
}

function columns(sql: Sql) {
  return sql`id, merchant_id as "merchantId", mode, method, provider, settings, sealed,
             sealed_refunds as "sealedRefunds", is_active as "isActive", archived_at as "archivedAt",
             created_at as "createdAt", changed_at as "changedAt"`
}

/** The connections that changed since an instant, or all connections, oldest first. */
export function selectChanged(sql: Sql, since: Date | undefined): Promise<readonly ConnectionRow[]> {
  return sql<ConnectionRow[]>`
    select ${columns(sql)}
      from connection
     ${since === undefined ? sql`` : sql`where changed_at >= ${since}`}
     order by id`
}

export async function selectConnection(sql: Sql, id: ConnectionId): Promise<ConnectionRow | undefined> {
  const [row] = await sql<ConnectionRow[]>`select ${columns(sql)} from connection where id = ${id}`
  return row
}

export async function insertConnection(
  sql: Tx,
  connection: Omit<ConnectionRow, 'createdAt' | 'changedAt' | 'isActive' | 'archivedAt'>,
): Promise<void> {
  await sql`
    insert into connection (id, merchant_id, mode, method, provider, settings, sealed, sealed_refunds, is_active,
                            created_at, changed_at)
    values (${connection.id}, ${connection.merchantId}, ${connection.mode}, ${connection.method}, ${connection.provider},
            ${JSON.stringify(connection.settings)}::text::jsonb, ${connection.sealed}, ${connection.sealedRefunds}, true,
            clock_timestamp(), clock_timestamp())`
}

/** Replaces its settings and secrets. */
export async function updateConnection(
  sql: Tx,
  connection: Pick<ConnectionRow, 'id' | 'settings' | 'sealed' | 'sealedRefunds'>,
): Promise<void> {
  await sql`
    update connection
       set settings = ${JSON.stringify(connection.settings)}::text::jsonb, sealed = ${connection.sealed},
           sealed_refunds = ${connection.sealedRefunds}, changed_at = clock_timestamp()
     where id = ${connection.id}`
}

/** Returns false when there is no such connection, and for one that was archived. */
export async function setActive(sql: Tx, id: ConnectionId, isActive: boolean): Promise<boolean> {
  const result = await sql`
    update connection set is_active = ${isActive}, changed_at = clock_timestamp()
     where id = ${id} and archived_at is null`
  return result.count === 1
}

/** Archives the merchant's own connections; they are reconciled until `polledUntil`. Those archived before do not change. */
export async function archiveConnections(tx: Tx, merchantId: MerchantId, polledUntil: Date): Promise<void> {
  await tx`
    update connection
       set is_active = false, archived_at = clock_timestamp(), polled_until = ${polledUntil}, changed_at = clock_timestamp()
     where merchant_id = ${merchantId} and archived_at is null`
}

/** Credentials that send money out, as they are sealed; null: the connection has none. */
export type SealedRefunds = { readonly id: ConnectionId; readonly merchantId: MerchantId | null } & {
  readonly sealedRefunds: Buffer | null
}

/** A page of all connections, in the order of their ids. */
export function selectSealedRefunds(
  sql: Sql,
  after: ConnectionId | undefined,
  limit: number,
): Promise<readonly SealedRefunds[]> {
  return sql<SealedRefunds[]>`
    select id, merchant_id as "merchantId", sealed_refunds as "sealedRefunds"
      from connection
     ${after === undefined ? sql`` : sql`where id > ${after}`}
     order by id
     limit ${limit}`
}

/** Sealed again: `before` is what was opened, `sealed` the same credentials. */
export type Resealed = { readonly id: ConnectionId; readonly before: Buffer; readonly sealed: Buffer }

/** Stores those whose value is still the one that was opened. Returns their ids. */
export async function updateSealedRefunds(
  tx: Tx,
  resealed: readonly Resealed[],
): Promise<readonly ConnectionId[]> {
  const rows = await tx<{ id: ConnectionId }[]>`
    update connection
       set sealed_refunds = wanted.sealed, changed_at = clock_timestamp()
      from (select unnest(${list(resealed.map(({ id }) => id))}::text[]) as id,
                   unnest(${list(resealed.map(({ before }) => before))}::bytea[]) as before,
                   unnest(${list(resealed.map(({ sealed }) => sealed))}::bytea[]) as sealed) as wanted
     where connection.id = wanted.id and connection.sealed_refunds = wanted.before
    returning connection.id`
  return rows.map(({ id }) => id)
}

// The SQL of how the provider of each connection answers, by hour and by the database's clock.

/** Calls to the provider of one connection since the last time they were added up. */
export type CallSums = {
  readonly connection: ConnectionId
  readonly calls: number
  readonly errors: number
  readonly totalMs: number
  readonly longestMs: number
  /** Of the last call that failed. Absent: none did. */
  readonly lastError?: string
}

const keptMs = 30 * 24 * hourMs
const deletedMax = 500

/**
 * Adds to the present hour. The times of the last good and the last bad answer are those of this statement: a few seconds after the answer.
 */
export async function addCalls(sql: Sql, sums: readonly CallSums[]): Promise<void> {
  const column = (of: (each: CallSums) => number) => list(sums.map(of))
  await sql`
    insert into connection_health (connection, hour, calls, errors, total_ms, longest_ms, last_good_at, last_bad_at, last_error)
    select connection, date_trunc('hour', ${dueNow(sql)}, 'UTC'), calls, errors, total_ms, longest_ms,
           case when calls > errors then ${dueNow(sql)} end, case when errors > 0 then ${dueNow(sql)} end, last_error
      from unnest(${list(sums.map(({ connection }) => connection))}::text[], ${column(({ calls }) => calls)}::bigint[],
                  ${column(({ errors }) => errors)}::bigint[], ${column(({ totalMs }) => totalMs)}::bigint[],
                  ${column(({ longestMs }) => longestMs)}::bigint[], ${list(sums.map(({ lastError }) => lastError ?? null))}::text[])
        as new (connection, calls, errors, total_ms, longest_ms, last_error)
     order by connection
        on conflict (connection, hour) do update
       set calls = connection_health.calls + excluded.calls, errors = connection_health.errors + excluded.errors,
           total_ms = connection_health.total_ms + excluded.total_ms,
           longest_ms = greatest(connection_health.longest_ms, excluded.longest_ms),
           last_good_at = coalesce(excluded.last_good_at, connection_health.last_good_at),
           last_bad_at = coalesce(excluded.last_bad_at, connection_health.last_bad_at),
           last_error = coalesce(excluded.last_error, connection_health.last_error)`
}

/** Deletes hours that are older than 30 days, some at a time. */
export async function deleteOldHealth(sql: Sql): Promise<void> {
  await sql`
    delete from connection_health
     where ctid = any (array(select ctid from connection_health where hour < ${dueIn(sql, -keptMs)} order by hour limit ${deletedMax}))`
}

export type HealthHour = {
  readonly hour: Date
  readonly calls: bigint
  readonly errors: bigint
  readonly totalMs: bigint
  readonly longestMs: bigint
  readonly lastGoodAt: Date | null
  readonly lastBadAt: Date | null
  readonly lastError: string | null
}

/** The last hours in which the provider was called, newest first. */
export function selectHealth(sql: Sql, connection: string, limit: number): Promise<readonly HealthHour[]> {
  return sql<HealthHour[]>`
    select hour, calls, errors, total_ms as "totalMs", longest_ms as "longestMs", last_good_at as "lastGoodAt",
           last_bad_at as "lastBadAt", last_error as "lastError"
      from connection_health
     where connection = ${connection}
     order by hour desc
     limit ${limit}`
}

export type LastAnswers = {
  readonly connection: ConnectionId
  readonly lastGoodAt: Date | null
  readonly lastBadAt: Date | null
  readonly lastError: string | null
}

function lastAnswers(sql: Sql) {
  return sql`max(last_good_at) as "lastGoodAt", max(last_bad_at) as "lastBadAt",
             (array_agg(last_error order by last_bad_at desc) filter (where last_bad_at is not null))[1] as "lastError"`
}

/** How the provider of each of these last answered, as far as the last 24 hours in which it was called tell. */
export function selectLastAnswers(sql: Sql, connections: readonly string[]): Promise<readonly LastAnswers[]> {
  return sql<LastAnswers[]>`
    select given.connection, ${lastAnswers(sql)}
      from unnest(${list(connections)}::text[]) as given (connection)
           cross join lateral (select last_good_at, last_bad_at, last_error
                                 from connection_health
                                where connection_health.connection = given.connection
                                order by hour desc
                                limit 24) as hours
     group by given.connection`
}

/** Connections whose last call failed, within the last two hours of calls; `most` rows of hours are scanned. */
export function selectFailing(sql: Sql, most: number): Promise<readonly LastAnswers[]> {
  return sql<LastAnswers[]>`
    select connection, ${lastAnswers(sql)}
      from (select connection, last_good_at, last_bad_at, last_error
              from connection_health
             where hour >= ${dueIn(sql, -2 * hourMs)}
             order by hour desc
             limit ${most}) as hours
     group by connection
    having max(last_bad_at) > coalesce(max(last_good_at), '-infinity')
     order by connection`
}

// All SQL of the worker's public key.

/** `SANDBOX`: a sandbox made the worker's key for itself, and `reset` removes it. */
export type KeyOrigin = 'OPERATOR' | 'SANDBOX'

export type PublicKeyRow = {
  readonly publicKey: Buffer
  readonly origin: KeyOrigin
  readonly mac: Buffer
}

export async function selectPublicKey(sql: Sql | Tx): Promise<PublicKeyRow | undefined> {
  const [row] = await sql<PublicKeyRow[]>`
    select public_key as "publicKey", origin, mac from worker_public_key where id = 1`
  return row
}

/** Inserts the key. False when there is one already. */
export async function insertPublicKey(tx: Tx, { publicKey, origin, mac }: PublicKeyRow): Promise<boolean> {
  const result = await tx`
    insert into worker_public_key (id, public_key, origin, mac, published_at)
    values (1, ${publicKey}, ${origin}, ${mac}, ${dueNow(tx)})
        on conflict (id) do nothing`
  return result.count === 1
}

/** Replaces the key that is there, if it is still this one. */
export async function updatePublicKey(
  tx: Tx,
  before: PublicKeyRow,
  { publicKey, origin, mac }: PublicKeyRow,
): Promise<boolean> {
  const result = await tx`
    update worker_public_key
       set public_key = ${publicKey}, origin = ${origin}, mac = ${mac}, published_at = ${dueNow(tx)}
     where id = 1 and public_key = ${before.publicKey} and mac = ${before.mac}`
  return result.count === 1
}
