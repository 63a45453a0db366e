// The SQL of withdrawals whose money had left, and that a restore lost or took back to an earlier state.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { WithdrawalId } from '#/kernel/id.ts'

/** Those of these withdrawals that had left before a restore took them back. */
export async function selectDeparted(
  tx: Tx,
  ids: readonly WithdrawalId[],
): Promise<ReadonlySet<WithdrawalId>> {
  const rows = await tx<{ id: WithdrawalId }[]>`
    select id from withdrawal where id = any (${list(ids)}::uuid[]) and left_before_restore`
  return new Set(rows.map(({ id }) => id))
}

/** Returns those of the references, at any provider, under which money of a lost withdrawal has left. */
export async function selectDepartedReferences(
  sql: Sql | Tx,
  references: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ reference: string }[]>`
    select reference from unrecorded where reference = any (${list(references)}::text[]) and kind = 'WITHDRAWAL'`
  return rows.map(({ reference }) => reference)
}
