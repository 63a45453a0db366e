// The SQL that all tables of durable work share: which rows are due, by the database's clock alone, in which order they are
// claimed, and which rows are made due earlier. No statement here waits for a locked row.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow, type IsDue } from '#/db/due.ts'
import type { Slots } from './slots.ts'

type Condition = (sql: Sql | Tx) => ReturnType<typeof dueNow>

/** A table whose rows have a `connection` and a `due_at`, with an index on both. */
export type DueTable = {
  readonly name: string
  /** The condition of that index, on a row `due`. Absent: the index has none. */
  readonly isListed?: Condition
  /** Whether a row `due` may be claimed at all, at any time. All such conditions belong here. */
  readonly isClaimable?: Condition
  /** The column that orders rows with the same time. */
  readonly tie?: string
  /** Columns that `chosen` returns as they were before the claim. */
  readonly carry?: readonly string[]
}

/**
 * A CTE `chosen` with the `ctid` of each row to claim, locked. It must follow `with recursive`.
 * - Each connection gets its oldest due rows, up to its free slots and to an equal share of all slots.
 * - The first row of every connection comes before the second row of any.
 * - Rows that another worker is claiming are skipped.
 * So it reads one row for each connection, and otherwise only rows that it claims.
 */
export function chosen(sql: Sql | Tx, table: DueTable, { total, each, byConnection }: Slots) {
  const { from, listed, line } = walk(sql, table)
  const open = table.isClaimable === undefined ? sql`true` : table.isClaimable(sql)
  const tie = table.tie === undefined ? sql`` : sql`, ${sql(`due.${table.tie}`)}`
  const carry = table.carry ?? []
  const carried = carry.length === 0 ? sql`` : sql`, ${sql(carry.map((column) => column))}`
  return sql`
    ${line}, own as (
      select unnest(${list(byConnection.map(({ connection }) => connection))}::text[]) as connection,
             unnest(${list(byConnection.map(({ slots }) => slots))}::integer[]) as slots
    ), turn as (
      select line.connection,
             least(coalesce(own.slots, ${each}::integer), ceil(${total}::numeric / count(*) over ())::integer) as slots
        from line
        left join own on own.connection = line.connection
    ), picked as (
      select pick.*, row_number() over (partition by turn.connection order by pick.due_at) as nth
        from turn
       cross join lateral (
         select due.ctid as row, due.due_at ${carried}
           from ${from}
          where due.connection = turn.connection and due.due_at <= ${dueNow(sql)}
             and ${listed} and ${open}
          order by due.due_at ${tie}
          limit turn.slots
            for update skip locked) as pick
    ), chosen as materialized (
      select row as ctid ${carried} from picked order by nth, due_at limit ${total}
    )`
}

/** Which of the conditions hold, all at one instant and in one statement. */
export async function selectDueNow(sql: Sql, conditions: readonly IsDue[]): Promise<readonly boolean[]> {
  const nameOf = (index: number) => `due${index}`
  const columns = conditions
    .map((isDue, index) => sql`(${isDue(sql)}) as ${sql(nameOf(index))}`)
    .reduce((all, each) => sql`${all}, ${each}`)
  const [row] = await sql<Record<string, boolean>[]>`select ${columns}`
  return conditions.map((_, index) => row?.[nameOf(index)] === true)
}

export function isEitherDue(conditions: readonly IsDue[]): IsDue {
  return (sql) =>
    conditions.map((isDue) => sql`(${isDue(sql)})`).reduce((all, each) => sql`${all} or ${each}`)
}

/**
 * Whether a row of the table is due: what `chosen` claims is always among them. It is a condition for the glance, and reads one row for each
 * connection. A row that is due and may not be claimed counts too, because to find out would read all such rows.
 */
export function someDue(table: DueTable): IsDue {
  return (sql) => {
    const { from, listed, line } = walk(sql, table)
    return sql`exists (
      with recursive ${line}
      select from line
       where exists (select from ${from}
                      where due.connection = line.connection and due.due_at <= ${dueNow(sql)} and ${listed}))`
  }
}

/** The CTE `line`: the connections that have rows, each found by one step along the index. */
function walk(sql: Sql | Tx, table: DueTable) {
  const from = sql`${sql(table.name)} as due`
  const listed = table.isListed === undefined ? sql`true` : table.isListed(sql)
  const line = sql`
    line as (
      (select due.connection from ${from} where ${listed} order by due.connection limit 1)
      union all
      select following.connection
        from line
       cross join lateral (
         select due.connection from ${from} where due.connection > line.connection and ${listed}
          order by due.connection limit 1) as following
    )`
  return { from, listed, line }
}

/**
 * Makes rows due now that are due later. `chosenRows` selects `due.ctid` of a table called `due`. A locked row is being
 * claimed, postponed or ended: it is skipped and keeps its time. Returns how many rows are due now.
 */
export async function hasten(
  sql: Sql | Tx,
  { name }: DueTable,
  chosenRows: ReturnType<typeof dueNow>,
): Promise<number> {
  const result = await sql`
    with idle as materialized (${chosenRows} for update of due skip locked)
    update ${sql(name)}
       set due_at = least(due_at, ${dueNow(sql)})
     where ctid = any (array(select ctid from idle))`
  return result.count
}
