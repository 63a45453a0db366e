// All SQL of the statement. An account's entries are stored together in the order of transfer numbers, so a page merges a few
// short ranges of one index.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

export type Account = { readonly id: bigint; readonly name: string }

/** The accounts of these names. An account that was never used has no row. */
export function selectAccounts(
  sql: Sql | Tx,
  mode: Mode,
  names: readonly string[],
): Promise<readonly Account[]> {
  return sql<Account[]>`
    select id, name from account where mode = ${mode} and name = any (${list(names)}::text[])`
}

/** The payments that these refunds belong to. */
export function selectRefunded(
  sql: Sql | Tx,
  merchantId: MerchantId,
  refunds: readonly string[],
): Promise<readonly { readonly id: string; readonly paymentId: string }[]> {
  return sql<{ id: string; paymentId: string }[]>`
    select id, payment_id as "paymentId" from refund
     where merchant_id = ${merchantId} and id = any (${list(refunds)}::uuid[])`
}

/** The labels of the shares of these splits, for a side of them: the platform, or the recipient of the share. */
export function selectShareLabels(
  sql: Sql | Tx,
  merchantId: MerchantId,
  splits: readonly string[],
): Promise<readonly { readonly splitId: string; readonly ordinal: number; readonly label: string }[]> {
  return sql<{ splitId: string; ordinal: number; label: string }[]>`
    select split.id as "splitId", share.ordinal, share.label
      from payment_split as split
      join payment_share as share on share.merchant_id = split.merchant_id and share.payment_id = split.payment_id
     where split.id = any (${list(splits)}::uuid[]) and share.label is not null
       and ${merchantId} in (split.merchant_id, share.sub_account_id)`
}

/** Rows are in the order of transfer, then account. */
export type Position = { readonly transfer: bigint; readonly account: bigint }
export type Range = { readonly first: bigint; readonly before: Position }

/** The number of the transfer with this subject and step, if it moved this account. */
export async function selectTransfer(
  sql: Sql | Tx,
  subject: string,
  step: string,
  account: bigint,
): Promise<bigint | undefined> {
  const [row] = await sql<{ number: bigint }[]>`
    select number from transfer
     where subject = ${subject} and step = ${step} and ${account} in (debit, credit)`
  return row?.number
}

export type Row = {
  readonly transfer: bigint
  readonly account: bigint
  readonly name: string
  /** Signed: the change of the balance. */
  readonly minor: bigint
  readonly balance: bigint
  readonly subject: string
  readonly step: string
  readonly kind: string
  readonly at: Date
}

/** The newest rows of these accounts before a position and after a transfer. At most `limit` rows of each account. */
export function selectRows(
  sql: Sql | Tx,
  accounts: readonly Account[],
  { first, before }: Range,
  limit: number,
): Promise<readonly Row[]> {
  return sql<Row[]>`
    select page.transfer, page.account, page.name, page.minor, page.balance, transfer.subject, transfer.step,
           transfer.kind, batch.at
      from (
        select own.id as account, own.name, moved.transfer, moved.minor, moved.balance
          from ${rowsOf(sql, 'own', accounts, { id: 'bigint', name: 'text' })}
         cross join lateral (
           select entry.transfer, entry.minor, entry.balance
             from entry
            where entry.account_id = own.id and entry.transfer > ${first}
              and entry.transfer < ${before.transfer}::bigint + (own.id < ${before.account})::integer
            order by entry.transfer desc
            limit ${limit}
         ) as moved
         order by moved.transfer desc, own.id desc
         limit ${limit}
      ) as page
      join transfer on transfer.number = page.transfer
      join batch on batch.number = transfer.batch
     order by page.transfer desc, page.account desc`
}
