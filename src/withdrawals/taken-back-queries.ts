// The SQL of withdrawals that a restore took back to an earlier state.
import { list, type Tx } from '#/db/client.ts'
import type { WithdrawalId } from '#/kernel/id.ts'

/** Those of these withdrawals that had left before a restore took them back. */
export async function selectLeftBefore(
  tx: Tx,
  ids: readonly WithdrawalId[],
): Promise<ReadonlySet<WithdrawalId>> {
  const rows = await tx<{ id: WithdrawalId }[]>`
    select id from withdrawal where id = any (${list(ids)}::uuid[]) and left_before_restore`
  return new Set(rows.map(({ id }) => id))
}
