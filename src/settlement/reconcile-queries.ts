// The SQL of reconciliation: which pass (column `look`) is next and up to when each went, and what providers hold for us by the books.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'

/** Adds these connections to those that are reconciled, from now on; existing rows do not change. */
export async function insertPasses(
  sql: Sql,
  connections: readonly ConnectionId[],
  passes: readonly string[],
): Promise<void> {
  await sql`
    insert into reconciliation (connection, look, through, due_at)
    select connection, look, ${dueNow(sql)}, ${dueNow(sql)}
      from unnest(${list(connections)}::text[]) as connection, unnest(${list(passes)}::text[]) as look
        on conflict do nothing`
}

export type DuePass = {
  readonly connection: ConnectionId
  readonly pass: string
  readonly through: Date
  readonly claim: Claim
  /** By the database's clock. */
  readonly claimedAt: Date
}

type PassRow = Omit<DuePass, 'claim'> & { readonly takes: number }

/** Whether a pass of one of these connections is due, or one of them has no such pass yet. */
export function isPassDue(connections: readonly ConnectionId[], names: readonly string[]): IsDue {
  return (sql) => sql`exists (
    select from unnest(${list(connections)}::text[]) as given (connection)
     cross join unnest(${list(names)}::text[]) as wanted (look)
      left join reconciliation as pass on pass.connection = given.connection and pass.look = wanted.look
     where (pass.due_at is null or pass.due_at <= ${dueNow(sql)}) and ${isPolled(sql, 'given')})`
}

/** Whether the connection of this row is polled. One that was archived is polled for a while. */
function isPolled(sql: Sql | Tx, row: string) {
  return sql`not exists (
    select from connection as archived
     where archived.id = ${sql(row)}.connection and archived.polled_until <= ${dueNow(sql)})`
}

/** Claims due passes of these connections for `leaseMs`, except those that were archived and are no longer polled. */
export async function claimPasses(
  sql: Sql,
  connections: readonly ConnectionId[],
  slots: Slots,
  leaseMs: number,
): Promise<readonly DuePass[]> {
  const passes: DueTable = {
    name: 'reconciliation',
    isListed: (any) => any`due.connection = any (${list(connections)}::text[])`,
    isClaimable: (any) => isPolled(any, 'due'),
  }
  const rows = await sql<PassRow[]>`
    with recursive ${chosen(sql, passes, slots)}
    update reconciliation
       set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, takes = takes + 1
     where ctid = any (array(select ctid from chosen))
    returning connection, look as pass, through, takes, ${dueNow(sql)} as "claimedAt"`
  return rows.map(({ takes, ...row }) => {
    const { connection, pass } = row
    return { ...row, claim: { id: `${connection}/${pass}`, connection, number: takes } }
  })
}

/** Renews the lease of a pass that is still running, if no other worker has claimed it since. */
export async function renewPass(
  sql: Sql,
  { connection, pass, claim }: DuePass,
  leaseMs: number,
): Promise<void> {
  const leaseUntil = dueIn(sql, leaseMs)
  await sql`
    update reconciliation set due_at = ${leaseUntil}, lease_until = ${leaseUntil}
     where connection = ${connection} and look = ${pass} and takes = ${claim.number} and due_at < ${leaseUntil}`
}

/**
 * Ends a pass: everything before `through` was reconciled, and the pass is due again in `waitMs`. False when another worker has
 * claimed it since.
 */
export async function finishPass(
  sql: Sql,
  { connection, pass, claim }: DuePass,
  { through, waitMs }: { readonly through: Date; readonly waitMs: number },
): Promise<boolean> {
  const result = await sql`
    update reconciliation set through = ${through}, due_at = ${dueIn(sql, waitMs)}
     where connection = ${connection} and look = ${pass} and takes = ${claim.number}`
  return result.count === 1
}

export type BookedBalance = {
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly currency: Currency
  readonly minor: bigint
}

/** What providers hold for us by the books, for every connection that ever held something. */
export function selectBooked(sql: Sql): Promise<readonly BookedBalance[]> {
  return sql<BookedBalance[]>`
    select account.mode, split_part(account.name, ':', 2) as connection, account.currency, balance.minor
      from account
      join balance on balance.account_id = account.id
     where account.name like 'provider:%'
     order by account.mode, account.name`
}

export type UnderWay = {
  readonly connection: ConnectionId
  readonly currency: Currency
  readonly minor: bigint
  readonly count: number
}

/** Withdrawals and refunds that were sent or may have been, and whose end is not known, by connection. */
export function selectUnderWay(sql: Sql, connections: readonly ConnectionId[]): Promise<readonly UnderWay[]> {
  return sql<UnderWay[]>`
    select connection, currency, sum(amount_minor)::bigint as minor, count(*)::integer as count
      from (select connection, currency, amount_minor from withdrawal
             where status = 'PROCESSING' and connection = any (${list(connections)}::text[])
             union all
            select connection, currency, amount_minor from refund
             where status = 'PENDING' and connection = any (${list(connections)}::text[])) as leaving
     group by connection, currency`
}
