// The SQL of the inspection of wallets and own transfers.
import { type Fragment, type Sql, type Tx, list } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { OwnTransferId, StoredSides } from '#/wallets/own-transfer.ts'
import { type BothPersons, bothColumns, bothJoined } from './records-queries.ts'

export type OwnTransferRow = StoredSides &
  BothPersons & {
    readonly merchantId: MerchantId
    readonly id: OwnTransferId
    readonly mode: string | null
    readonly amountMinor: bigint
    readonly currency: string
    readonly description: string | null
    readonly metadata: Readonly<Record<string, unknown>> | null
    readonly fingerprint: Buffer
    readonly createdAt: Date
    /** Whether the wallets are of those whose they should be, in this currency. */
    readonly isBetweenItsWallets: boolean
    /** Whether the two are a platform and its sub-account, or there is no other. */
    readonly isFamily: boolean
    /** Whether the other merchant has the same row, or there is no other. */
    readonly isPaired: boolean
    /** Whether the grant was given before and not revoked before, or none is named. */
    readonly isGranted: boolean
    /** Whether the sub-account is closed, and money of the named record had just come for it; or no record is named. */
    readonly isPassedOn: boolean
  }

export type WalletRow = {
  readonly merchantId: MerchantId
  readonly id: WalletId
  readonly currency: string
  /** The currencies of its accounts that differ from its own. */
  readonly others: readonly string[]
}

/** The next page of wallets, by key. */
export function selectAccountCurrencies(
  sql: Sql,
  after: Pick<WalletRow, 'merchantId' | 'id'> | undefined,
  limit: number,
): Promise<readonly WalletRow[]> {
  const minId = '00000000-0000-0000-0000-000000000000'
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<WalletRow[]>`
    select wallet.merchant_id as "merchantId", wallet.id, wallet.currency,
           array(select account.currency
                   from unnest(array['available', 'pending', 'held']) as part (name)
                   join account on account.mode = merchant.mode
                               and account.name = 'wallet:' || wallet.id || ':' || part.name
                  where account.currency <> wallet.currency) as others
      from wallet
      join merchant on merchant.id = wallet.merchant_id
     where (wallet.merchant_id, wallet.id) > (${merchantId}, ${id})
     order by wallet.merchant_id, wallet.id
     limit ${limit}`
}

/** The next page of own transfers, by key. */
export function selectOwnTransferRows(
  sql: Sql,
  after: Pick<OwnTransferRow, 'merchantId' | 'id'> | undefined,
  limit: number,
): Promise<readonly OwnTransferRow[]> {
  const minId = '00000000-0000-0000-0000-000000000000'
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<OwnTransferRow[]>`
    select own.merchant_id as "merchantId", own.id, merchant.mode, own.from_wallet_id as "fromWalletId",
           own.to_wallet_id as "toWalletId", own.amount_minor as "amountMinor", own.currency, own.description, own.metadata,
           own.fingerprint, own.created_at as "createdAt", own.other_merchant_id as "otherId", own.grant_id as "grantId",
           own.source_id as "sourceId", own.is_mirror as "isMirror", own.names_wallet as "namesWallet",
           (select count(*) from wallet
             where wallet.merchant_id = case when family.is_from_sub then family.sub else family.platform end
               and wallet.id = own.from_wallet_id and wallet.currency = own.currency) = 1
             and (select count(*) from wallet
                   where wallet.merchant_id = case when own.other_merchant_id is null or family.is_from_sub
                                                   then family.platform else family.sub end
                     and wallet.id = own.to_wallet_id and wallet.currency = own.currency) = 1 as "isBetweenItsWallets",
           own.other_merchant_id is null
             or exists (select from sub_account
                         where sub_account.merchant_id = family.sub and sub_account.parent_id = family.platform) as "isFamily",
           own.other_merchant_id is null
             or exists (select from own_transfer as pair
                         where pair.merchant_id = own.other_merchant_id and pair.id = own.id
                           and pair.other_merchant_id = own.merchant_id and pair.is_mirror <> own.is_mirror
                           and pair.from_wallet_id = own.from_wallet_id and pair.to_wallet_id = own.to_wallet_id
                           and pair.amount_minor = own.amount_minor and pair.currency = own.currency
                           and pair.grant_id is not distinct from own.grant_id
                           and pair.source_id is not distinct from own.source_id
                           and pair.description is not distinct from own.description
                           and pair.fingerprint = own.fingerprint and pair.created_at = own.created_at) as "isPaired",
           own.grant_id is null
             or exists (select from transfer_grant as given
                         where given.merchant_id = family.sub and given.id = own.grant_id and given.currency = own.currency
                           and given.created_at <= own.created_at
                           and (given.revoked_at is null or given.revoked_at >= own.created_at)) as "isGranted",
           ${isPassedOn(sql)} as "isPassedOn",
           ${bothColumns('taking', sql)}
      from own_transfer as own
      left join merchant on merchant.id = own.merchant_id
     cross join lateral (
       select case when own.is_mirror then own.other_merchant_id else own.merchant_id end as platform,
              case when own.is_mirror then own.merchant_id else own.other_merchant_id end as sub,
              own.grant_id is not null or own.source_id is not null as is_from_sub) as family
     -- Who took, and who gave the grant by which they took. The sub-account's row says nothing about it.
     cross join lateral (
       select own.requested_by, own.created_at,
              (select given.given_by from transfer_grant as given
                where given.merchant_id = family.sub and given.id = own.grant_id) as decided_by) as taking
      ${bothJoined('taking', sql)}
     where (own.merchant_id, own.id) > (${merchantId}, ${id})
     order by own.merchant_id, own.id
     limit ${limit}`
}

