// The SQL of who holds keys: found by the key alone, whichever merchant it is of.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import type { Holder, Holders } from './lineage.ts'

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
