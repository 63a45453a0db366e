// The SQL of the inspection of splits: pages of splits with their shares, and what the payment's records make of them.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { PaymentRequest } from '#/payments/payment.ts'

export type SplitRow = {
  readonly id: string
  readonly merchantId: string
  readonly paymentId: string
  readonly currency: string
  readonly feePayer: string | null
  readonly duplicateMinor: bigint
  readonly waitingMinor: bigint
  readonly version: number
  /** Null when there is no such merchant. */
  readonly mode: string | null
  /** Null when there is no such payment. */
  readonly request: PaymentRequest | null
  readonly amountMinor: bigint | null
  readonly keptMinor: bigint | null
  /** The wallet of the payment's money in this currency; null before any came. */
  readonly walletId: string | null
  /** Money that came when the payment was PAID already, less what of it went back or is disputed. */
  readonly duplicatesMinor: bigint
  /** What waits for a settlement delay and is shared at its release, before our fee and before what went back. */
  readonly openMinor: bigint
}

/** The next page of splits, by the payment's id. */
export function selectSplitRows(
  tx: Tx,
  after: Pick<SplitRow, 'merchantId' | 'paymentId'> | undefined,
  limit: number,
): Promise<readonly SplitRow[]> {
  const none = '00000000-0000-0000-0000-000000000000'
  return tx<SplitRow[]>`
    select split.id, split.merchant_id as "merchantId", split.payment_id as "paymentId", split.currency,
           split.fee_payer as "feePayer", split.duplicate_minor as "duplicateMinor", split.waiting_minor as "waitingMinor",
           split.version, merchant.mode, payment.request, payment.amount_minor as "amountMinor",
           payment.received_minor - payment.refunded_minor - payment.disputed_minor as "keptMinor",
           (select each.value ->> 'walletId' from json_array_elements(payment.money) as each
             where each.value ->> 'currency' = split.currency) as "walletId",
           coalesce((select sum(piece.booked_minor
                       - coalesce((select sum(amount_minor) from refund
                                    where refund.merchant_id = piece.merchant_id and refund.payment_id = piece.payment_id
                                      and refund.connection = piece.connection and refund.paid_ref = piece.provider_ref
                                      and refund.status <> 'FAILED'), 0)
                       - coalesce((select sum(amount_minor) from dispute
                                    where dispute.merchant_id = piece.merchant_id and dispute.payment_id = piece.payment_id
                                      and dispute.connection = piece.connection and dispute.paid_ref = piece.provider_ref
                                      and dispute.status <> 'WON'), 0))
                       from receipt as piece
                      where piece.merchant_id = split.merchant_id and piece.payment_id = split.payment_id
                        and piece.outcome = 'paid' and piece.is_duplicate), 0)::bigint as "duplicatesMinor",
           coalesce((select sum(receipt.booked_minor)
                       from release
                       join receipt using (merchant_id, payment_id, ordinal)
                      where release.merchant_id = split.merchant_id and release.payment_id = split.payment_id
                        and release.released_at is null and release.share_minors is null), 0)::bigint as "openMinor"
      from payment_split as split
      left join merchant on merchant.id = split.merchant_id
      left join payment on payment.merchant_id = split.merchant_id and payment.id = split.payment_id
     where (split.merchant_id, split.payment_id) > (${after?.merchantId ?? none}, ${after?.paymentId ?? none})
     order by split.merchant_id, split.payment_id
     limit ${limit}`
}

export type ShareRow = {
  readonly paymentId: string
  readonly ordinal: number
  readonly subAccountId: string
  readonly walletId: string
  readonly amountMinor: bigint | null
  readonly ratePpm: bigint | null
  readonly label: string | null
  readonly bookedMinor: bigint
  /** What of it stands in the recipient's pending balance. */
  readonly unreleasedMinor: bigint
  /** What the platform kept because the recipient was closed. */
  readonly keptMinor: bigint
  readonly feeMinor: bigint
  /** Null when it is no sub-account. */
  readonly state: string | null
  /** The parent of the recipient; null when it is no sub-account. */
  readonly parentId: string | null
  /** The recipient's wallets in the split's currency. */
  readonly wallets: readonly string[]
}

