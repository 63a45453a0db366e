// Unexplained coins: one person proposes the owner, another confirms, and settlement credits the owner
// (settlement/credit-found-coins.ts). This file keeps the proposals.
import type { Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import * as queries from './found-coins-queries.ts'

/** A proposed owner of coins: `move` is the movement that brought them. */
export type Proposal = {
  readonly move: string
  readonly merchantId: MerchantId
  readonly by: string
  readonly note: string | undefined
}

/**
 * Proposes an owner; nothing moves. Replaces an unconfirmed proposal. Returns false when another person has
 * confirmed one already, or when the coins are not unexplained.
 */
export function proposeOwner(tx: Tx, proposal: Proposal, at: Date): Promise<boolean> {
  return queries.writeProposal(tx, proposal, at)
}

/** Where settlement reads proposals, and writes that one was confirmed. */
export const ownerProposals = { load: queries.selectProposals, save: queries.writeConfirmed }
