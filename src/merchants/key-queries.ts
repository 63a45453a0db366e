// All SQL of API keys.
import type { Mode } from '#/kernel/mode.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import type { Scope } from './api-key.ts'
import type { Lineages } from './lineage.ts'

export type NewKey = {
  readonly merchantId: MerchantId
  readonly id: ApiKeyId
  /** The first key of its chain of rotations; the key itself, when it was not made by a rotation. */
  readonly lineage: ApiKeyId
  readonly digest: Buffer
  readonly lastFour: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export async function insertKey(sql: Sql | Tx, key: NewKey): Promise<void> {
  await sql`
    insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at, expires_at)
    values (${key.merchantId}, ${key.id}, ${key.lineage}, ${key.digest}, ${key.lastFour}, ${key.name}, ${list(key.scopes)},
            ${key.createdAt}, ${key.expiresAt})`
}

export type KeyRow = {
  readonly id: ApiKeyId
  readonly name: string
  readonly lastFour: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

export function selectKeys(sql: Sql, merchantId: MerchantId): Promise<readonly KeyRow[]> {
  return sql<KeyRow[]>`
    select ${keyColumns(sql)} from api_key where merchant_id = ${merchantId} order by id`
}

export async function selectKey(sql: Sql, merchantId: MerchantId, id: ApiKeyId): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select ${keyColumns(sql)} from api_key where merchant_id = ${merchantId} and id = ${id}`
  return row
}

function keyColumns(sql: Sql) {
  return sql`id, name, last_four as "lastFour", scopes, created_at as "createdAt", expires_at as "expiresAt",
             revoked_at as "revokedAt"`
}

/** The lineages of these keys. Ids that are not keys of that merchant are left out. */
export async function selectLineages(
  sql: Sql | Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly id: ApiKeyId }[],
): Promise<Lineages> {
  const rows = await sql<{ id: ApiKeyId; lineage: ApiKeyId }[]>`
    select api_key.id, coalesce(api_key.lineage, api_key.id) as lineage
      from unnest(${list(keys.map((each) => each.merchantId))}::uuid[], ${list(keys.map((each) => each.id))}::uuid[])
           as wanted (merchant_id, id)
      join api_key on api_key.merchant_id = wanted.merchant_id and api_key.id = wanted.id`
  return new Map(rows.map(({ id, lineage }) => [id, lineage]))
}

/** One key, locked until the end of the transaction. */
export async function lockKey(
  tx: Tx,
  merchantId: MerchantId,
  id: ApiKeyId,
): Promise<(KeyRow & Pick<NewKey, 'lineage'>) | undefined> {
  const [row] = await tx<(KeyRow & Pick<NewKey, 'lineage'>)[]>`
    select id, coalesce(lineage, id) as lineage, name, last_four as "lastFour", scopes, created_at as "createdAt", expires_at as "expiresAt",
           revoked_at as "revokedAt"
      from api_key
     where merchant_id = ${merchantId} and id = ${id}
       for update`
  return row
}

export async function writeExpiry(
  tx: Tx,
  merchantId: MerchantId,
  id: ApiKeyId,
  expiresAt: Date,
): Promise<void> {
  await tx`update api_key set expires_at = ${expiresAt} where merchant_id = ${merchantId} and id = ${id}`
}

/** Returns false when the merchant has no such key. A key that was revoked before keeps its first time. */
export async function writeRevocation(
  sql: Tx,
  merchantId: MerchantId,
  id: ApiKeyId,
  at: Date,
): Promise<boolean> {
  const result = await sql`
    update api_key set revoked_at = coalesce(revoked_at, ${at}) where merchant_id = ${merchantId} and id = ${id}`
  return result.count === 1
}

export type KnownKey = {
  readonly digest: Buffer
  readonly keyId: ApiKeyId
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
}

/** The keys with these digests that are not revoked. */
export function selectByDigests(sql: Sql, digests: readonly Buffer[]): Promise<readonly KnownKey[]> {
  return sql<KnownKey[]>`
    select api_key.digest, api_key.id as "keyId", api_key.merchant_id as "merchantId", merchant.mode, api_key.scopes,
           api_key.expires_at as "expiresAt"
      from unnest(${list(digests)}::text[]::bytea[]) as wanted (digest)
      join api_key on api_key.digest = wanted.digest
      join merchant on merchant.id = api_key.merchant_id
     where api_key.revoked_at is null`
}
