// All SQL of splits and shares. A payment without a split is never named here.
import type { Sql, Tx } from '#/db/client.ts'
import { rowsOf, valuesOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { NamedPiece, Share, ShareId, Split, SplitId } from './shares.ts'

export async function insertSplits(tx: Tx, splits: readonly Split[]): Promise<void> {
  await tx`
    insert into payment_split ${valuesOf(tx, splits, {
      merchant_id: 'uuid',
      payment_id: 'uuid',
      id: 'uuid',
      currency: 'text',
      fee_payer: 'uuid',
      created_at: 'timestamptz',
    })}`
  await tx`
    insert into payment_share ${valuesOf(tx, sharesOf(splits), {
      merchant_id: 'uuid',
      payment_id: 'uuid',
      ordinal: 'integer',
      id: 'uuid',
      sub_account_id: 'uuid',
      wallet_id: 'uuid',
      amount_minor: 'bigint',
      rate_ppm: 'bigint',
      label: 'text',
      created_at: 'timestamptz',
    })}`
}

type ShareRow = Share & PaymentRef

/** All shares of these splits, each as a row. */
function sharesOf(splits: readonly Split[]): readonly (ShareRow & Pick<Split, 'createdAt'>)[] {
  return splits.flatMap(({ merchantId, paymentId, createdAt, shares }) =>
    shares.map((share) => ({ ...share, merchantId, paymentId, createdAt })),
  )
}

/** The splits of these payments, with their shares in order. */
export async function selectSplits(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly Split[]> {
  const wanted = rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })
  const [splits, shares] = await Promise.all([
    sql<Omit<Split, 'shares'>[]>`
      select id, merchant_id as "merchantId", payment_id as "paymentId", currency, fee_payer as "feePayer",
             duplicate_minor as "duplicateMinor", waiting_minor as "waitingMinor", version, created_at as "createdAt"
        from ${wanted}
        join payment_split using (merchant_id, payment_id)`,
    sql<ShareRow[]>`
      select merchant_id as "merchantId", payment_id as "paymentId", ordinal, id, sub_account_id as "subAccountId",
             wallet_id as "walletId", amount_minor as "amountMinor", rate_ppm as "ratePpm", label,
             booked_minor as "bookedMinor", unreleased_minor as "unreleasedMinor", kept_minor as "keptMinor", fee_minor as "feeMinor",
             exists (select from sub_account
                      where sub_account.merchant_id = sub_account_id and state = 'CLOSED') as "isClosed"
        from ${wanted}
        join payment_share using (merchant_id, payment_id)
       order by ordinal`,
  ])
  const byPayment = Map.groupBy(shares, ({ paymentId }) => paymentId)
  return splits.map((split) => ({
    ...split,
    shares: (byPayment.get(split.paymentId) ?? []).map(
      ({ merchantId: _of, paymentId: _id, ...share }) => share,
    ),
  }))
}

/** Which of these pieces came when their payment was PAID already. A payment may have any number of them, so only these are read. */
export function selectDuplicates(
  tx: Tx,
  pieces: readonly NamedPiece[],
): Promise<
  readonly {
    readonly paymentId: PaymentId
    readonly connection: ConnectionId
    readonly providerRef: string
  }[]
> {
  return tx<{ paymentId: PaymentId; connection: ConnectionId; providerRef: string }[]>`
    select receipt.payment_id as "paymentId", receipt.connection, receipt.provider_ref as "providerRef"
      from ${rowsOf(tx, 'wanted', pieces, { connection: 'text', provider_ref: ['text', (each) => each.paidRef] })}
      join receipt using (connection, provider_ref)
     where receipt.outcome = 'paid' and receipt.is_duplicate`
}

/** What came of split payments and is still to be released, including what was taken back since. */
export type WithheldShare = {
  readonly paymentId: PaymentId
  /** The number of the share; 0: money whose shares are given at its release, before our fee. */
  readonly ordinal: number
  readonly minor: bigint
}

/** The unreleased money of these payments by share: what each receipt brought into the recipient's pending balance. */
export function selectWithheldShares(tx: Tx, refs: readonly PaymentRef[]): Promise<readonly WithheldShare[]> {
  return tx<WithheldShare[]>`
    select waiting.payment_id as "paymentId", part.ordinal, sum(part.minor)::bigint as minor
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join release as waiting using (merchant_id, payment_id)
      join receipt using (merchant_id, payment_id, ordinal)
     cross join lateral (
       select nth::integer as ordinal, minor from unnest(waiting.share_minors) with ordinality as given (minor, nth)
        union all
       select 0, receipt.booked_minor where waiting.share_minors is null) as part
     where waiting.released_at is null
     group by waiting.payment_id, part.ordinal`
}

