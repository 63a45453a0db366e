// Finds the block where the watching of a chain begins. Earlier blocks are never read, so this block must not be later than the
// assignment of the first address.
import type { Rpc } from '#/evm/client.ts'
import { HistoryTooShort, readHeader } from '#/evm/read.ts'
import type { Block, BlockId } from '#/evm/wire.ts'
import { minOf, maxOf } from '#/kernel/money.ts'
import { addMs, minuteMs, unixSeconds } from '#/kernel/time.ts'
import type { CursorDeps } from './cursor.ts'
import { selectOldestDeposit } from './watch-queries.ts'

/** How far the clocks of block producers and of the database may differ. */
const clockMarginMs = 10 * minuteMs

/**
 * Returns the last final block, or an earlier one that is older than every deposit address: an API process offers CRYPTO as soon
 * as the chain is proven, and the first watcher may be started later.
 */
export async function findStart(deps: CursorDeps & { readonly rpc: Rpc }): Promise<BlockId> {
  const head = await readHeader(deps.rpc, 'latest')
  const finalized = await readHeader(deps.rpc, 'finalized')
  if (head === undefined || finalized === undefined) throw new Error('the node knows no final block')
  const deepEnough = head.number - BigInt(deps.chain.confirmationsMin) + 1n
  const newest = await blockAt(deps.rpc, maxOf(minOf(finalized.number, deepEnough), 0n))
  const oldest = await selectOldestDeposit(deps.sql, deps.chain.key)
  return oldest === undefined ? newest : lastBefore(deps.rpc, newest, addMs(oldest, -clockMarginMs))
}

/** Returns the last block up to `newest` that was made before `at`; the first block of the chain if there is none. */
async function lastBefore(rpc: Rpc, newest: Block, at: Date): Promise<Block> {
  if (unixSeconds(newest.timestamp) < at) return newest
  let before = await blockAt(rpc, 0n)
  let [low, high] = [0n, newest.number]
  while (high - low > 1n) {
    const middle = await blockAt(rpc, (low + high) / 2n)
    if (unixSeconds(middle.timestamp) < at) [low, before] = [middle.number, middle]
    else high = middle.number
  }
  return before
}

async function blockAt(rpc: Rpc, number: bigint): Promise<Block> {
  const block = await readHeader(rpc, number)
  if (block === undefined) throw new HistoryTooShort(`the node does not have block ${number}`)
  return block
}
