// All SQL of own transfers.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { createdWithin } from '#/db/lists.ts'
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
import type { TransferGrantId } from './transfer-grant.ts'

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
