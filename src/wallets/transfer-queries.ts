// All SQL of own transfers.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { createdWithin, greatestId } from '#/db/lists.ts'
import { rowsOf, valuesOf } from '#/db/rows.ts'
import type { ApiKeyId, MerchantId, WalletId } from '#/kernel/id.ts'
import { amountFromJson, toJsonInteger, type Currency } from '#/kernel/money.ts'
import {
  requestedSides,
  type OtherSide,
  type OwnTransfer,
  type OwnTransferId,
  type OwnTransferRequest,
} from './own-transfer.ts'
import type { TransferGrantId, TransferGrant } from './transfer-grant.ts'

export type NewOwnTransfer = OwnTransfer & {
  readonly fingerprint: Buffer
  readonly idempotencyKey: string | undefined
  /** The key that asked for it, on the row of its merchant. */
  readonly requestedBy?: ApiKeyId | undefined
}

export async function insertOwnTransfers(tx: Tx, transfers: readonly NewOwnTransfer[]): Promise<void> {
  const values = valuesOf(tx, transfers, {
    merchant_id: 'uuid',
    id: 'uuid',
    from_wallet_id: 'uuid',
    to_wallet_id: 'uuid',
    amount_minor: ['bigint', ({ request }) => amountFromJson(request.amount)],
    currency: 'text',
    description: ['text', ({ request }) => request.description],
    metadata: ['json', ({ request }) => request.metadata],
    idempotency_key: 'text',
    fingerprint: 'bytea',
    is_notified: tx`true`,
    other_merchant_id: ['uuid', ({ other }) => other?.merchantId],
    grant_id: ['uuid', ({ other }) => other?.grantId],
    source_id: ['uuid', ({ other }) => other?.sourceId],
    is_mirror: ['boolean', ({ other }) => other?.is === 'PARENT'],
    names_wallet: ['boolean', ({ request }) => namesWallet(request)],
    requested_by: 'uuid',
    created_at: 'timestamptz',
  })
  await tx`insert into own_transfer ${values}`
}

/** Whether the request named the wallet on the sub-account's side, if there is one. */
function namesWallet({
  fromSubAccountId,
  fromWalletId,
  toSubAccountId,
  toWalletId,
}: OwnTransferRequest): boolean {
  return (
    (fromSubAccountId === undefined || fromWalletId !== undefined) &&
    (toSubAccountId === undefined || toWalletId !== undefined)
  )
}

type OwnTransferRow = {
  merchantId: MerchantId
  id: OwnTransferId
  fromWalletId: WalletId
  toWalletId: WalletId
  amountMinor: bigint
  currency: Currency
  description: string | null
  metadata: Readonly<Record<string, unknown>> | null
  otherId: MerchantId | null
  grantId: TransferGrantId | null
  sourceId: string | null
  isMirror: boolean
  namesWallet: boolean
  createdAt: Date
}

function columns(sql: Sql | Tx) {
  return sql`own_transfer.merchant_id as "merchantId", own_transfer.id, own_transfer.from_wallet_id as "fromWalletId",
             own_transfer.to_wallet_id as "toWalletId", own_transfer.amount_minor as "amountMinor",
             own_transfer.currency, own_transfer.description, own_transfer.metadata,
             own_transfer.other_merchant_id as "otherId", own_transfer.grant_id as "grantId",
             own_transfer.source_id as "sourceId", own_transfer.is_mirror as "isMirror", own_transfer.names_wallet as "namesWallet",
             own_transfer.created_at as "createdAt"`
}

function toOwnTransfer(row: OwnTransferRow): OwnTransfer {
  const { merchantId, id, fromWalletId, toWalletId, currency, createdAt, otherId, grantId, sourceId } = row
  const request: OwnTransferRequest = {
    ...requestedSides(row),
    amount: toJsonInteger(row.amountMinor),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
  }
  const other: OtherSide | undefined =
    otherId === null
      ? undefined
      : {
          merchantId: otherId,
          is: row.isMirror ? 'PARENT' : 'SUB_ACCOUNT',
          ...(grantId === null ? {} : { grantId }),
          ...(sourceId === null ? {} : { sourceId }),
        }
  const transfer = { merchantId, id, request, fromWalletId, toWalletId, currency, createdAt }
  return other === undefined ? transfer : { ...transfer, other }
}

