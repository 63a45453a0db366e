// Coins that came and that nothing explains: one person says whose they are, another agrees, and settlement credits them
// (settlement/credit-found-coins.ts). Here is kept who said what.
import type { Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import * as queries from './found-coins-queries.ts'

/** What one person says of coins: `move` is the movement that brought them. */
export type Proposal = {
  readonly move: string
  readonly merchantId: MerchantId
  readonly by: string
  readonly note: string | undefined
}

/**
 * Says whose coins these are; nothing moves. A proposal that nobody has agreed to is replaced. Answers false when somebody has
 * agreed already, or when these are no coins that nothing explains.
 */
export function proposeOwner(tx: Tx, proposal: Proposal, at: Date): Promise<boolean> {
  return queries.writeProposal(tx, proposal, at)
}

/** Where settlement finds proposals, and writes that somebody agreed. */
export const ownerProposals = { load: queries.selectProposals, save: queries.writeConfirmed }
