// The watcher follows one chain block by block. It writes signals into the inbox: which transfers came to our addresses, which
// left the chain with their block, and which are final. It trusts hashes only, never numbers: each block links to the one before,
// and its receipts must have the root that its header names.
import { haltText } from '#/coins/halt-reasons.ts'
import { hexOf } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { FencedOff } from '#/evm/fence.ts'
import { HistoryTooShort, readHeader, readOn } from '#/evm/read.ts'
import type { Block } from '#/evm/wire.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { findStart } from './begin.ts'
import {
  advance,
  beginAt,
  finalize,
  halt,
  releaseLease,
  renewLease,
  rewind,
  acquireLease,
  type Cursor,
  type CursorDeps,
} from './cursor.ts'
import { matchTransfers, scanFinal } from './scan.ts'
import { selectBlock } from './watch-queries.ts'

/** Well within the lease. */
const renewMs = 2 * secondMs
/** The pause after an error, before the next poll. */
const pauseMs = secondMs
/** The pause while a chain is halted: the watcher only logs the halt. */
const haltedPauseMs = 30 * secondMs
/** The number of blocks fetched at once. More would only wait for the client's connections. */
const readAhead = 16

/** Final history has changed. Nothing may be credited on such a chain. */
export class FinalityViolation extends Error {
  override name = 'FinalityViolation'
}

class Halted extends Error {}

export type WatcherDeps = CursorDeps & {
  readonly rpc: Rpc
  readonly log: Log
  readonly pollMs: number
  /** The number of blocks fetched at once while catching up. */
  readonly readAheadMax?: number
  readonly onSignals?: () => void
  /** Called at each poll with the number of blocks that the node has beyond the last one taken into account. */
  readonly onLag?: ((blocks: number) => void) | undefined
  /**
   * Called instead of halting when final history changed, and when the node's history is too short. The sandbox rebuilds a lost
   * chain here.
   */
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
              await renewLease(deps, cursor.fence)
              renewAt = monotonicMs() + renewMs
            }
            cursor = await step(deps, cursor)
          }
          if (cursor === before) await sleep(deps.pollMs, signal)
        } catch (error) {
          await recover(deps, cursor, error, signal)
          // The next round reads the state from the database again.
          cursor = undefined
        }
      }
      if (cursor !== undefined) await releaseLease(deps, cursor.fence).catch(() => {})
    },
  }
}

async function recover(
  deps: WatcherDeps,
  cursor: Cursor | undefined,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (error instanceof FencedOff) return
  const about = { chain: deps.chain.key, error: messageOf(error) }
  if (error instanceof FinalityViolation && deps.onViolation === undefined) {
    deps.log.error(about, 'final history changed: crypto is halted')
    if (cursor !== undefined) await halt(deps, cursor.fence, error.message).catch(() => {})
  } else if (
    error instanceof FinalityViolation ||
    (error instanceof HistoryTooShort && !error.isNearHead) ||
    error instanceof Halted
  ) {
    deps.log.error(about, 'the chain cannot be followed')
  } else {
    deps.log.warn(about, 'the watcher makes no progress')
  }
  if (cursor !== undefined) await releaseLease(deps, cursor.fence).catch(() => {})
  if (error instanceof FinalityViolation || error instanceof HistoryTooShort) {
    await deps.onViolation?.().catch((fault: unknown) => {
      deps.log.error({ chain: deps.chain.key, error: messageOf(fault) }, 'the chain cannot be rebuilt yet')
    })
  }
  await sleep(error instanceof Halted ? haltedPauseMs : pauseMs, signal)
}

/** Acquires the lease and finds the place to continue from; undefined while another watcher holds the lease. */
export async function begin(deps: WatcherDeps): Promise<Cursor | undefined> {
  const row = await acquireLease(deps)
  if (row === undefined) return undefined
  const { fence, number, hash, finalNumber, finalHash, halted } = row
  try {
    if (halted !== null) throw new Halted(`halted: ${halted}`)
    if (number === null || hash === null || finalNumber === null || finalHash === null) {
      return await beginAt(deps, fence, await findStart(deps))
    }
  } catch (error) {
    await releaseLease(deps, fence).catch(() => {})
    throw error
  }
  const final = { number: finalNumber, hash: hexOf(finalHash) }
  return { fence, tip: { number, hash: hexOf(hash) }, final }
}

/** One step: goes one block back after a fork, or reads on and finalizes what is final. Returns the same cursor if nothing changed. */
export async function step(deps: WatcherDeps, cursor: Cursor): Promise<Cursor> {
  const head = await readHeader(deps.rpc, 'latest')
  if (head === undefined) throw new Error('the node has no latest block')
  deps.onLag?.(Math.max(0, Number(head.number - cursor.tip.number)))
  if (head.number < cursor.tip.number) await checkFinal(deps, cursor)
  const next = await readOn(deps.rpc, cursor.tip, head, deps.readAheadMax ?? readAhead)
  if (next === 'forked') return goBack(deps, cursor)
  const blocks = await matchTransfers(deps, next)
  const advanced = await advance(deps, cursor, blocks)
  if (blocks.some((block) => block.sightings.length > 0)) deps.onSignals?.()
  return confirm(deps, advanced, head)
}

/**
 * Throws unless the node has our final block. Called for a node that seems to lag, or to have another history.
 * - Another block at our final height: the node follows another chain.
 * - No block there: where a lost chain is rebuilt, this means another chain too. Elsewhere it is an error, and the watcher tries
 *   again.
 */
async function checkFinal(deps: WatcherDeps, { final }: Cursor): Promise<void> {
  const theirs = await readHeader(deps.rpc, final.number)
  if (theirs?.hash === final.hash) return
  const text =
    theirs === undefined
      ? `block ${final.number} was final as ${final.hash} and is not there now`
      : haltText('finality_changed', { block: final.number, was: final.hash, now: theirs.hash })
  throw theirs === undefined && deps.onViolation === undefined ? new Error(text) : new FinalityViolation(text)
}

async function goBack(deps: WatcherDeps, cursor: Cursor): Promise<Cursor> {
  const { tip, final } = cursor
  if (tip.number <= final.number) {
    await checkFinal(deps, cursor)
    throw new Error(`the node has our final block ${final.number}, but its next block does not link to it`)
  }
  deps.log.info({ chain: deps.chain.key, number: Number(tip.number) }, 'a block left the chain')
  const back = await rewind(deps, cursor)
  deps.onSignals?.()
  return back
}

/**
 * Makes the blocks final that the node calls finalized and that have our own minimum of confirmations, after a second reading of
 * their logs.
 */
async function confirm(deps: WatcherDeps, cursor: Cursor, head: Block): Promise<Cursor> {
  const finalized = await readHeader(deps.rpc, 'finalized')
  if (finalized === undefined) return cursor
  const deepEnough = head.number - BigInt(deps.chain.confirmationsMin) + 1n
  const reach = cursor.final.number + BigInt(deps.readAheadMax ?? readAhead)
  const target = [finalized.number, deepEnough, cursor.tip.number, reach].reduce((a, b) => (a < b ? a : b))
  if (target <= cursor.final.number) return cursor
  const [ours, theirs] = await Promise.all([
    selectBlock(deps.sql, deps.chain.key, target),
    readHeader(deps.rpc, target),
  ])
  // A fork that is not rewound yet: the next step does that.
  if (ours === undefined || theirs === undefined || ours.hash !== theirs.hash) return cursor
  const found = await scanFinal(deps, cursor.final, ours)
  const next = await finalize(deps, cursor, ours, found)
  deps.onSignals?.()
  return next
}
