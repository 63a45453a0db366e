// Withdrawals that a restore took back to an earlier state. While the restore is repaired, each may have left; those that a provider or the
// chain has listed since have left for sure. Nobody gets their money back by canceling them.
import type { Tx } from '#/db/client.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import { isRepairing } from '#/merchants/freeze-queries.ts'
import { selectLeftBefore } from './taken-back-queries.ts'

export type TakenBack = {
  /** A restore is being repaired: nobody knows yet which of them left. */
  readonly isRepairing: boolean
  readonly left: ReadonlySet<WithdrawalId>
}

/** What a restore took back among those that are to be canceled. */
export async function loadTakenBack(tx: Tx, ids: readonly WithdrawalId[]): Promise<TakenBack> {
  if (ids.length === 0) return { isRepairing: false, left: new Set() }
  const [repairing, left] = await Promise.all([isRepairing(tx), selectLeftBefore(tx, ids)])
  return { isRepairing: repairing, left }
}
