// Reads blocks of a node, and accepts only proven ones: the block is the requested one, its header has its hash, and its receipts
// have the root that the header names.
import { verifyBlock, headerHash } from './block-proof.ts'
import type { Rpc } from './client.ts'
import type { Block, TxReceipt, BlockId } from './wire.ts'

/** The node does not have blocks that we still have to read. Nothing is skipped, so another node is needed. */
export class HistoryTooShort extends Error {
  override name = 'HistoryTooShort'
  /** The block is near the node's head: it may have it in a moment. */
  readonly isNearHead: boolean

  constructor(message: string, isNearHead = false) {
    super(message)
    this.isNearHead = isNearHead
  }
}

export type ProvenBlock = { readonly block: Block; readonly receipts: readonly TxReceipt[] }

/** Returns the block at a height or with a tag, or undefined when the node has none. Throws when the answer is false. */
export async function readHeader(rpc: Rpc, at: bigint | 'latest' | 'finalized'): Promise<Block | undefined> {
  const block = await rpc.getBlockByNumber(at)
  if (block === undefined) return undefined
  if (typeof at === 'bigint' && block.number !== at) {
    throw new Error(`the node returned block ${block.number} instead of ${at}`)
  }
  if (headerHash(block) !== block.hash) {
    throw new Error(`the node's block ${block.number} cannot be true: its header has another hash`)
  }
  return block
}

/** Returns a block and all of its receipts, by its hash, or undefined when the node does not have both. */
export async function readBlock(rpc: Rpc, hash: BlockId['hash']): Promise<ProvenBlock | undefined> {
  const block = await rpc.getBlockByHash(hash)
  if (block !== undefined && block.hash !== hash)
    throw new Error(`the node returned block ${block.hash} instead of ${hash}`)
  return block && readReceipts(rpc, block)
}

/**
 * Returns up to `count` blocks that follow `tip` and link to it. A head below `tip` proves nothing, because a node may lag. A fork
 * is shown only by another block at the height of `tip`, or by a next block that does not link to it.
 */
export async function readOn(
  rpc: Rpc,
  tip: BlockId,
  head: Block,
  count: number,
): Promise<readonly ProvenBlock[] | 'forked'> {
  if (head.hash === tip.hash) return []
  const first = tip.number + 1n
  if (head.number < first) {
    const same = await readHeader(rpc, tip.number)
    return same !== undefined && same.hash !== tip.hash ? 'forked' : []
  }
  const length = Math.min(Number(head.number - first) + 1, count)
  const found = await Promise.all(Array.from({ length }, (_, index) => readAt(rpc, first + BigInt(index))))
  if (found[0]?.block !== undefined && found[0].block.parentHash !== tip.hash) return 'forked'
  const linked = linkedTo(tip, found)
  if (linked.length === 0) await demandHistory(rpc, first)
  return linked
}

/** The node's answer for a height: nothing, a block without its receipts, or a proven block. */
type Found = { readonly block?: Block; readonly proven?: ProvenBlock }

async function readAt(rpc: Rpc, number: bigint): Promise<Found> {
  const block = await readHeader(rpc, number)
  if (block === undefined) return {}
  const proven = await readReceipts(rpc, block)
  return proven === undefined ? { block } : { block, proven }
}

async function readReceipts(rpc: Rpc, block: Block): Promise<ProvenBlock | undefined> {
  const receipts = block.txHashes.length === 0 ? [] : await rpc.getBlockReceipts(block.hash)
  if (receipts === undefined) return undefined
  const verdict = verifyBlock(block, receipts)
  if (!verdict.ok) throw new Error(`the node's block ${block.number} cannot be true: ${verdict.reason}`)
  return { block, receipts }
}

function linkedTo(tip: BlockId, found: readonly Found[]): readonly ProvenBlock[] {
  const linked: ProvenBlock[] = []
  let parent: BlockId = tip
  for (const { proven } of found) {
    if (proven === undefined || proven.block.parentHash !== parent.hash) break
    linked.push(proven)
    parent = proven.block
  }
  return linked
}

/** Within so many blocks of its head a node may have a block and not its receipts, or have the block a moment later: half a minute. */
const nearHead = 32n

/**
 * Throws HistoryTooShort when the node lacks history that we need. A chain that changed meanwhile is no error: it is read again.
 */
async function demandHistory(rpc: Rpc, first: bigint): Promise<void> {
  const again = await readAt(rpc, first)
  const head = await readHeader(rpc, 'latest')
  if (again.proven !== undefined || head === undefined || head.number < first) return
  const what = again.block === undefined ? `block ${first}` : `the receipts of block ${first}`
  if (head.number - first < nearHead)
    throw new HistoryTooShort(`the node has block ${head.number} but not ${what} yet`, true)
  throw new HistoryTooShort(
    `the node has block ${head.number} but not ${what}: its history is too short for us`,
  )
}
