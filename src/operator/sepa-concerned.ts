// The merchants whom a decision about a bank's movements concerns: interest.ts asks whether a person is a member of one.
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Concerned } from '#/rails/sepa/concerned.ts'
import { selectConnectionOwner } from './interest-queries.ts'
import { selectCreditedFrom, selectPossiblyTaken } from './sepa-queries.ts'

/**
 * Whose payments it changes, to whom money in suspense was credited, and, if nothing is named, who may have the money; and the merchant whose
 * own account it is.
 */
export async function merchantsConcerned(
  tx: Sql | Tx,
  connection: ConnectionId,
  { merchants, credits, unnamed }: Concerned,
): Promise<readonly MerchantId[]> {
  const credited = credits.length === 0 ? [] : await selectCreditedFrom(tx, connection, credits)
  const possible = unnamed === undefined ? [] : await selectPossiblyTaken(tx, connection, unnamed)
  const owner = await selectConnectionOwner(tx, connection)
  const all = [...merchants, ...credited, ...possible, ...(owner === null ? [] : [owner])]
  return [...new Set(all)].toSorted((a, b) => (a < b ? -1 : 1))
}
