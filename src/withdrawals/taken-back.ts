// Withdrawals that a restore took back to an earlier state. Until money out is confirmed, each may have left; those that a provider or the
// chain has listed have left for sure. Nobody gets their money back by canceling them.
import type { Tx } from '#/db/client.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import { isMoneyOutUnknown } from '#/merchants/freeze-queries.ts'
import { selectDeparted } from './departed-queries.ts'

export type TakenBack = {
  /** A restore is being repaired, and nobody knows yet which of them left. */
  readonly isMoneyOutUnknown: boolean
  readonly departed: ReadonlySet<WithdrawalId>
}

/** What a restore took back among those that are to be canceled. */
export async function loadTakenBack(tx: Tx, ids: readonly WithdrawalId[]): Promise<TakenBack> {
  if (ids.length === 0) return { isMoneyOutUnknown: false, departed: new Set() }
  const [isUnknown, departed] = await Promise.all([isMoneyOutUnknown(tx), selectDeparted(tx, ids)])
  return { isMoneyOutUnknown: isUnknown, departed }
}
