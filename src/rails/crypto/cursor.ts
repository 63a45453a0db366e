// The watcher's cursor in the database. Every move is a compare-and-set under the watcher's fence: a watcher that lost its lease
// cannot move anything.
import type { Hex } from 'viem'
import type { Chain } from '#/coins/chain.ts'
import { deleteMoves, finalizeMoves, insertMoves, type DetectedMove } from '#/coins/queries.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { FencedOff } from '#/evm/fence.ts'
import type { BlockId } from '#/evm/wire.ts'
import { invariant, must } from '#/kernel/check.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { DepositOwner, KeepSignals, Sighting, TransferSignal, Stray } from './signal.ts'
import * as queries from './watch-queries.ts'

/** A watcher that does not renew its lease for this long counts as gone. */
export const leaseMs = 5_000

export type Cursor = {
  readonly fence: bigint
  /** The last block that was processed. */
  readonly tip: BlockId
  /** The last block whose transfers are money. */
  readonly final: BlockId
}

/** A block ready to be processed, with the token's transfers to our addresses, and those from or to our own places. */
export type ReadBlock = BlockId & {
  readonly parentHash: Hex
  readonly sightings: readonly (Sighting & { readonly owner: DepositOwner })[]
  readonly moves: readonly DetectedMove[]
}

export type CursorDeps = {
  readonly sql: Sql
  readonly chain: Chain
  readonly clock: Clock
  readonly keep: KeepSignals<Tx>
}

/** What the treasury does when another chain replaces a lost one. app/core.ts passes it in, because a rail does not import the treasury. */
export type TreasuryOnNewChain = {
  /** Returns the wallets that send. */
  sendingWallets(sql: Sql, chain: string): Promise<readonly { readonly address: Address }[]>
  /** Sets the wallets' gas and nonces. Returns the amount of the token that belongs at each of our own places. */
  restoreWallets(
    sql: Sql,
    rpc: Rpc,
    order: { readonly chain: string; readonly log: Log },
  ): Promise<readonly { readonly address: Address; readonly units: bigint }[]>
  /** Forgets what had ended on the old chain, in the transaction that adopts the new one. */
  forgetEnded(tx: Tx, chain: string, at: Date): Promise<void>
}

/** Acquires the lease if it is free; undefined if it is not. The previous watcher is fenced off. */
export async function acquireLease(deps: CursorDeps): Promise<queries.CursorRow | undefined> {
  return queries.acquireLease(deps.sql, deps.chain.key, leaseMs)
}

/** Acquires the lease even if another watcher holds it: for the rebuild, which knows that the chain was replaced. Returns the fence. */
export async function seizeLease(deps: CursorDeps): Promise<bigint> {
  return queries.seizeLease(deps.sql, deps.chain.key, leaseMs)
}

/** Keeps the lease while the chain stands still, and throws FencedOff when another watcher holds it. */
export async function renewLease(deps: CursorDeps, fence: bigint): Promise<void> {
  const renewed = await queries.renewLease(deps.sql, deps.chain.key, fence, leaseMs)
  if (renewed !== 1) throw new FencedOff(`another watcher follows ${deps.chain.key}`)
}

export async function releaseLease(deps: CursorDeps, fence: bigint): Promise<void> {
  await queries.releaseLease(deps.sql, deps.chain.key, fence)
}

/** Stops crediting on this chain until a person has checked it. */
export async function halt(deps: CursorDeps, fence: bigint, reason: string): Promise<void> {
  await queries.writeHalt(deps.sql, deps.chain.key, fence, reason)
}

/** Begins at a final block. The watcher never reads earlier ones. */
export async function beginAt(deps: CursorDeps, fence: bigint, start: BlockId): Promise<Cursor> {
  await deps.sql.begin(async (tx) => {
    await queries.insertBlocks(tx, deps.chain.key, [{ ...start, parentHash: start.hash }])
    await moveTip(tx, deps, fence, start)
    await queries.writeFinal(tx, deps.chain.key, start)
  })
  return { fence, tip: start, final: start }
}

/**
 * Begins again on a chain that replaces a lost one; for the sandbox only. Transfers that were not final on the old chain are gone.
 * The caller has seized the lease, which this releases.
 */
export async function adoptChain(
  deps: CursorDeps & { readonly treasury: Pick<TreasuryOnNewChain, 'forgetEnded'> },
  fence: bigint,
  start: BlockId,
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    await moveTip(tx, deps, fence, start)
    await deleteMoves(tx, deps.chain.key)
    await deps.treasury.forgetEnded(tx, deps.chain.key, deps.clock.now())
    const orphans = await queries.orphanAll(tx, deps.chain.key)
    if (orphans.length > 0) {
      const signals = orphans.map((each) => signalOf(deps, 'orphaned', each, each.occurrence))
      await deps.keep(tx, deps.chain.connection, signals, deps.clock.now())
    }
    await queries.deleteAllBlocks(tx, deps.chain.key)
    await queries.insertBlocks(tx, deps.chain.key, [{ ...start, parentHash: start.hash }])
    await queries.writeFinal(tx, deps.chain.key, start)
    await queries.endGeneration(tx, deps.chain.key)
  })
}

