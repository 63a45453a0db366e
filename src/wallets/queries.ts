// All SQL of wallets; that of the statement is in statement-queries.ts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { lengthened } from '#/db/limits.ts'
import { rowsOf, valuesOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Wallet, WalletType } from './wallet.ts'

/** The default wallets of these merchants in these currencies. */
export function selectDefaultWallets(
  tx: Tx,
  refs: readonly { readonly merchantId: MerchantId; readonly currency: Currency }[],
): Promise<readonly { merchantId: MerchantId; currency: Currency; id: WalletId }[]> {
  return tx<{ merchantId: MerchantId; currency: Currency; id: WalletId }[]>`
    select distinct wallet.merchant_id as "merchantId", wallet.currency, wallet.id
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', currency: 'text' })}
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.currency = wanted.currency
     where wallet.is_default`
}

/** All wallets of these merchants in these currencies, oldest first. */
export function selectWalletIds(
  tx: Tx,
  refs: readonly { readonly merchantId: MerchantId; readonly currency: Currency }[],
): Promise<readonly { merchantId: MerchantId; currency: Currency; id: WalletId }[]> {
  return tx<{ merchantId: MerchantId; currency: Currency; id: WalletId }[]>`
    select distinct wallet.merchant_id as "merchantId", wallet.currency, wallet.id
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', currency: 'text' })}
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.currency = wanted.currency
     order by wallet.id`
}

/** All wallets of these merchants, oldest first. */
export function selectWalletsOf(tx: Tx, merchantIds: readonly MerchantId[]): Promise<readonly Wallet[]> {
  return tx<WalletRow[]>`
    select ${columns(tx)}
      from wallet
     where wallet.merchant_id = any (${list(merchantIds)}::uuid[])
     order by wallet.id`
}

export type NewWallet = Wallet & {
  readonly idempotencyKey: string | undefined
  /** SHA-256 of the canonical request. */
  readonly fingerprint: Buffer | undefined
}

/** How many wallets each of these merchants has. */
export function countWallets(
  tx: Tx,
  merchants: readonly MerchantId[],
): Promise<readonly { readonly merchantId: MerchantId; readonly count: number }[]> {
  return tx<{ merchantId: MerchantId; count: number }[]>`
    select merchant_id as "merchantId", count(*)::integer as count
      from wallet where merchant_id = any (${list(merchants)}::uuid[]) group by merchant_id`
}

export async function insertWallets(tx: Tx, wallets: readonly NewWallet[]): Promise<void> {
  const values = valuesOf(tx, wallets, {
    merchant_id: 'uuid',
    id: 'uuid',
    currency: 'text',
    label: 'text',
    wallet_type: 'text',
    is_default: 'boolean',
    is_active: 'boolean',
    idempotency_key: 'text',
    fingerprint: 'bytea',
    created_at: 'timestamptz',
  })
  await tx`insert into wallet ${values}`
}

type WalletRow = {
  merchantId: MerchantId
  id: WalletId
  currency: Currency
  label: string
  walletType: WalletType
  isDefault: boolean
  isActive: boolean
  version: number
  createdAt: Date
}

function columns(sql: Sql | Tx) {
  return sql`wallet.merchant_id as "merchantId", wallet.id, wallet.currency, wallet.label,
             wallet.wallet_type as "walletType", wallet.is_default as "isDefault", wallet.is_active as "isActive",
             wallet.version, wallet.created_at as "createdAt"`
}

export type StoredWalletKey = { readonly key: string; readonly fingerprint: Buffer; readonly wallet: Wallet }

/** The wallets that these (merchant, key) pairs created before. */
export async function selectByKeys(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly key: string }[],
): Promise<readonly StoredWalletKey[]> {
  const rows = await tx<(WalletRow & { key: string; fingerprint: Buffer })[]>`
    select wallet.idempotency_key as key, wallet.fingerprint, ${columns(tx)}
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', key: 'text' })}
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.idempotency_key = wanted.key`
  return rows.map(({ key, fingerprint, ...wallet }) => ({ key, fingerprint, wallet }))
}

