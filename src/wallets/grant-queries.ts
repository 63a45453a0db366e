// All SQL of transfer grants.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { greatestId } from '#/db/lists.ts'
import { rowsOf, valuesOf } from '#/db/rows.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { TransferGrant, TransferGrantId } from './transfer-grant.ts'

export type NewGrant = TransferGrant & {
  readonly fingerprint: Buffer
  readonly idempotencyKey: string | undefined
}

export async function insertGrants(tx: Tx, grants: readonly NewGrant[]): Promise<void> {
  const values = valuesOf(tx, grants, {
    merchant_id: 'uuid',
    id: 'uuid',
    parent_id: 'uuid',
    currency: 'text',
    max_minor: 'bigint',
    taken_minor: 'bigint',
    expires_at: 'timestamptz',
    description: 'text',
    given_by: 'uuid',
    idempotency_key: 'text',
    fingerprint: 'bytea',
    version: 'integer',
    created_at: 'timestamptz',
    revoked_at: 'timestamptz',
  })
  await tx`insert into transfer_grant ${values}`
}

/** Writes what can change of grants. If there are several versions of one grant, the last one counts. */
export async function updateGrants(tx: Tx, versions: readonly TransferGrant[]): Promise<void> {
  const grants = [...new Map(versions.map((grant) => [grant.id, grant])).values()]
  await tx`
    update transfer_grant
       set taken_minor = new.taken_minor, revoked_at = new.revoked_at, version = new.version
      from unnest(${list(grants.map((each) => each.merchantId))}::uuid[], ${list(grants.map((each) => each.id))}::uuid[],
                  ${list(grants.map((each) => each.takenMinor))}::bigint[],
                  ${list(grants.map((each) => each.revokedAt))}::timestamptz[],
                  ${list(grants.map((each) => each.version))}::integer[])
           as new (merchant_id, id, taken_minor, revoked_at, version)
     where transfer_grant.merchant_id = new.merchant_id and transfer_grant.id = new.id`
}

function columns(sql: Sql | Tx) {
  return sql`transfer_grant.merchant_id as "merchantId", transfer_grant.id, transfer_grant.parent_id as "parentId",
             merchant.mode, transfer_grant.currency, transfer_grant.max_minor as "maxMinor",
             transfer_grant.taken_minor as "takenMinor", transfer_grant.expires_at as "expiresAt",
             transfer_grant.description, transfer_grant.given_by as "givenBy", transfer_grant.version,
             transfer_grant.created_at as "createdAt", transfer_grant.revoked_at as "revokedAt"`
}

/**
 * The newest grant that is not revoked, of each sub-account and currency: only that grant may be ACTIVE. It may be used up or
 * expired.
 */
export function selectNewestGrants(
  tx: Tx,
  refs: readonly { readonly merchantId: MerchantId; readonly currency: Currency }[],
): Promise<readonly TransferGrant[]> {
  return tx<TransferGrant[]>`
    select ${columns(tx)}
      from (select distinct *
              from ${rowsOf(tx, 'pair', refs, { merchant_id: 'uuid', currency: 'text' })}) as wanted
     cross join lateral (
       select * from transfer_grant
        where transfer_grant.merchant_id = wanted.merchant_id and transfer_grant.currency = wanted.currency
          and transfer_grant.revoked_at is null
        order by transfer_grant.id desc
        limit 1) as transfer_grant
      join merchant on merchant.id = transfer_grant.merchant_id`
}

/** The grants that these (sub-account, key) pairs gave before. */
export function selectGrantsByKey(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly key: string }[],
): Promise<readonly (TransferGrant & { readonly key: string; readonly fingerprint: Buffer })[]> {
  return tx<(TransferGrant & { key: string; fingerprint: Buffer })[]>`
    select ${columns(tx)}, transfer_grant.idempotency_key as key, transfer_grant.fingerprint
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', key: 'text' })}
      join transfer_grant on transfer_grant.merchant_id = wanted.merchant_id and transfer_grant.idempotency_key = wanted.key
      join merchant on merchant.id = transfer_grant.merchant_id`
}

/** These grants of these sub-accounts. */
export function selectGrants(
  tx: Tx,
  refs: readonly Pick<TransferGrant, 'merchantId' | 'id'>[],
): Promise<readonly TransferGrant[]> {
  return tx<TransferGrant[]>`
    select ${columns(tx)}
      from (select distinct *
              from ${rowsOf(tx, 'pair', refs, { merchant_id: 'uuid', id: 'uuid' })}) as wanted
      join transfer_grant on transfer_grant.merchant_id = wanted.merchant_id and transfer_grant.id = wanted.id
      join merchant on merchant.id = transfer_grant.merchant_id`
}

export type GrantFilter = {
  readonly id?: TransferGrantId
  /** Only of this sub-account. */
  readonly subAccountId?: MerchantId
  /** Only grants before this one. */
  readonly before?: TransferGrantId
  readonly limit: number
}

/** Grants that the merchant gave, or that its sub-accounts gave it; newest first. No merchant has both. */
export function listGrants(
  sql: Sql | Tx,
  merchantId: MerchantId,
  { id, subAccountId, before = greatestId as TransferGrantId, limit }: GrantFilter,
): Promise<readonly TransferGrant[]> {
  const newest = (side: Fragment) => sql`
    (select * from transfer_grant
      where ${side} and transfer_grant.id < ${before}
        ${id === undefined ? sql`` : sql`and transfer_grant.id = ${id}`}
      order by transfer_grant.id desc
      limit ${limit})`
  const ofFamily = sql`
    ${newest(sql`transfer_grant.merchant_id = ${merchantId}`)}
    union all
    ${newest(sql`transfer_grant.parent_id = ${merchantId}`)}`
  const found =
    subAccountId === undefined
      ? ofFamily
      : newest(
          sql`transfer_grant.merchant_id = ${subAccountId} and ${merchantId} in (transfer_grant.merchant_id, transfer_grant.parent_id)`,
        )
  return sql<TransferGrant[]>`
    select ${columns(sql)}
      from (${found}) as transfer_grant
      join merchant on merchant.id = transfer_grant.merchant_id
     order by transfer_grant.id desc
     limit ${limit}`
}
