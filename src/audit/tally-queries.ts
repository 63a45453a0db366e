// The SQL of the inspection of the tally: its marks as they are kept, and the entries that they must sum up.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'

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