/** Of what went on from a closed sub-account: whether it came for it, or the operator moved what it had. */
function isPassedOn(sql: Sql): Fragment {
  return sql`own.source_id is null
             or (exists (select from sub_account
                          where sub_account.merchant_id = family.sub and sub_account.state = 'CLOSED')
                 -- What it had already is moved by the operator, who is in the audit log. Everything else came in the same batch, before it
                 -- went on; of the record itself, or of a refund or dispute of that payment.
                 and case when own.source_id = family.sub
                          then exists (select from audit_log
                                        where audit_log.subject = 'transfer:' || own.id
                                          and audit_log.action = 'sub-account.pass-on' and audit_log.merchant_id = family.sub
                                          and audit_log.actor_kind in ('OPERATOR', 'USER'))
                          else exists (select from transfer as moved
                               join batch on batch.number = moved.batch
                               join entry on entry.account_id = moved.debit and entry.transfer >= batch.transfer_from
                                         and entry.transfer < moved.number
                               join transfer as came on came.number = entry.transfer and came.credit = moved.debit
                              where moved.subject = own.id and moved.step = '1.move'
                                and (came.subject = own.source_id
                                     or exists (select from refund
                                                 where refund.merchant_id = family.sub and refund.id = came.subject
                                                   and refund.payment_id = own.source_id)
                                     or exists (select from dispute
                                                 where dispute.merchant_id = family.sub and dispute.id = came.subject
                                                   and own.source_id in (dispute.payment_id, dispute.unmatched_id)))) end)`
}

export type BookedRow = {
  readonly number: bigint
  readonly subject: string
  readonly step: string
  readonly kind: string
  readonly minor: bigint
  readonly cause: Buffer
  /** Keys of the accounts: the mode and the name. */
  readonly debit: string | null
  readonly credit: string | null
  readonly at: Date | null
}

/** The transfers in the books of these subjects. */
export function selectBooked(sql: Sql, subjects: readonly string[]): Promise<readonly BookedRow[]> {
  return sql<BookedRow[]>`
    select transfer.number, transfer.subject, transfer.step, transfer.kind, transfer.minor, transfer.cause,
           debit_account.mode || '/' || debit_account.name as debit,
           credit_account.mode || '/' || credit_account.name as credit, batch.at
      from transfer
      left join account as debit_account on debit_account.id = transfer.debit
      left join account as credit_account on credit_account.id = transfer.credit
      left join batch on batch.number = transfer.batch
     where transfer.subject = any (${list(subjects)}::uuid[])`
}

