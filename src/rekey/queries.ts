// All SQL of changing keys.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'

/** A column with sealed values. `owner`: the first column of the primary key, where `id` alone is none. */
export type SealedColumn = {
  readonly table: string
  readonly owner?: string
  readonly id: string
  readonly idType: 'uuid' | 'text'
  readonly column: string
}

export type SealedRow = { readonly owner: string | null; readonly id: string; readonly sealed: Buffer }

/** A page of the rows that have a value there, in the order of the primary key. */
export function selectSealedValues(
  sql: Sql,
  { table, owner, id, idType, column }: SealedColumn,
  after: SealedRow | undefined,
  limit: number,
): Promise<readonly SealedRow[]> {
  const key = owner === undefined ? sql`${sql(id)}` : sql`(${sql(owner)}, ${sql(id)})`
  const type = idType === 'uuid' ? sql`::uuid` : sql`::text`
  const last =
    after === undefined
      ? sql``
      : owner === undefined
        ? sql`and ${key} > ${after.id}${type}`
        : sql`and ${key} > (${after.owner}::uuid, ${after.id}${type})`
  return sql<SealedRow[]>`
    select ${owner === undefined ? sql`null` : sql`${sql(owner)}::text`} as owner, ${sql(id)}::text as id, ${sql(column)} as sealed
      from ${sql(table)}
     where ${sql(column)} is not null ${last}
     order by ${owner === undefined ? sql`${sql(id)}` : sql`${sql(owner)}, ${sql(id)}`}
     limit ${limit}`
}

/** The same value, sealed again. */
export type ResealedRow = SealedRow & { readonly resealed: Buffer }

/** Stores those whose value is still the one that was opened. Returns how many. */
export async function updateSealedValues(
  tx: Tx,
  { table, owner, id, idType, column }: SealedColumn,
  rows: readonly ResealedRow[],
): Promise<number> {
  const type = idType === 'uuid' ? tx`::uuid` : tx`::text`
  const sameOwner = owner === undefined ? tx`` : tx`and ${tx(table)}.${tx(owner)} = given.owner::uuid`
  const result = await tx`
    update ${tx(table)} set ${tx(column)} = given.resealed
      from (select unnest(${list(rows.map((each) => each.owner ?? ''))}::text[]) as owner,
                   unnest(${list(rows.map((each) => each.id))}::text[]) as id,
                   unnest(${list(rows.map((each) => each.sealed))}::bytea[]) as before,
                   unnest(${list(rows.map((each) => each.resealed))}::bytea[]) as resealed) as given
     where ${tx(table)}.${tx(id)} = given.id${type} ${sameOwner} and ${tx(table)}.${tx(column)} = given.before`
  return result.count
}

/** The key that makes digests of API keys, and the master key itself. */
export type KeyPurpose = 'MASTER' | 'API_KEYS'

export async function selectKeyInForce(sql: Sql | Tx, purpose: KeyPurpose): Promise<Buffer | undefined> {
  const [row] = await sql<{ fingerprint: Buffer }[]>`
    select fingerprint from key_in_force where purpose = ${purpose}`
  return row?.fingerprint
}

/** A merchant's webhook secret, sealed. Every merchant has one. */
export type OuterSecret = { readonly id: string; readonly secret: Buffer }

/** Those of the oldest and the newest merchant. */
export function selectOuterSecrets(sql: Sql): Promise<readonly OuterSecret[]> {
  return sql<OuterSecret[]>`
    (select id, webhook_secret as secret from merchant order by id limit 1)
     union all
    (select id, webhook_secret as secret from merchant order by id desc limit 1)`
}

/** The fingerprint of the key that makes the next batch; undefined: none is recorded. */
export async function selectHeadKey(sql: Sql, cell: string): Promise<Buffer | undefined> {
  const [row] = await sql<{ key: Buffer | null }[]>`select audit_key as key from head where cell = ${cell}`
  return row?.key ?? undefined
}

/** Returns false when the key was in force already. */
export async function writeKeyInForce(tx: Tx, purpose: KeyPurpose, fingerprint: Buffer): Promise<boolean> {
  const result = await tx`
    insert into key_in_force (purpose, fingerprint, since) values (${purpose}, ${fingerprint}, ${dueNow(tx)})
    on conflict (purpose) do update set fingerprint = excluded.fingerprint, since = excluded.since
     where key_in_force.fingerprint <> excluded.fingerprint`
  return result.count === 1
}

export type UnrenewedKey = {
  readonly merchantId: MerchantId
  readonly id: ApiKeyId
  readonly name: string
  readonly lastUsedAt: Date | null
}

/** API keys that work and whose digest is not made with this key, in the order of their merchants. */
export function selectUnrenewedKeys(
  sql: Sql,
  fingerprint: Buffer,
  limit: number,
): Promise<readonly UnrenewedKey[]> {
  return sql<UnrenewedKey[]>`
    select merchant_id as "merchantId", id, name, last_used_at as "lastUsedAt"
      from api_key
     where digest_key is distinct from ${fingerprint} and member is null and revoked_at is null
       and coalesce(expires_at, 'infinity'::timestamptz) > ${dueNow(sql)}
     order by merchant_id, id
     limit ${limit}`
}

/** Users with recovery codes that are not used and whose digest is not made with this key. */
export function selectUsersOfOldCodes(
  sql: Sql,
  fingerprint: Buffer,
  limit: number,
): Promise<readonly { readonly email: string }[]> {
  return sql<{ email: string }[]>`
    select email from app_user
     where exists (select from recovery_code
                    where user_id = app_user.id and used_at is null and digest_key is distinct from ${fingerprint})
     order by id
     limit ${limit}`
}
