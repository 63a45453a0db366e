// The SQL of the inspection of transfer grants.
import type { Sql, Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { TransferGrantId } from '#/wallets/transfer-grant.ts'

type GrantKey = { readonly merchantId: MerchantId; readonly id: string }
const none = '00000000-0000-0000-0000-000000000000'

export type GrantRow = {
  readonly merchantId: MerchantId
  readonly id: TransferGrantId
  readonly currency: Currency
  readonly maxMinor: bigint | null
  readonly takenMinor: bigint
  readonly expiresAt: Date | null
  readonly description: string | null
  readonly fingerprint: Buffer
  readonly version: number
  readonly revokedAt: Date | null
  /** Whether the parent is the sub-account's. */
  readonly isFamily: boolean | null
  /** Whether the key that gave it is one of the sub-account's own. */
  readonly isOwnKey: boolean
  /** What was taken by it, and by how many transfers, as the sub-account's rows say. */
  readonly movedMinor: bigint
  readonly moves: number
}

/** The next page of grants, by key, with what was taken by each. */
export function selectGrantRows(
  sql: Sql,
  after: GrantKey | undefined,
  limit: number,
): Promise<readonly GrantRow[]> {
  return sql<GrantRow[]>`
    select given.merchant_id as "merchantId", given.id, given.currency, given.max_minor as "maxMinor",
           given.taken_minor as "takenMinor", given.expires_at as "expiresAt", given.description, given.fingerprint,
           given.version, given.revoked_at as "revokedAt",
           (select sub_account.parent_id from sub_account where sub_account.merchant_id = given.merchant_id) = given.parent_id
             as "isFamily",
           exists (select from api_key
                     join api_key as first on first.merchant_id = given.merchant_id
                                          and first.id = coalesce(api_key.lineage, api_key.id)
                    where api_key.merchant_id = given.merchant_id and api_key.id = given.given_by) as "isOwnKey",
           taken.minor as "movedMinor", taken.count as moves
      from transfer_grant as given
     cross join lateral (
       select coalesce(sum(amount_minor), 0)::bigint as minor, count(*)::integer as count
         from own_transfer
        where own_transfer.merchant_id = given.merchant_id and own_transfer.grant_id = given.id) as taken
     where (given.merchant_id, given.id) > (${after?.merchantId ?? none}, ${after?.id ?? none})
     order by given.merchant_id, given.id
     limit ${limit}`
}

export type NotifiedGrantRow = GrantKey & {
  readonly mode: string | null
  readonly subAccountId: MerchantId
  readonly currency: string
  readonly maxMinor: bigint | null
  readonly takenMinor: bigint
  readonly expiresAt: Date | null
  readonly description: string | null
  readonly version: number
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

/** These grants, each for the merchant that was notified: the sub-account or its parent. */
export function selectNotifiedGrants(
  tx: Tx,
  keys: readonly GrantKey[],
): Promise<readonly NotifiedGrantRow[]> {
  return tx<NotifiedGrantRow[]>`
    select wanted.reader as "merchantId", given.id, merchant.mode, given.merchant_id as "subAccountId", given.currency,
           given.max_minor as "maxMinor", given.taken_minor as "takenMinor", given.expires_at as "expiresAt",
           given.description, given.version, given.created_at as "createdAt", given.revoked_at as "revokedAt"
      from ${rowsOf(tx, 'wanted', keys, { reader: ['uuid', (each) => each.merchantId], id: 'uuid' })}
     cross join lateral (
       select * from transfer_grant where transfer_grant.merchant_id = wanted.reader and transfer_grant.id = wanted.id
       union all
       select * from transfer_grant where transfer_grant.parent_id = wanted.reader and transfer_grant.id = wanted.id) as given
      left join merchant on merchant.id = given.merchant_id`
}

export type GrantOwed = GrantKey & { readonly createdAt: Date; readonly isRevoked: boolean }

/** The next page of grants for each of the two merchants that are notified, by key. */
export function selectGrantsOwed(
  sql: Sql,
  after: GrantKey | undefined,
  limit: number,
): Promise<readonly GrantOwed[]> {
  const { merchantId = none, id = none } = after ?? {}
  return sql<GrantOwed[]>`
    select "merchantId", id, "createdAt", "isRevoked"
      from ((select merchant_id as "merchantId", id, created_at as "createdAt", revoked_at is not null as "isRevoked"
               from transfer_grant where (merchant_id, id) > (${merchantId}, ${id})
              order by merchant_id, id limit ${limit})
            union all
            (select parent_id, id, created_at, revoked_at is not null
               from transfer_grant where (parent_id, id) > (${merchantId}, ${id})
              order by parent_id, id limit ${limit})) as notified
     order by "merchantId", id
     limit ${limit}`
}
