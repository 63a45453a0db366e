// Statements on tables of a test's own rows, without the rules of the tables: so each condition of a statement gets the rows that only it tells apart.
import type { Sql, Tx } from '#/db/client.ts'

/** By table: its rows. Columns that a row does not name are null. */
export type BareRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** The transaction of a test's own rows. Statements of a pool run on it too; what begins a transaction of its own does not. */
export type RowsTx = Tx & Sql

/** Asks in a transaction in which these tables have these rows alone. `sql`: the owner's. All other tables are as in the database. */
export async function onRows<Answer>(
  sql: Sql,
  tables: BareRows,
  ask: (tx: RowsTx) => Promise<Answer>,
): Promise<Answer> {
  const { answer } = await sql.begin(async (tx) => {
    await tx`set local search_path = pg_temp, public`
    for (const [name, rows] of Object.entries(tables)) {
      await tx`create temp table ${tx(name)} on commit drop as table public.${tx(name)} with no data`
      await tx`
        insert into ${tx(name)}
        select * from json_populate_recordset(null::pg_temp.${tx(name)}, ${toText(rows)}::text::json)`
    }
    // A statement that was prepared before would go on reading the real table.
    await tx`discard plans`
    return { answer: await ask(tx as Tx as RowsTx) }
  })
  return answer
}

/** Each row once with each of these changes, and none as it is: the rows beside the one that a statement finds. */
export function beside(
  row: Readonly<Record<string, unknown>>,
  ...changes: readonly Readonly<Record<string, unknown>>[]
): readonly Readonly<Record<string, unknown>>[] {
  return changes.map((change) => ({ ...row, ...change }))
}

/** A UUID that contains its number. */
export function bareId(number: number): string {
  return `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`
}

function toText(rows: unknown): string {
  return JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