/** All wallets of these sub-accounts in these currencies, oldest first. */
export function selectRecipientWallets(
  sql: Sql | Tx,
  recipients: readonly { readonly merchantId: MerchantId; readonly currency: Currency }[],
): Promise<
  readonly {
    readonly merchantId: MerchantId
    readonly currency: Currency
    readonly id: WalletId
    readonly isDefault: boolean
    readonly isActive: boolean
  }[]
> {
  return sql`
    select wallet.merchant_id as "merchantId", wallet.currency, wallet.id, wallet.is_default as "isDefault",
           wallet.is_active as "isActive"
      from (select distinct *
              from ${rowsOf(sql, 'pair', recipients, { merchant_id: 'uuid', currency: 'text' })}) as wanted
      join wallet using (merchant_id, currency)
     order by wallet.id`
}

/** The currencies of these wallets of these sub-accounts. */
export function selectWalletCurrencies(
  sql: Sql | Tx,
  wallets: readonly { readonly merchantId: MerchantId; readonly id: WalletId }[],
): Promise<
  readonly { readonly merchantId: MerchantId; readonly id: WalletId; readonly currency: Currency }[]
> {
  return sql`
    select wallet.merchant_id as "merchantId", wallet.id, wallet.currency
      from ${rowsOf(sql, 'wanted', wallets, { merchant_id: 'uuid', id: 'uuid' })}
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.id = wanted.id`
}

/** Writes what can change of splits and their shares. If there are several versions of one split, the last one counts. */
export async function writeSplits(tx: Tx, versions: readonly Split[]): Promise<void> {
  const splits = [...new Map(versions.map((split) => [split.id, split])).values()]
  const [changed] = await Promise.all([
    tx`
      update payment_split
         set duplicate_minor = new.duplicate_minor, waiting_minor = new.waiting_minor, version = new.version
        from ${rowsOf(tx, 'new', splits, {
          merchant_id: 'uuid',
          payment_id: 'uuid',
          duplicate_minor: 'bigint',
          waiting_minor: 'bigint',
          version: 'integer',
        })}
       where payment_split.merchant_id = new.merchant_id and payment_split.payment_id = new.payment_id`,
    tx`
      update payment_share
         set booked_minor = new.booked_minor, unreleased_minor = new.unreleased_minor, kept_minor = new.kept_minor,
             fee_minor = new.fee_minor
        from ${rowsOf(tx, 'new', sharesOf(splits), {
          merchant_id: 'uuid',
          payment_id: 'uuid',
          ordinal: 'integer',
          booked_minor: 'bigint',
          unreleased_minor: 'bigint',
          kept_minor: 'bigint',
          fee_minor: 'bigint',
        })}
       where payment_share.merchant_id = new.merchant_id and payment_share.payment_id = new.payment_id
         and payment_share.ordinal = new.ordinal`,
  ])
  must(changed.count === splits.length || undefined, 'every split that changed is there')
}

export type RecipientShare = Omit<Share, 'isClosed'> & {
  readonly currency: Currency
  readonly version: number
  readonly createdAt: Date
}

/** One page of a sub-account's shares, newest first. */
export function listShares(
  sql: Sql | Tx,
  subAccountId: MerchantId,
  page: { readonly before?: ShareId; readonly limit: number },
): Promise<readonly RecipientShare[]> {
  return sql<RecipientShare[]>`
    select share.id, share.ordinal, share.sub_account_id as "subAccountId", share.wallet_id as "walletId",
           share.amount_minor as "amountMinor", share.rate_ppm as "ratePpm", share.label, share.booked_minor as "bookedMinor",
           share.unreleased_minor as "unreleasedMinor", share.kept_minor as "keptMinor", share.fee_minor as "feeMinor", split.currency, split.version,
           share.created_at as "createdAt"
      from (select * from payment_share
             where sub_account_id = ${subAccountId}
               ${page.before === undefined ? sql`` : sql`and id < ${page.before}`}
             order by id desc
             limit ${page.limit}) as share
      join payment_split as split using (merchant_id, payment_id)
     order by share.id desc`
}

/** What went back of one share so far, and what of it the platform covered because the sub-account lacked it. */
export type ShareBack = {
  readonly ordinal: number
  readonly returnedMinor: bigint
  readonly coveredMinor: bigint
}

/** What went back of the shares of a split, by the transfers of its books. A share that gave nothing back has no row. */
export function selectSharesBack(sql: Sql | Tx, splitId: SplitId): Promise<readonly ShareBack[]> {
  return sql<ShareBack[]>`
    select split_part(step, '.', 2)::integer as ordinal, sum(minor)::bigint as "returnedMinor",
           coalesce(sum(minor) filter (where step like '%.cover'), 0)::bigint as "coveredMinor"
      from transfer
     where subject = ${splitId} and (kind = 'SHARE_RETURNED' or step like '%.cover')
     group by split_part(step, '.', 2)`
}
