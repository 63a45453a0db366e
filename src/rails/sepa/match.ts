// Finds whose money a movement is: by the reference that it quotes, or, for a person to decide, by one that differs by a typo.
// Inspected by audit/rails/sepa-entries.ts.
import type { Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Matched } from './entry.ts'
import { matchWholeFiles } from './match-file.ts'
import type { Movement } from './movement.ts'
import { selectOurs, type OurPayout } from './payout-queries.ts'
import { selectOwners, type ReferenceOwner } from './queries.ts'
import { matchRecalls } from './recall.ts'
import { neighboursIn } from './reference.ts'
import { quotedIn, textsOf } from './texts.ts'

/** Decides each of these movements, with a few look-ups for all of them. Credits that debits take back are stored already. */
export async function matchMovements(
  sql: Tx,
  connection: ConnectionId,
  movements: readonly Movement[],
): Promise<readonly Matched[]> {
  const named = movements.flatMap(({ endToEndId }) => endToEndId ?? [])
  const payouts = await selectOurs(sql, connection, named)
  const payoutOf = (movement: Movement) => (isEuro(movement) ? ourPayout(payouts, movement) : undefined)
  const quoted = movements.map((each) => (isEuro(each) ? quotedIn(each) : []))
  const owners = await selectOwners(sql, connection, quoted.flat())
  const near = movements.map((each, at) =>
    each.isCredit &&
    isEuro(each) &&
    payoutOf(each) === undefined &&
    quoted[at]?.some((reference) => owners.has(reference)) !== true
      ? nearTo(each)
      : [],
  )
  const nearOwners = await selectOwners(sql, connection, near.flat())
  const recalls = await matchRecalls(
    sql,
    connection,
    movements.filter((each) => !each.isCredit && payoutOf(each) === undefined),
  )
  const files = await matchWholeFiles(
    sql,
    connection,
    movements.filter((each) => isEuro(each) && payoutOf(each) === undefined),
  )
  return movements.map((movement, at): Matched => {
    const { isCredit } = movement
    const payout = payoutOf(movement)
    if (payout !== undefined) return { kind: isCredit ? 'RETURNED' : 'SENT', payout }
    if (!isCredit) return files.get(movement) ?? recalls.get(movement) ?? { kind: 'OTHER' }
    const exact = ownedOf(owners, quoted[at] ?? [])
    if (exact.length > 0) return only('PAID', exact)
    return only('PROPOSED', ownedOf(nearOwners, near[at] ?? []))
  })
}

/** What we ask for and what we send is in EUR. Money in another currency is nobody's until a person decides. */
function isEuro({ currency }: Movement): boolean {
  return currency === 'EUR'
}

/**
 * A refund comes back once, and whole. If another credit names the refund, nobody knows whose money it is. A payout that is in no file of
 * ours was in one of a span that a restore lost, if its whole amount left.
 */
function ourPayout(
  payouts: ReadonlyMap<string, OurPayout>,
  { endToEndId = '', isCredit, minor }: Movement,
): OurPayout | undefined {
  const payout = payouts.get(endToEndId.toLowerCase())
  if (payout?.state === 'WAITING') return !isCredit && minor === payout.minor ? payout : undefined
  if (payout?.kind !== 'REFUND' || !isCredit) return payout
  return minor === payout.minor && payout.returnedMinor === 0n ? payout : undefined
}

type Owned = { readonly owner: ReferenceOwner; readonly quoted: string }

function ownedOf(
  owners: ReadonlyMap<string, ReferenceOwner>,
  references: readonly string[],
): readonly Owned[] {
  return references.flatMap((quoted) => {
    const owner = owners.get(quoted)
    return owner === undefined ? [] : [{ owner, quoted }]
  })
}

/** Two references in one transfer do not say how much is for each. */
function only(kind: 'PAID' | 'PROPOSED', owned: readonly Owned[]): Matched {
  const [first, ...more] = owned
  return first === undefined || more.length > 0 ? { kind: 'UNATTRIBUTED' } : { kind, ...first }
}

function nearTo(movement: Movement): readonly string[] {
  return [...new Set(textsOf(movement).flatMap(neighboursIn))]
}
