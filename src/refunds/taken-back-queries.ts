// The SQL of refunds that a restore took back to an earlier state.
import { list, type Tx } from '#/db/client.ts'
import type { RefundId } from '#/kernel/id.ts'

/** Those of these refunds that had left before a restore took them back. */
export async function selectLeftBefore(tx: Tx, ids: readonly RefundId[]): Promise<ReadonlySet<RefundId>> {
  const rows = await tx<{ id: RefundId }[]>`
    select id from refund where id = any (${list(ids)}::uuid[]) and left_before_restore`
  return new Set(rows.map(({ id }) => id))
}
