// All SQL of connections to providers.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

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