/** The transfers that these (merchant, key) pairs created before. */
export async function selectOwnTransfersByKey(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly key: string }[],
): Promise<
  readonly { readonly key: string; readonly fingerprint: Buffer; readonly transfer: OwnTransfer }[]
> {
  const rows = await tx<(OwnTransferRow & { key: string; fingerprint: Buffer })[]>`
    select own_transfer.idempotency_key as key, own_transfer.fingerprint, ${columns(tx)}
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', key: 'text' })}
      join own_transfer on own_transfer.merchant_id = wanted.merchant_id and own_transfer.idempotency_key = wanted.key`
  return rows.map(({ key, fingerprint, ...row }) => ({ key, fingerprint, transfer: toOwnTransfer(row) }))
}

export type OwnTransferFilter = {
  readonly id?: OwnTransferId
  /** On either side. */
  readonly walletId?: WalletId
  readonly currency?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Only transfers before this one. */
  readonly before?: OwnTransferId
  readonly limit: number
}

/** The merchant's transfers, newest first. */
export async function selectOwnTransfers(
  sql: Sql | Tx,
  merchantId: MerchantId,
  filter: OwnTransferFilter,
): Promise<readonly OwnTransfer[]> {
  const { id, walletId, currency, limit } = filter
  const newest = (side: Fragment, order: Fragment) => sql`
    (select own_transfer.id
       from own_transfer
      where own_transfer.merchant_id = ${merchantId} ${side}
        ${id === undefined ? sql`` : sql`and own_transfer.id = ${id}`}
        ${createdWithin(sql, 'own_transfer', filter)}
      order by ${order} own_transfer.id desc
      limit ${limit})`
  // Both wallets of a transfer have its currency, so a filter by currency is a filter by its wallets.
  const wanted = sql`
    (select wallet.id from wallet
      where wallet.merchant_id = ${merchantId}
        ${walletId === undefined ? sql`` : sql`and wallet.id = ${walletId}`}
        ${currency === undefined ? sql`` : sql`and wallet.currency = ${currency}`}) as wanted`
  const ofWallets = sql`
    select found.id from ${wanted}
     cross join lateral (
       ${newest(sql`and own_transfer.from_wallet_id = wanted.id`, sql`own_transfer.from_wallet_id desc,`)}
       union
       ${newest(sql`and own_transfer.to_wallet_id = wanted.id`, sql`own_transfer.to_wallet_id desc,`)}
     ) as found`
  const isAny = id !== undefined || (walletId === undefined && currency === undefined)
  const rows = await sql<OwnTransferRow[]>`
    select ${columns(sql)}
      from (select distinct each.id from (${isAny ? newest(sql``, sql``) : ofWallets}) as each order by each.id desc limit ${limit}) as page
      join own_transfer on own_transfer.merchant_id = ${merchantId} and own_transfer.id = page.id
     order by own_transfer.id desc`
  return rows.map(toOwnTransfer)
}

/** The merchant's descriptions of these transfers, where there are any. */
export function selectDescriptions(
  sql: Sql | Tx,
  merchantId: MerchantId,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly description: string }[]> {
  return sql<{ id: string; description: string }[]>`
    select id, description from own_transfer
     where merchant_id = ${merchantId} and id = any (${list(ids)}::uuid[]) and description is not null`
}

// All SQL of transfer grants.

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

function grantColumns(sql: Sql | Tx) {
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
    select ${grantColumns(tx)}
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
    select ${grantColumns(tx)}, transfer_grant.idempotency_key as key, transfer_grant.fingerprint
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
    select ${grantColumns(tx)}
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
    select ${grantColumns(sql)}
      from (${found}) as transfer_grant
      join merchant on merchant.id = transfer_grant.merchant_id
     order by transfer_grant.id desc
     limit ${limit}`
}