export type WalletFilter = {
  readonly id?: WalletId
  readonly currency?: string
  /** Only wallets after this one. */
  readonly after?: WalletId
  readonly limit?: number
}

/** The merchant's wallets, oldest first. */
export function selectWallets(
  sql: Sql | Tx,
  merchantId: MerchantId,
  filter: WalletFilter = {},
): Promise<readonly Wallet[]> {
  return sql<WalletRow[]>`
    select ${columns(sql)}
      from wallet
     where wallet.merchant_id = ${merchantId}
       ${filter.id === undefined ? sql`` : sql`and wallet.id = ${filter.id}`}
       ${filter.currency === undefined ? sql`` : sql`and wallet.currency = ${filter.currency}`}
       ${filter.after === undefined ? sql`` : sql`and wallet.id > ${filter.after}`}
     order by wallet.id
     ${filter.limit === undefined ? sql`` : sql`limit ${filter.limit}`}`
}

export type AccountBalance = { readonly name: string; readonly minor: bigint }

/** The balances of these accounts, all at one instant, and that instant. An account that was never used has no row. */
export async function selectBalances(
  sql: Sql | Tx,
  mode: string,
  names: readonly string[],
): Promise<{ readonly at: Date; readonly balances: readonly AccountBalance[] }> {
  const rows = await sql<({ at: Date } & (AccountBalance | { name: null; minor: null }))[]>`
    select date_trunc('milliseconds', statement_timestamp()) as at, account.name, balance.minor
      from (values (1)) as always (one)
      left join (account join balance on balance.account_id = account.id)
             on account.mode = ${mode} and account.name = any (${list(names)}::text[])`
  const balances = rows.flatMap(({ name, minor }) => (name === null ? [] : [{ name, minor }]))
  return { at: must(rows[0], 'there is always a row').at, balances }
}

/** Wallets by merchant and id; a pair may be repeated. */
export function selectWalletsById(
  tx: Tx,
  refs: readonly { readonly merchantId: MerchantId; readonly id: WalletId }[],
): Promise<readonly Wallet[]> {
  return tx<WalletRow[]>`
    select ${columns(tx)}
      from (select distinct *
              from ${rowsOf(tx, 'pair', refs, { merchant_id: 'uuid', id: 'uuid' })}) as wanted
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.id = wanted.id`
}

/** Writes what a merchant may change. Of several versions of one wallet the last one wins. */
export async function updateWallets(tx: Tx, versions: readonly Wallet[]): Promise<void> {
  const wallets = [...new Map(versions.map((wallet) => [wallet.id, wallet])).values()]
  await tx`
    update wallet
       set label = new.label, is_active = new.is_active, version = new.version
      from unnest(${list(wallets.map((each) => each.merchantId))}::uuid[], ${list(wallets.map((each) => each.id))}::uuid[],
                  ${list(wallets.map((each) => each.label))}::text[],
                  ${list(wallets.map((each) => each.isActive))}::boolean[],
                  ${list(wallets.map((each) => each.version))}::integer[])
           as new (merchant_id, id, label, is_active, version)
     where wallet.merchant_id = new.merchant_id and wallet.id = new.id`
}

/** Locks the books' head, so that no batch of the ledger lane decides meanwhile. For a short transaction. */
export async function holdHead(tx: Tx): Promise<void> {
  await tx`select set_config('lock_timeout', ${`${lengthened(5)}s`}, true)`
  await tx`select 1 from head for update`
}

/** The wallet of this id, of any merchant: only for the operator. */
export async function selectWalletOfAny(tx: Tx, id: WalletId): Promise<Wallet | undefined> {
  const [row] = await tx<WalletRow[]>`select ${columns(tx)} from wallet where wallet.id = ${id}`
  return row
}

/** Makes the wallet its currency's default instead of the present one. The caller holds the books' head. */
export async function setDefaultWallet(tx: Tx, { merchantId, id, currency }: Wallet): Promise<void> {
  await tx`update wallet set is_default = false, version = version + 1
            where merchant_id = ${merchantId} and currency = ${currency} and is_default`
  await tx`update wallet set is_default = true, version = version + 1
            where merchant_id = ${merchantId} and id = ${id}`
}
