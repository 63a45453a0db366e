// The SQL of unexplained coins, for which one person proposes an owner and another confirms.
import { list, type Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

/** Proposes an owner; nothing moves. Replaces an unconfirmed proposal. Returns false when there is nothing to propose for. */
export async function writeProposal(
  sql: Tx,
  claim: {
    readonly move: string
    readonly merchantId: MerchantId
    readonly by: string
    readonly note: string | undefined
  },
  at: Date,
): Promise<boolean> {
  const result = await sql`
    insert into coin_claim (move, merchant_id, note, proposed_by, proposed_at)
    select id, ${claim.merchantId}, ${claim.note ?? null}, ${claim.by}, ${at}
      from coin_move where id = ${claim.move} and booked_as = 'FOUND'
        on conflict (move) do update
       set merchant_id = excluded.merchant_id, note = excluded.note, proposed_by = excluded.proposed_by,
           proposed_at = excluded.proposed_at
     where coin_claim.confirmed_at is null`
  return result.count === 1
}

/** A proposal with the coins that it is about. */
export type ProposalRow = {
  readonly move: string
  readonly mode: Mode
  readonly connection: ConnectionId
  /** Cents in suspense. */
  readonly minor: bigint
  readonly merchantId: MerchantId
  readonly proposedBy: string
  readonly confirmedBy: string | null
}

export function selectProposals(tx: Tx, moves: readonly string[]): Promise<readonly ProposalRow[]> {
  return tx<ProposalRow[]>`
    select claim.move, connection.mode, connection.id as connection, move.minor, claim.merchant_id as "merchantId",
           claim.proposed_by as "proposedBy", claim.confirmed_by as "confirmedBy"
      from coin_claim as claim
      join coin_move as move on move.id = claim.move and move.booked_as = 'FOUND'
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = move.chain
                     and connection.merchant_id is null
     where claim.move = any (${list(moves)}::uuid[])`
}

export async function writeConfirmed(
  tx: Tx,
  claims: readonly { readonly move: string; readonly walletId: WalletId; readonly by: string }[],
  at: Date,
): Promise<void> {
  await tx`
    update coin_claim set wallet_id = new.wallet_id, confirmed_by = new.confirmed_by, confirmed_at = ${at}
      from unnest(${list(claims.map((each) => each.move))}::uuid[], ${list(claims.map((each) => each.walletId))}::uuid[],
                  ${list(claims.map((each) => each.by))}::text[]) as new (move, wallet_id, confirmed_by)
     where coin_claim.move = new.move and coin_claim.confirmed_at is null`
}
