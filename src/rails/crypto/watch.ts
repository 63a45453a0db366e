// The watcher: follows one chain block by block and tells the inbox which transfers came to our addresses, which blocks
// left the chain again, and which transfers are final. It trusts no number, only hashes: each block links to the one
// before, and its receipts must have the root that its header names.
import type { Log } from '#/kernel/log.ts'
import { messageOf } from '#/kernel/error.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { hexOf } from './address.ts'
import { verifyBlock } from './block-proof.ts'
import type { Rpc } from './client.ts'
import {
  advance,
  beginAt,
  FencedOff,
  finalize,
  releaseLease,
  renewLease,
  rewind,
  takeLease,
  type BlockId,
  type Cursor,
  type CursorDeps,
  type ReadBlock,
} from './cursor.ts'
import { matchTransfers, scanFinal } from './scan.ts'
import { selectBlock, writeHalt } from './watch-queries.ts'
import type { Block, TxReceipt } from './wire.ts'

/** Well within the lease. */
const renewMs = 2_000

/** Final history is not what it was. Nothing may be credited on such a chain. */
export class FinalityViolation extends Error {}

export type WatcherDeps = CursorDeps & {
  readonly rpc: Rpc
  readonly log: Log
  readonly pollMs: number
  /** How many blocks are fetched at once when there is something to catch up with. */
  readonly readAheadMax?: number
  readonly onSignals?: () => void
  /** Instead of halting: the sandbox builds a lost chain anew. */
  readonly onViolation?: () => Promise<void>
}

export type Watcher = {
  /** Follows the chain until `signal` is aborted; stands by while another watcher holds the lease. */
  run(signal: AbortSignal): Promise<void>
}

export function createWatcher(deps: WatcherDeps): Watcher {
  return {
    async run(signal) {
      let cursor: Cursor | undefined
      let renewAt = 0
      while (!signal.aborted) {
        try {
          cursor ??= await begin(deps)
          const before = cursor
          if (cursor !== undefined) {
            if (monotonicMs() >= renewAt) {
              await renewLease(deps, cursor)
              renewAt = monotonicMs() + renewMs
            }
            cursor = await step(deps, cursor)
          }
          if (cursor === before) await sleep(deps.pollMs, signal)
        } catch (error) {
          cursor = await recover(deps, cursor, error, signal)
        }
      }
      if (cursor !== undefined) await releaseLease(deps, cursor).catch(() => {})
    },
  }
}

async function recover(deps: WatcherDeps, cursor: Cursor | undefined, error: unknown, signal: AbortSignal) {
  if (error instanceof FencedOff) return undefined
  if (error instanceof FinalityViolation) {
    if (deps.onViolation !== undefined) {
      await deps.onViolation().catch((fault: unknown) => deps.log.error({ error: messageOf(fault) }, 'the chain cannot be rebuilt yet'))
      await sleep(1_000, signal)
      return undefined
    }
    deps.log.error({ chain: deps.chain.key, error: error.message }, 'final history changed: crypto is halted')
    await writeHalt(deps.sql, deps.chain.key, error.message)
    return undefined
  }
  deps.log.warn({ chain: deps.chain.key, error: messageOf(error) }, 'the watcher makes no progress')
  await sleep(1_000, signal)
  // What the database holds is the truth; the lease is still ours or will be again.
  if (cursor !== undefined) await releaseLease(deps, cursor).catch(() => {})
  return undefined
}

/** Takes the lease and finds the place to go on from: on a new chain, its present final block. */
async function begin(deps: WatcherDeps): Promise<Cursor | undefined> {
  const row = await takeLease(deps)
  if (row === undefined) return undefined
  if (row.halted !== null) throw new Error(`halted: ${row.halted}`)
  const { fence, number, hash, finalNumber, finalHash } = row
  if (number !== null && hash !== null && finalNumber !== null && finalHash !== null) {
    const final = { number: finalNumber, hash: hexOf(finalHash) }
    return { fence, tip: { number, hash: hexOf(hash) }, final }
  }
  const start = await deps.rpc.getBlockByNumber('finalized')
  if (start === undefined) throw new Error('the node knows no final block')
  return beginAt(deps, fence, start)
}

