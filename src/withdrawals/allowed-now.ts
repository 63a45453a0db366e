// What the gate decides now, for withdrawals that were accepted before. Since then money may have been frozen, a limit lowered, or a
// destination removed from the list. Read under the lane's lock, when a withdrawal is approved and each time before it is sent.
import type { Tx } from '#/db/client.ts'
import { loadFacts } from '#/money-out/facts.ts'
import { mayLeave, type GateVerdict } from '#/money-out/gate.ts'
import { outgoingOf } from './accept.ts'
import type { PlaceOut } from './own-destinations.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Whether a withdrawal may leave now, as a part of its own day. */
export type AllowedNow = (withdrawal: Withdrawal) => GateVerdict

/** Loads what the gate has to know about these withdrawals. */
export async function loadAllowedNow(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<AllowedNow> {
  const facts = await loadFacts(tx, withdrawals.map(outgoingOf))
  const moment = { spentMinor: (key: string) => facts.spent.get(key) ?? 0n, isCounted: true }
  return (withdrawal) => mayLeave(facts, outgoingOf(withdrawal), moment)
}

/** Where it is to go. */
export function placeOf({ type, destination }: Pick<Withdrawal, 'type' | 'destination'>): PlaceOut {
  return { type, destination: destination.text }
}
