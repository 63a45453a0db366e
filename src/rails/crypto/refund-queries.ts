// The SQL of refunds on a chain: the senders of deposits, and the refunds that a transaction of ours may still pay.
import type { Hex } from 'viem'
import { list, type Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { RefundId } from '#/kernel/id.ts'

/** One final transfer to us, with its position among those of its transaction, under the name of its receipt. */
export type NamedTransfer = {
  readonly chain: string
  readonly txHash: Hex
  readonly ordinal: number
  readonly paidRef: string
}

/** Returns the senders of these transfers, by name. Transfers that are not recorded as final are left out. */
export async function selectSenders(
  tx: Tx,
  transfers: readonly NamedTransfer[],
): Promise<ReadonlyMap<string, Address>> {
  if (transfers.length === 0) return new Map()
  const rows = await tx<{ paidRef: string; sender: Buffer }[]>`
    select wanted.paid_ref as "paidRef", transfer.sender
      from unnest(${list(transfers.map((each) => each.chain))}::text[],
                  ${list(transfers.map((each) => bytesOf(each.txHash)))}::text[]::bytea[],
                  ${list(transfers.map((each) => each.ordinal))}::integer[],
                  ${list(transfers.map((each) => each.paidRef))}::text[]) as wanted (chain, tx_hash, ordinal, paid_ref)
      join chain_transfer as transfer using (chain, tx_hash, ordinal)
     where transfer.state = 'FINAL'`
  return new Map(rows.map(({ paidRef, sender }) => [paidRef, hexOf(sender)]))
}

/** Returns those of these refunds that have a transaction which paid them or may still do. */
export async function selectUnfailedPayouts(
  tx: Tx,
  refunds: readonly RefundId[],
): Promise<readonly RefundId[]> {
  const rows = await tx<{ id: RefundId }[]>`
    select subject as id from chain_tx
     where subject = any (${list(refunds)}::uuid[]) and purpose = 'PAYOUT' and state <> 'FAILED'`
  return rows.map(({ id }) => id)
}
