// Which of a test's own rows a statement changes.
import type { Sql } from '#/db/client.ts'
import { onRows, type BareRows, type RowsTx } from './bare-rows.ts'

/** Changes `table` on these rows, and returns the places of those of its rows that are not as they were. All rows of it differ. */
export function changedBy(
  sql: Sql,
  tables: BareRows,
  table: string,
  change: (tx: RowsTx) => Promise<unknown>,
): Promise<readonly number[]> {
  return onRows(sql, tables, async (tx) => {
    const texts = async () => (await tx`select each::text as text from ${tx(table)} as each`).map(textOf)
    const were = await texts()
    await change(tx)
    const are = new Set(await texts())
    return were.flatMap((text, at) => (are.has(text) ? [] : [at]))
  })
}

function textOf({ text }: { readonly text?: unknown }): string {
  return String(text)
}