/** Writes blocks, their sightings, the signals for the inbox, and the cursor in one transaction. */
export async function advance(
  deps: CursorDeps,
  cursor: Cursor,
  blocks: readonly ReadBlock[],
): Promise<Cursor> {
  const tip = blocks.at(-1)
  if (tip === undefined) return cursor
  const next = { number: tip.number, hash: tip.hash }
  await deps.sql.begin(async (tx) => {
    await moveTip(tx, deps, cursor.fence, next)
    await queries.insertBlocks(tx, deps.chain.key, blocks)
    const moves = blocks.flatMap((block) => block.moves)
    if (moves.length > 0) await insertMoves(tx, deps.chain.key, moves)
    const sightings = blocks.flatMap((block) => block.sightings)
    for (let from = 0; from < sightings.length; from += atOnce)
      await addSightings(tx, deps, sightings.slice(from, from + atOnce))
  })
  return { ...cursor, tip: next }
}

/**
 * One block may contain tens of thousands of transfers to us. They are written in parts of this size, so that only one part is in
 * memory at a time.
 */
const atOnce = 500

async function addSightings(
  tx: Tx,
  deps: CursorDeps,
  sightings: readonly (Sighting & { readonly owner: DepositOwner })[],
): Promise<void> {
  const occurrences = await queries.insertSightings(tx, deps.chain.key, sightings)
  const signals = sightings.map((each) => {
    const occurrence = must(
      occurrences.get(sightingKey(each)),
      'a transfer in a new block was not recorded before',
    )
    return signalOf(deps, 'seen', each, occurrence)
  })
  await deps.keep(tx, deps.chain.connection, signals, deps.clock.now())
}

/** Leaves the last block, which is not in the chain any more. Its transfers are orphaned until a block contains them again. */
export async function rewind(deps: CursorDeps, cursor: Cursor): Promise<Cursor> {
  invariant(cursor.tip.number > cursor.final.number, 'a final block cannot be left')
  let parent: BlockId | undefined
  await deps.sql.begin(async (tx) => {
    parent = await queries.selectBlock(tx, deps.chain.key, cursor.tip.number - 1n)
    invariant(parent !== undefined, 'every block down to the final one is kept')
    await moveTip(tx, deps, cursor.fence, parent)
    await queries.deleteBlock(tx, deps.chain.key, cursor.tip.number)
    await deleteMoves(tx, deps.chain.key, cursor.tip.hash)
    const orphans = await queries.orphanSightings(tx, deps.chain.key, cursor.tip)
    if (orphans.length > 0) {
      const signals = orphans.map((each) => signalOf(deps, 'orphaned', each, each.occurrence))
      await deps.keep(tx, deps.chain.connection, signals, deps.clock.now())
    }
  })
  return { ...cursor, tip: parent ?? cursor.tip }
}

/** Makes every transfer up to `final` money, once, and writes their signals. */
export async function finalize(
  deps: CursorDeps,
  cursor: Cursor,
  final: BlockId,
  found: {
    readonly missed: readonly (Sighting & { readonly owner: DepositOwner })[]
    readonly strays: readonly Stray[]
  },
): Promise<Cursor> {
  await deps.sql.begin(async (tx) => {
    await moveTip(tx, deps, cursor.fence, cursor.tip)
    if (found.missed.length > 0) await queries.insertSightings(tx, deps.chain.key, found.missed)
    const repeated = await queries.orphanRepeated(tx, deps.chain.key, final.number)
    const gone = repeated.map((each) => signalOf(deps, 'orphaned', each, each.occurrence))
    if (gone.length > 0) await deps.keep(tx, deps.chain.connection, gone, deps.clock.now())
    for (let more = true; more;) {
      const paid = await queries.finalizeSightings(tx, deps.chain.key, final.number, atOnce)
      more = paid.length === atOnce
      const signals = paid.map((each) => signalOf(deps, 'paid', each, each.occurrence))
      if (signals.length > 0) await deps.keep(tx, deps.chain.connection, signals, deps.clock.now())
    }
    if (found.strays.length > 0) await queries.countStrays(tx, deps.chain.key, found.strays, deps.clock.now())
    await finalizeMoves(tx, deps.chain.key, final.number)
    await queries.writeFinal(tx, deps.chain.key, final)
    await queries.deleteBlocksBelow(tx, deps.chain.key, final.number)
  })
  return { ...cursor, final }
}

async function moveTip(tx: Tx, deps: CursorDeps, fence: bigint, tip: BlockId): Promise<void> {
  const moved = await queries.moveTip(tx, deps.chain.key, { fence, tip, leaseMs })
  if (moved !== 1) throw new FencedOff(`another watcher follows ${deps.chain.key}`)
}

function sightingKey({ blockHash, logIndex }: Pick<Sighting, 'blockHash' | 'logIndex'>): string {
  return `${blockHash}:${logIndex}`
}

function signalOf(
  { chain }: CursorDeps,
  outcome: TransferSignal['outcome'],
  sighting: Sighting & { readonly owner: DepositOwner },
  occurrence: number,
): TransferSignal {
  const { owner, blockHash, blockAt, logIndex, txHash, ordinal, address, value, log } = sighting
  return {
    chain: chain.key,
    outcome,
    occurrence,
    merchantId: owner.merchantId,
    paymentId: owner.paymentId,
    attemptId: owner.attemptId,
    ...(owner.isLost ? { isLost: true as const } : {}),
    blockHash,
    blockAt: blockAt.toISOString(),
    logIndex,
    txHash,
    ordinal,
    address,
    value: value.toString(),
    log,
  }
}
