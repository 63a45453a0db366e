// All SQL of the issuance log, and of what it makes known again after a restore.
import type { Sql } from '#/db/client.ts'
import type { Books } from './line.ts'

/** Undefined: there is no merchant yet, and nothing that could be handed out. */
export async function selectBooks(sql: Sql): Promise<Books | undefined> {
  const [row] = await sql<Books[]>`
    select head.cell, merchant.id as first from head cross join merchant order by merchant.id limit 1`
  return row
}
