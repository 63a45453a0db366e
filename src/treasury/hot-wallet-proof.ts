// What proves by whom a nonce of ours was used. A node's index of receipts may lack one for a while, so its silence proves nothing: the
// watcher's own record of a movement does, and the block that used the nonce, whose receipts have the root that its header names.
import type { Hex } from 'viem'
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { readBlock, readHeader } from '#/evm/read.ts'
import { toBigint, toList, toQuantity, type TxReceipt } from '#/evm/wire.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { selectMovedIn } from './outgoing-queries.ts'
import type { TxAttempt } from './outgoing.ts'

/** A receipt of one of our attempts in a proven block. */
export type Found = {
  readonly attempt: TxAttempt
  readonly receipt: TxReceipt
  /** As the node sent it. */
  readonly sent: unknown
}

/**
 * - `found`: a proven block has our transaction.
 * - `ours`: the watcher saw our transaction, and the node does not show its block now.
 * - `foreign`: the proven block that used the nonce has none of our transactions.
 * - `unknown`: nothing is proven yet; `reason` says what is missing.
 */
export type NonceUse =
  | { readonly by: 'found'; readonly found: Found }
  | { readonly by: 'ours' | 'foreign' }
  | { readonly by: 'unknown'; readonly reason: string }

export type Used = {
  readonly chain: string
  readonly wallet: Address
  readonly nonce: bigint
  readonly attempts: readonly TxAttempt[]
  /** The final block, by which the nonce is used. */
  readonly final: bigint
}

/** Who used a nonce, as far as it is proven now. Rejects only when the node cannot be reached. */
export async function whoUsed(sql: Sql, rpc: Rpc, used: Used): Promise<NonceUse> {
  const hashes = used.attempts.map(({ hash }) => hash)
  const moved = hashes.length === 0 ? undefined : await selectMovedIn(sql, used.chain, hashes)
  try {
    if (moved !== undefined) {
      const found = await findIn(rpc, moved, used)
      return found === undefined || found === 'other' ? { by: 'ours' } : { by: 'found', found }
    }
    const number = await firstBlockAbove(rpc, used)
    const header = await readHeader(rpc, number)
    const found = header && (await findIn(rpc, header.hash, used))
    if (found === undefined) return { by: 'unknown', reason: `the node does not show block ${number}` }
    return found === 'other' ? { by: 'foreign' } : { by: 'found', found }
  } catch (error) {
    if (error instanceof ProviderError && error.outcome === 'unavailable') throw error
    return moved === undefined ? { by: 'unknown', reason: messageOf(error) } : { by: 'ours' }
  }
}

/** Our receipt in this block; `other` when the block is proven and has none, undefined when it cannot be read. */
async function findIn(rpc: Rpc, block: Hex, { attempts, final }: Used): Promise<Found | 'other' | undefined> {
  const proven = await readBlock(rpc, block)
  if (proven === undefined) return undefined
  const ours = new Map(attempts.map((attempt) => [attempt.hash, attempt]))
  const receipt = proven.receipts.find(({ txHash }) => ours.has(txHash))
  const attempt = receipt && ours.get(receipt.txHash)
  if (receipt === undefined || attempt === undefined) return 'other'
  if (proven.block.number > final) return undefined
  const all = toList(await rpc.call('eth_getBlockReceipts', [block]), 'receipts')
  const sent = all.find(
    (each) => (each as { readonly transactionHash?: unknown }).transactionHash === attempt.hash,
  )
  return sent === undefined ? undefined : { attempt, receipt, sent }
}

/** The block that used the nonce: the account has a higher one after it, and not before it. */
async function firstBlockAbove(rpc: Rpc, { wallet, nonce, final }: Used): Promise<bigint> {
  const isAbove = async (block: bigint) =>
    toBigint(await rpc.call('eth_getTransactionCount', [wallet, toQuantity(block)]), 'nonce') > nonce
  let above = final
  let below = final
  for (let back = 1n; ; back *= 2n) {
    below = final > back ? final - back : 0n
    if (!(await isAbove(below))) break
    above = below
    if (below === 0n) return 0n
  }
  while (above - below > 1n) {
    const middle = (above + below) / 2n
    if (await isAbove(middle)) above = middle
    else below = middle
  }
  return above
}
