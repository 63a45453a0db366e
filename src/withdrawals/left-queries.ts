// The SQL of withdrawals that a restore lost, and whose money had left (settlement/unrecorded.ts).
import { list, type Sql, type Tx } from '#/db/client.ts'

/** Returns those of the references, at any provider, under which money of a lost withdrawal has left. */
export async function selectLeftReferences(
  sql: Sql | Tx,
  references: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ reference: string }[]>`
    select reference from unrecorded where reference = any (${list(references)}::text[]) and kind = 'WITHDRAWAL'`
  return rows.map(({ reference }) => reference)
}