/** The shares of these splits, in order. */
export function selectShareRows(tx: Tx, splits: readonly SplitRow[]): Promise<readonly ShareRow[]> {
  return tx<ShareRow[]>`
    select share.payment_id as "paymentId", share.ordinal, share.sub_account_id as "subAccountId",
           share.wallet_id as "walletId", share.amount_minor as "amountMinor", share.rate_ppm as "ratePpm", share.label,
           share.booked_minor as "bookedMinor", share.unreleased_minor as "unreleasedMinor", share.kept_minor as "keptMinor",
           share.fee_minor as "feeMinor", sub_account.state, sub_account.parent_id as "parentId",
           array(select wallet.id::text from wallet
                  where wallet.merchant_id = share.sub_account_id and wallet.currency = wanted.currency) as wallets
      from ${rowsOf(tx, 'wanted', splits, { merchant_id: 'uuid', payment_id: 'uuid', currency: 'text' })}
      join payment_share as share using (merchant_id, payment_id)
      left join sub_account on sub_account.merchant_id = share.sub_account_id
     order by share.payment_id, share.ordinal`
}

/** What one receipt brought into the recipients' pending balances. */
export type WaitingRow = {
  readonly paymentId: string
  /** The receipt's number. */
  readonly ordinal: number
  /** What came, before our fee; null without its receipt. */
  readonly cameMinor: bigint | null
  /** By share. */
  readonly shareMinors: readonly bigint[]
  readonly isReleased: boolean
}

/** The receipts of these splits' payments that waited, or wait, for a settlement delay with their shares. */
export function selectWaitingRows(tx: Tx, splits: readonly SplitRow[]): Promise<readonly WaitingRow[]> {
  return tx<WaitingRow[]>`
    select release.payment_id as "paymentId", release.ordinal, receipt.booked_minor as "cameMinor",
           release.share_minors as "shareMinors", release.released_at is not null as "isReleased"
      from ${rowsOf(tx, 'wanted', splits, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join release using (merchant_id, payment_id)
      left join receipt using (merchant_id, payment_id, ordinal)
     where release.share_minors is not null
     order by release.payment_id, release.ordinal`
}

/** A receipt of final money, and the terms of our fee on it: those that were in force when its payment was created. */
export type FeeBasisRow = {
  readonly paymentId: string
  readonly method: string | null
  readonly cameMinor: bigint
  readonly isDuplicate: boolean | null
  /** Null when there was no fee. */
  readonly fixedMinor: bigint | null
  readonly ratePpm: bigint | null
  /** The number of the transfer that credited it; null when there is none. */
  readonly creditNumber: bigint | null
  /** Whether its shares were given at its release. */
  readonly isSharedLater: boolean
}

/** What came for the payments of those of these splits that have a fee payer, in order. */
export function selectFeeBasis(tx: Tx, splits: readonly SplitRow[]): Promise<readonly FeeBasisRow[]> {
  const paid = splits.filter(({ feePayer }) => feePayer !== null)
  return tx<FeeBasisRow[]>`
    select receipt.payment_id as "paymentId", attempt.method, receipt.booked_minor as "cameMinor",
           receipt.is_duplicate as "isDuplicate", fee.fixed_minor as "fixedMinor", fee.rate_ppm as "ratePpm",
           (select number from transfer
             where subject = receipt.payment_id and step = receipt.ordinal || '.credit') as "creditNumber",
           release.ordinal is not null and release.share_minors is null as "isSharedLater"
      from ${rowsOf(tx, 'wanted', paid, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join payment on payment.merchant_id = wanted.merchant_id and payment.id = wanted.payment_id
      join receipt on receipt.merchant_id = wanted.merchant_id and receipt.payment_id = wanted.payment_id
                  and receipt.outcome = 'paid'
      left join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
      left join release on release.merchant_id = receipt.merchant_id and release.payment_id = receipt.payment_id
                       and release.ordinal = receipt.ordinal
      left join lateral (
        select rule.fixed_minor, rule.rate_ppm
          from fee_rule as rule
         where rule.merchant_id = receipt.merchant_id and rule.method = attempt.method
           and rule.currency = receipt.currency and rule.valid_from <= payment.created_at
         union all
        select past.fixed_minor, past.rate_ppm
          from (select fixed_minor, rate_ppm, valid_to
                  from fee_rule_past
                 where merchant_id = receipt.merchant_id and method = attempt.method
                   and currency = receipt.currency and valid_from <= payment.created_at
                 order by valid_from desc
                 limit 1) as past
         where payment.created_at < past.valid_to) as fee on true
     order by receipt.payment_id, receipt.ordinal`
}

