// Whether this cell is one of a directory of cells, as its workers stored it.
import type { Sql, Tx } from '#/db/client.ts'

export async function selectIsInDirectory(sql: Sql | Tx): Promise<boolean> {
  const rows = await sql`select from in_directory`
  return rows.length === 1
}

export async function insertInDirectory(sql: Sql): Promise<void> {
  await sql`insert into in_directory default values on conflict do nothing`
}

export async function deleteInDirectory(sql: Sql): Promise<void> {
  await sql`delete from in_directory`
}
