// Finds whose money a movement is: by the reference that it quotes, or, for a person to decide, by one that differs by a typo.
// Inspected by audit/rails/sepa-entries.ts.
import type { ConnectionId } from '#/kernel/id.ts'
import type { Tx } from '#/db/client.ts'
import type { Movement } from './camt.ts'
import { selectOurs } from './payout-queries.ts'
import { selectOwners, type ReferenceOwner } from './queries.ts'
import { candidatesIn, neighboursIn } from './reference.ts'

/**
 * - `PAID`: it quotes one reference of ours.
 * - `PROPOSED`: it quotes none, and exactly one of ours differs from what it quotes by a typo. A person decides.
 * - `UNATTRIBUTED`: it quotes none, or several; it waits in suspense.
 * - `SENT`, `RETURNED`: a payout of ours left, or came back.
 * - `OTHER`: any other money that left.
 */
export type Matched =
  | { readonly kind: 'PAID' | 'PROPOSED'; readonly owner: ReferenceOwner; readonly quoted: string }
  | { readonly kind: 'UNATTRIBUTED' | 'SENT' | 'RETURNED' | 'OTHER' }

/** Decides each of these movements, with three look-ups for all of them. */
export async function matchMovements(
  sql: Tx,
  connection: ConnectionId,
  movements: readonly Movement[],
): Promise<readonly Matched[]> {
  const named = movements.flatMap(({ endToEndId }) => endToEndId ?? [])
  const payouts = await selectOurs(sql, connection, named)
  const isPayout = ({ endToEndId = '' }: Movement) => payouts.has(endToEndId)
  const quoted = movements.map(quotedBy)
  const owners = await selectOwners(sql, connection, quoted.flat())
  const near = movements.map((each, at) =>
    each.isCredit && !isPayout(each) && quoted[at]?.some((reference) => owners.has(reference)) !== true
      ? nearTo(each)
      : [],
  )
  const nearOwners = await selectOwners(sql, connection, near.flat())
  return movements.map((movement, at): Matched => {
    const { isCredit } = movement
    if (isPayout(movement)) return { kind: isCredit ? 'RETURNED' : 'SENT' }
    if (!isCredit) return { kind: 'OTHER' }
    const exact = ownedOf(owners, quoted[at] ?? [])
    if (exact.length > 0) return only('PAID', exact)
    return only('PROPOSED', ownedOf(nearOwners, near[at] ?? []))
  })
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

function quotedBy(movement: Movement): readonly string[] {
  return [...new Set(textsOf(movement).flatMap(candidatesIn))]
}

function nearTo(movement: Movement): readonly string[] {
  return [...new Set(textsOf(movement).flatMap(neighboursIn))]
}

/** Some banks' forms have no field for a reference, so payers write it where the sender's own reference goes. */
function textsOf({ remittance, endToEndId }: Movement): readonly string[] {
  return endToEndId === undefined ? remittance : [...remittance, endToEndId]
}
