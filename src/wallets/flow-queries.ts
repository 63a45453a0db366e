// All SQL of what wallets held at an instant and of what moved until then. Each query looks up an index and reads a few
// entries, however long the history is.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'

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