/** One look at the chain: goes on, or one block back, and makes final what is. Answers the same cursor if nothing moved. */
export async function step(deps: WatcherDeps, cursor: Cursor): Promise<Cursor> {
  const head = await deps.rpc.getBlockByNumber('latest')
  if (head === undefined) throw new Error('the node has no latest block')
  const next = await readOn(deps, cursor, head)
  if (next === 'forked') return goBack(deps, cursor)
  const advanced = next.length > 0 ? await advance(deps, cursor, next) : cursor
  if (next.some((block) => block.sightings.length > 0)) deps.onSignals?.()
  return confirm(deps, advanced, head)
}

/**
 * The next blocks that link to ours and prove their receipts. A head below ours says nothing (a node may lag behind):
 * only another block at the height of ours, or one that does not link to it, shows a fork.
 */
async function readOn(deps: WatcherDeps, cursor: Cursor, head: Block): Promise<readonly ReadBlock[] | 'forked'> {
  const first = cursor.tip.number + 1n
  if (head.number < first) {
    const same = await deps.rpc.getBlockByNumber(cursor.tip.number)
    return same !== undefined && same.hash !== cursor.tip.hash ? 'forked' : []
  }
  const count = Math.min(Number(head.number - first) + 1, deps.readAheadMax ?? 16)
  const fetched = await Promise.all(Array.from({ length: count }, (_, index) => fetchBlock(deps, first + BigInt(index))))
  const linked: { block: Block; receipts: readonly TxReceipt[] }[] = []
  let parent: BlockId = cursor.tip
  for (const each of fetched) {
    if (each === undefined) break
    if (each.block.parentHash !== parent.hash) {
      if (linked.length === 0) return 'forked'
      break
    }
    const verdict = verifyBlock(each.block, each.receipts)
    if (!verdict.ok) throw new Error(`the node's block ${each.block.number} cannot be true: ${verdict.reason}`)
    linked.push(each)
    parent = each.block
  }
  if (linked.length === 0 && fetched[0] === undefined && head.number > first) {
    throw new Error(`the node has block ${head.number} but not ${first}: its history is too short for us`)
  }
  return matchTransfers(deps, linked)
}

/** A block with its receipts, asked for by its hash; undefined when it is not there, or not any more. */
async function fetchBlock(
  { rpc }: WatcherDeps,
  number: bigint,
): Promise<{ block: Block; receipts: readonly TxReceipt[] } | undefined> {
  const block = await rpc.getBlockByNumber(number)
  if (block === undefined) return undefined
  const receipts = block.txHashes.length === 0 ? [] : await rpc.getBlockReceipts(block.hash)
  return receipts && { block, receipts }
}

async function goBack(deps: WatcherDeps, cursor: Cursor): Promise<Cursor> {
  if (cursor.tip.number <= cursor.final.number) {
    throw new FinalityViolation(`block ${cursor.final.number} was final as ${cursor.final.hash} and is another now`)
  }
  deps.log.info({ chain: deps.chain.key, number: Number(cursor.tip.number) }, 'a block left the chain')
  const back = await rewind(deps, cursor)
  deps.onSignals?.()
  return back
}

/** Makes final what the node and our own depth both call final, after reading those blocks' logs a second time. */
async function confirm(deps: WatcherDeps, cursor: Cursor, head: Block): Promise<Cursor> {
  const finalized = await deps.rpc.getBlockByNumber('finalized')
  if (finalized === undefined) return cursor
  const deepEnough = head.number - BigInt(deps.chain.confirmationsMin) + 1n
  const reach = cursor.final.number + BigInt(deps.readAheadMax ?? 16)
  const target = [finalized.number, deepEnough, cursor.tip.number, reach].reduce((a, b) => (a < b ? a : b))
  if (target <= cursor.final.number) return cursor
  const [ours, theirs] = await Promise.all([
    selectBlock(deps.sql, deps.chain.key, target),
    deps.rpc.getBlockByNumber(target),
  ])
  // A fork that was not walked back yet: the next look will.
  if (ours === undefined || theirs === undefined || ours.hash !== theirs.hash) return cursor
  const found = await scanFinal(deps, cursor.final, ours)
  const next = await finalize(deps, cursor, ours, found)
  deps.onSignals?.()
  return next
}
