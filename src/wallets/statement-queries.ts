// All SQL of the statement. An account's entries are stored together in the order of transfer numbers, so a page merges a few
// short ranges of one index.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
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

// All SQL of what wallets held at an instant and of what moved until then. Each query looks up an index and reads a few
// entries, however long the history is.

/** The database's clock, and the instant of the last batch. */
export async function selectClock(
  sql: Sql,
): Promise<{ readonly now: Date; readonly lastBatchAt: Date | null }> {
  const [row] = await sql<{ now: Date; lastBatchAt: Date | null }[]>`
    select date_trunc('milliseconds', clock_timestamp()) as now, (select max(at) from head) as "lastBatchAt"`
  return must(row, 'the clock answers')
}

/**
 * Resolves when a batch that is being written now is committed or abandoned. Waits for the turn, not for the head's row,
 * because a batch reads the clock after it has the turn.
 */
export async function awaitBatch(sql: Sql): Promise<void> {
  await sql`select from turn for share`
}

/**
 * Turns compilation off for the rest of the transaction: the planner expects far more entries between two marks than there
 * are, and compiling would take many times as long as reading them.
 */
export async function readFew(tx: Tx): Promise<void> {
  await tx`select set_config('jit', 'off', true)`
}

/** For each instant the number of the last transfer before it; for a future instant the last one of all. */
export async function selectPositions(tx: Tx, instants: readonly Date[]): Promise<readonly bigint[]> {
  const rows = await tx<{ number: bigint }[]>`
    select coalesce(first.transfer_from, head.transfer) as number
      from unnest(${list(instants)}::timestamptz[]) with ordinality as wanted (at, nth)
     cross join (select coalesce(max(transfer), 0) as transfer from head) as head
      left join lateral (
        select batch.transfer_from from batch where batch.at >= wanted.at order by batch.at, batch.number limit 1
      ) as first on true
     order by wanted.nth`
  return rows.map(({ number }) => number)
}

/** An account, and the name of the sum that it goes into. */
export type Summand = { readonly id: bigint; readonly sum: string }

type At = { readonly sum: string; readonly number: bigint }
export type BalanceAt = At & { readonly minor: bigint }

/** The balances after these transfers, added up. A sum of zero may be absent. */
export async function selectBalancesAt(
  tx: Tx,
  accounts: readonly Summand[],
  numbers: readonly bigint[],
): Promise<readonly BalanceAt[]> {
  const rows = await tx<(At & { minor: string })[]>`
    select own.sum, edge.number, sum(last.balance)::text as minor
      from ${rowsOf(tx, 'own', accounts, { id: 'bigint', sum: 'text' })}
     cross join unnest(${list(numbers)}::bigint[]) as edge (number)
     cross join lateral (
       select entry.balance from entry
        where entry.account_id = own.id and entry.transfer <= edge.number
        order by entry.transfer desc limit 1
     ) as last
     group by own.sum, edge.number`
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }))
}

export type FlowAt = At & {
  readonly kind: string
  readonly count: bigint
  readonly inflow: bigint
  readonly outflow: bigint
}

/**
 * All that ever moved up to these transfers, summed by kind: the last mark of each account before each transfer, plus the
 * entries after that mark. A sum of zero is absent.
 */
export async function selectFlowsAt(
  tx: Tx,
  accounts: readonly Summand[],
  numbers: readonly bigint[],
): Promise<readonly FlowAt[]> {
  const rows = await tx<(At & { kind: string; count: bigint; inflow: string; outflow: string })[]>`
    select own.sum, edge.number, flow.kind, sum(flow.count)::bigint as count, sum(flow.inflow)::text as inflow,
           sum(flow.outflow)::text as outflow
      from ${rowsOf(tx, 'own', accounts, { id: 'bigint', sum: 'text' })}
     cross join unnest(${list(numbers)}::bigint[]) as edge (number)
      left join lateral (
        select tally.transfer from tally
         where tally.account_id = own.id and tally.transfer <= edge.number
         order by tally.transfer desc limit 1
      ) as mark on true
     cross join lateral (
       select tally.kind, tally.count, tally.inflow, tally.outflow
         from tally
        where tally.account_id = own.id and tally.transfer = mark.transfer
       union all
       select (select transfer.kind from transfer where transfer.number = entry.transfer), 1, greatest(entry.minor, 0),
              greatest(-entry.minor, 0)
         from entry
        where entry.account_id = own.id and entry.transfer > coalesce(mark.transfer, 0) and entry.transfer <= edge.number
     ) as flow
     group by own.sum, edge.number, flow.kind`
  return rows.map((row) => ({ ...row, inflow: BigInt(row.inflow), outflow: BigInt(row.outflow) }))
}
