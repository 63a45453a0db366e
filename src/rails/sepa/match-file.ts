// One debit for a whole file of payments: some banks book so although we ask for single debits. It ends the payouts of the file only
// if its sum and its number are those of the file. Inspected by audit/rails/sepa-entries.ts.
import type { Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Matched } from './entry.ts'
import type { Movement } from './movement.ts'
import { selectOfFiles } from './payout-queries.ts'

/** Decides those of these debits that name a file of ours. The others are absent. */
export async function matchWholeFiles(
  tx: Tx,
  connection: ConnectionId,
  debits: readonly Movement[],
): Promise<ReadonlyMap<Movement, Matched>> {
  const named = debits.filter(({ isCredit, ofFile }) => !isCredit && ofFile !== undefined)
  const matched = new Map<Movement, Matched>()
  const idsOf = ({ ofFile }: Movement) => (ofFile?.ids ?? []).map((id) => id.toLowerCase())
  const payouts = await selectOfFiles(tx, connection, [...new Set(named.flatMap(idsOf))])
  // A file is debited once, also when two entries of one report name it.
  const taken = new Set<string>()
  for (const debit of named) {
    const ids = idsOf(debit)
    const ofFile = payouts.filter(({ messageId }) => ids.includes(messageId))
    const [first] = ofFile
    if (first === undefined) continue
    // What the bank refused before is not in the debit.
    const remaining = ofFile.filter(({ state }) => state !== 'REFUSED')
    const isFile =
      remaining.length > 0 &&
      remaining.every(({ state }) => state === 'BATCHED') &&
      debit.ofFile?.count.replace(/^0+/, '') === String(remaining.length) &&
      remaining.reduce((sum, { minor }) => sum + minor, 0n) === debit.minor &&
      !taken.has(first.messageId)
    taken.add(first.messageId)
    matched.set(debit, isFile ? { kind: 'SENT', payouts: remaining } : { kind: 'HELD', like: undefined })
  }
  return matched
}
