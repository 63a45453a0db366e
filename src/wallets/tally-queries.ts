// All SQL of the tally. The SQL of its inspection is in audit/wallets-queries.ts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'

/** The tally's watermark, and the last transfer of the books. */
export async function selectProgress(
  sql: Sql,
): Promise<{ readonly watermark: bigint; readonly head: bigint }> {
  const [row] = await sql<{ watermark: bigint; head: bigint }[]>`
    select transfer as watermark, (select coalesce(max(transfer), 0) from head) as head from tally_watermark`
  return must(row, 'the tally has a watermark')
}

/** Whether at least `span` transfers came after the watermark. */
export function isTallyDue(span: number): IsDue {
  return (sql) => sql`
    (select (select coalesce(max(transfer), 0) from head) - transfer >= ${span} from tally_watermark)`
}

/** An account, and the transfer of its last mark: zero when it has none. */
export type Marked = { readonly account: bigint; readonly mark: bigint }

/** Available accounts that these transfers moved and that have `every` entries or more since their last mark. */
export function selectDue(
  sql: Sql | Tx,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
  every: number,
): Promise<readonly Marked[]> {
  return sql<Marked[]>`
    select moved.account_id as account, coalesce(last.transfer, 0) as mark
      from (
        select debit as account_id from transfer where number > ${after} and number <= ${upTo}
        union
        select credit from transfer where number > ${after} and number <= ${upTo}
      ) as moved
      join account on account.id = moved.account_id and account.name like 'wallet:%:available'
      left join lateral (
        select tally.transfer from tally where tally.account_id = moved.account_id order by tally.transfer desc limit 1
      ) as last on true
     cross join lateral (
       select count(*) as entries
         from (select from entry
                where entry.account_id = moved.account_id and entry.transfer > coalesce(last.transfer, 0)
                  and entry.transfer <= ${upTo}
                limit ${every}) as few
     ) as since
     where since.entries >= ${every}
     order by moved.account_id`
}

export type Movement = {
  readonly account: bigint
  readonly transfer: bigint
  readonly kind: string
  /** Signed. */
  readonly minor: bigint
}

/** The entries of these accounts after their last marks, in the order of accounts and time. */
export function selectMovements(
  sql: Sql | Tx,
  accounts: readonly Marked[],
  upTo: bigint,
): Promise<readonly Movement[]> {
  return sql<Movement[]>`
    select entry.account_id as account, entry.transfer, transfer.kind, entry.minor
      from ${rowsOf(sql, 'own', accounts, { account: 'bigint', mark: 'bigint' })}
      join entry on entry.account_id = own.account and entry.transfer > own.mark and entry.transfer <= ${upTo}
      join transfer on transfer.number = entry.transfer
     order by entry.account_id, entry.transfer`
}

/** The sum of what ever moved on an account up to a transfer, of one kind. */
export type Total = {
  readonly account: bigint
  readonly transfer: bigint
  readonly kind: string
  readonly count: bigint
  readonly inflow: bigint
  readonly outflow: bigint
}

/** The content of these marks. */
export async function selectMarks(sql: Sql | Tx, marks: readonly Marked[]): Promise<readonly Total[]> {
  const rows = await sql<(Omit<Total, 'inflow' | 'outflow'> & { inflow: string; outflow: string })[]>`
    select tally.account_id as account, tally.transfer, tally.kind, tally.count, tally.inflow::text, tally.outflow::text
      from ${rowsOf(sql, 'wanted', marks, { account: 'bigint', mark: 'bigint' })}
      join tally on tally.account_id = wanted.account and tally.transfer = wanted.mark`
  return rows.map((row) => ({ ...row, inflow: BigInt(row.inflow), outflow: BigInt(row.outflow) }))
}

/** Moves the watermark and writes marks, all or nothing. Returns false when another worker has moved it meanwhile. */
export async function writeMarks(
  sql: Sql,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
  marks: readonly Total[],
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const moved = await tx`update tally_watermark set transfer = ${upTo} where transfer = ${after}`
    if (moved.count !== 1) return false
    await tx`
      insert into tally (account_id, transfer, kind, count, inflow, outflow)
      select unnest(${list(marks.map((each) => each.account))}::bigint[]), unnest(${list(marks.map((each) => each.transfer))}::bigint[]),
             unnest(${list(marks.map((each) => each.kind))}::text[]), unnest(${list(marks.map((each) => each.count))}::bigint[]),
             unnest(${list(marks.map((each) => each.inflow))}::numeric[]),
             unnest(${list(marks.map((each) => each.outflow))}::numeric[])`
    return true
  })
}