/** Returns which of these ids are ids of own transfers. Reads the whole table, so it is used only when a sum is wrong. */
export async function selectOwnTransfersAmong(
  sql: Sql,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from own_transfer where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

type TransferKey = { readonly merchantId: MerchantId; readonly id: string }

export type NotifiedTransferRow = Pick<
  OwnTransferRow,
  | 'merchantId'
  | 'id'
  | 'mode'
  | 'fromWalletId'
  | 'toWalletId'
  | 'amountMinor'
  | 'currency'
  | 'description'
  | 'metadata'
  | 'createdAt'
  | 'otherId'
  | 'grantId'
  | 'sourceId'
  | 'isMirror'
>

/** These own transfers, as their events show them. */
export function selectNotifiedTransfers(
  tx: Tx,
  keys: readonly TransferKey[],
): Promise<readonly NotifiedTransferRow[]> {
  return tx<NotifiedTransferRow[]>`
    select own.merchant_id as "merchantId", own.id, merchant.mode, own.from_wallet_id as "fromWalletId",
           own.to_wallet_id as "toWalletId", own.amount_minor as "amountMinor", own.currency, own.description, own.metadata,
           own.created_at as "createdAt", own.other_merchant_id as "otherId", own.grant_id as "grantId",
           own.source_id as "sourceId", own.is_mirror as "isMirror"
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join own_transfer as own on own.merchant_id = wanted.merchant_id and own.id = wanted.id
      left join merchant on merchant.id = own.merchant_id`
}

type TransferOwed = TransferKey & { readonly createdAt: Date; readonly isNotified: boolean }

/** The next page of own transfers, by key, with whether each has an event. */
export function selectTransfersOwed(
  sql: Sql,
  after: TransferKey | undefined,
  limit: number,
): Promise<readonly TransferOwed[]> {
  const minId = '00000000-0000-0000-0000-000000000000'
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<TransferOwed[]>`
    select merchant_id as "merchantId", id, created_at as "createdAt", is_notified as "isNotified"
      from own_transfer
     where (merchant_id, id) > (${merchantId}, ${id})
     order by merchant_id, id
     limit ${limit}`
}

/** The next page of merchants: how many of their own transfers have an event, and how many events of transfers they have. */
export function countTransferEvents(
  sql: Sql,
  after: MerchantId | undefined,
  limit: number,
): Promise<
  readonly { readonly merchantId: MerchantId; readonly transfers: bigint; readonly events: bigint }[]
> {
  return sql<{ merchantId: MerchantId; transfers: bigint; events: bigint }[]>`
    select merchant.id as "merchantId",
           (select count(*) from own_transfer where own_transfer.merchant_id = merchant.id and is_notified) as transfers,
           (select count(*) from event where event.merchant_id = merchant.id and event.type = 'transfer.completed') as events
      from merchant
     where merchant.id > ${after ?? '00000000-0000-0000-0000-000000000000'}
     order by merchant.id
     limit ${limit}`
}

/** The last transfer that the tally counted, and the last one of the books. */
export async function selectTallied(
  sql: Sql,
): Promise<{ readonly watermark: bigint; readonly head: bigint }> {
  const [row] = await sql<{ watermark: bigint; head: bigint }[]>`
    select tally_watermark.transfer as watermark, (select coalesce(max(head.transfer), 0) from head) as head
      from tally_watermark`
  return must(row, 'the tally has a watermark')
}

/** The sums of one kind on an account, of a mark or of the entries between two marks. */
export type Total = {
  readonly account: bigint
  readonly transfer: bigint
  readonly kind: string
  readonly count: bigint
  readonly inflow: bigint
  readonly outflow: bigint
}

type TotalRow = Omit<Total, 'inflow' | 'outflow'> & { readonly inflow: string; readonly outflow: string }

const totalOf = (row: TotalRow): Total => ({
  ...row,
  inflow: BigInt(row.inflow),
  outflow: BigInt(row.outflow),
})

/** The marks of these accounts at these transfers. */
export async function selectKeptMarks(tx: Tx, marks: readonly MarkKey[]): Promise<readonly Total[]> {
  const rows = await tx<TotalRow[]>`
    select account_id as account, transfer, kind, count, inflow::text, outflow::text
      from tally
     where (account_id, transfer) in (
       select unnest(${list(marks.map((each) => each.account))}::bigint[]),
              unnest(${list(marks.map((each) => each.transfer))}::bigint[]))`
  return rows.map(totalOf)
}

export type MarkKey = { readonly account: bigint; readonly transfer: bigint }

/** The next page of marks, by key, each with the transfer of the mark before it: zero when there is none. */
export function selectMarkKeys(
  tx: Tx,
  after: MarkKey | undefined,
  limit: number,
): Promise<readonly (MarkKey & { readonly before: bigint })[]> {
  const { account = -(2n ** 62n), transfer = 0n } = after ?? {}
  return tx<(MarkKey & { before: bigint })[]>`
    select page.account_id as account, page.transfer, coalesce(previous.transfer, 0) as before
      from (select distinct account_id, transfer from tally
             where (account_id, transfer) > (${account}, ${transfer})
             order by account_id, transfer limit ${limit}) as page
      left join lateral (
        select tally.transfer from tally
         where tally.account_id = page.account_id and tally.transfer < page.transfer
         order by tally.transfer desc limit 1
      ) as previous on true
     order by page.account_id, page.transfer`
}

/** The sums of the entries between each mark and the one before it, by kind. */
export async function selectSteps(
  tx: Tx,
  marks: readonly (MarkKey & { readonly before: bigint })[],
): Promise<readonly Total[]> {
  const rows = await tx<TotalRow[]>`
    select mark.account, mark.transfer, transfer.kind, count(*) as count,
           sum(greatest(entry.minor, 0))::text as inflow, sum(greatest(-entry.minor, 0))::text as outflow
      from ${rowsOf(tx, 'mark', marks, { account: 'bigint', before: 'bigint', transfer: 'bigint' })}
      join entry on entry.account_id = mark.account and entry.transfer > mark.before and entry.transfer <= mark.transfer
      join transfer on transfer.number = entry.transfer
     group by mark.account, mark.transfer, transfer.kind`
  return rows.map(totalOf)
}