/** Which of these ids are splits. */
export async function selectSplitsAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from payment_split where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** The next page of payments whose request has splits and that have none, by id. */
export function selectUnsplit(
  tx: Tx,
  after: { readonly merchantId: string; readonly id: string } | undefined,
  limit: number,
): Promise<readonly { readonly merchantId: string; readonly id: string; readonly isUnsplit: boolean }[]> {
  const none = '00000000-0000-0000-0000-000000000000'
  return tx<{ merchantId: string; id: string; isUnsplit: boolean }[]>`
    select payment.merchant_id as "merchantId", payment.id,
           payment.request -> 'splits' is not null and split.id is null as "isUnsplit"
      from payment
      left join payment_split as split on split.merchant_id = payment.merchant_id and split.payment_id = payment.id
     where (payment.merchant_id, payment.id) > (${after?.merchantId ?? none}, ${after?.id ?? none})
     order by payment.merchant_id, payment.id
     limit ${limit}`
}

type ShareKey = { readonly merchantId: MerchantId; readonly id: string }

export type NotifiedShareRow = ShareKey & {
  readonly walletId: string
  readonly currency: string
  readonly amountMinor: bigint | null
  readonly ratePpm: bigint | null
  readonly label: string | null
  readonly bookedMinor: bigint
  readonly unreleasedMinor: bigint
  readonly feeMinor: bigint
  /** That of the split after the last movement of this share. */
  readonly version: number
  readonly createdAt: Date
}

/** These shares of these sub-accounts. */
export function selectNotifiedShares(
  tx: Tx,
  keys: readonly ShareKey[],
): Promise<readonly NotifiedShareRow[]> {
  return tx<NotifiedShareRow[]>`
    select share.sub_account_id as "merchantId", share.id, share.wallet_id as "walletId", split.currency,
           share.amount_minor as "amountMinor", share.rate_ppm as "ratePpm", share.label, share.booked_minor as "bookedMinor",
           share.unreleased_minor as "unreleasedMinor", share.fee_minor as "feeMinor", share.created_at as "createdAt",
           (select coalesce(max(split_part(step, '.', 1)::integer), 0) + 1 from transfer
             where subject = split.id and split_part(step, '.', 2) = share.ordinal::text) as version
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join payment_share as share on share.sub_account_id = wanted.merchant_id and share.id = wanted.id
      join payment_split as split on split.merchant_id = share.merchant_id and split.payment_id = share.payment_id`
}

export type ShareOwed = ShareKey & {
  readonly createdAt: Date
  readonly wasGiven: boolean
  readonly wentBack: boolean
}

/** The next page of shares, by sub-account and id, with what moved of each. */
export function selectSharesOwed(
  sql: Sql,
  after: ShareKey | undefined,
  limit: number,
): Promise<readonly ShareOwed[]> {
  const none = '00000000-0000-0000-0000-000000000000'
  return sql<ShareOwed[]>`
    select share.sub_account_id as "merchantId", share.id, share.created_at as "createdAt", moved.given as "wasGiven",
           moved.back as "wentBack"
      from (select * from payment_share
             where (sub_account_id, id) > (${after?.merchantId ?? none}, ${after?.id ?? none})
             order by sub_account_id, id
             limit ${limit}) as share
      join payment_split as split using (merchant_id, payment_id)
     cross join lateral (
       select coalesce(bool_or(step ~ '\\.share(-owe|-pending)?$'), false) as given,
              coalesce(bool_or(step ~ '\\.(back(-\\d+|-pending)?|cover)$'), false) as back
         from transfer
        where subject = split.id and split_part(step, '.', 2) = share.ordinal::text) as moved
     order by share.sub_account_id, share.id`
}
