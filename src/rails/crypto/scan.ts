// Decides which transfers of a block are ours, by the token, the topics and the receiving address alone. The sender and the form of
// the call do not matter, so payments from exchanges, contracts and batches are found like any other.
import { mainToken, type Chain } from '#/coins/chain.ts'
import type { Token } from '#/coins/networks.ts'
import { selectPlaceAddresses, type DetectedMove } from '#/coins/queries.ts'
import { toBookUnits } from '#/coins/units.ts'
import type { Rpc } from '#/evm/client.ts'
import { readBlock, type ProvenBlock } from '#/evm/read.ts'
import { decodeTransfer, transferTopic, type Log, type TokenTransfer, type BlockId } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import type { Log as Logger } from '#/kernel/log.ts'
import { unixSeconds } from '#/kernel/time.ts'
import type { CursorDeps, ReadBlock } from './cursor.ts'
import type { DepositOwner, Sighting, Stray } from './signal.ts'
import { selectBlocks, selectOwners, selectRecorded, type Recorded } from './watch-queries.ts'

type Deps = CursorDeps & { readonly rpc: Rpc; readonly log: Logger }

/**
 * A movement of money in some token: its value is above zero, and sender and receiver differ. `units`: base units of the books, where the
 * token is one that payments are in.
 */
type Moved = {
  readonly log: Log
  readonly transfer: TokenTransfer
  readonly ordinal: number
  readonly units: bigint | undefined
}

type Paid<Move extends Moved = Moved> = Move & { readonly units: bigint }

type OwnedMove = Moved & { readonly owner: DepositOwner }

/** What the second reading adds to the first. */
export type Found = {
  readonly missed: readonly (Sighting & { readonly owner: DepositOwner })[]
  readonly strays: readonly Stray[]
}

/**
 * Returns the blocks with the movements to our addresses, and those from or to our own places; one query for all blocks. The blocks
 * are proven, so the movements of our own places are complete.
 */
export async function matchTransfers(
  deps: CursorDeps,
  blocks: readonly ProvenBlock[],
): Promise<readonly ReadBlock[]> {
  if (blocks.length === 0) return []
  const moved = blocks.map((block) => movedIn(deps.chain, logsOf(block)).filter(isPayment))
  const [ours, places] = await Promise.all([
    pickOurs(deps, moved.flat()),
    selectPlaceAddresses(deps.sql, deps.chain.key),
  ])
  const byBlock = Map.groupBy(ours, ({ log }) => log.blockHash)
  return blocks.map(({ block: { number, hash, parentHash, timestamp } }, index) => ({
    number,
    hash,
    parentHash,
    sightings: (byBlock.get(hash) ?? []).map((each) => sightingOf(each, unixSeconds(timestamp))),
    moves: (moved[index] ?? [])
      .filter(({ transfer }) => places.has(transfer.from) || places.has(transfer.to))
      .map((each) => moveOf(each, unixSeconds(timestamp))),
  }))
}

function moveOf({ log, transfer, units }: Paid, blockAt: Date): DetectedMove {
  return {
    blockHash: log.blockHash,
    blockNumber: log.blockNumber,
    blockAt,
    logIndex: log.logIndex,
    txHash: log.txHash,
    sender: transfer.from,
    recipient: transfer.to,
    value: units,
    log: JSON.stringify({ ...log, blockNumber: log.blockNumber.toString() }),
  }
}

/**
 * Reads the logs of newly final blocks a second time, by another call than the first. Where they differ from the records, the
 * block's proven receipts decide:
 * - transfers that the first reading could not know are added;
 * - other tokens at our addresses are counted;
 * - logs that the receipts do not contain stop the watcher.
 */
export async function scanFinal(deps: Deps, after: BlockId, upTo: BlockId): Promise<Found> {
  const { sql, chain, rpc } = deps
  const blocks = await selectBlocks(sql, chain.key, after.number, upTo.number)
  const [logs, recorded] = await Promise.all([
    Promise.all(blocks.map(({ hash }) => rpc.getLogs({ blockHash: hash, topics: [transferTopic] }))),
    selectRecorded(
      sql,
      chain.key,
      blocks.map(({ hash }) => hash),
    ),
  ])
  const logged = Map.groupBy(await pickOurs(deps, movedIn(chain, logs.flat())), ({ log }) => log.blockHash)
  const recordedIn = Map.groupBy(recorded, ({ blockHash }) => blockHash)
  const doubtful = blocks.filter(
    ({ hash }) =>
      textOf(logged.get(hash) ?? []) !== textOfRecorded(mainToken(chain), recordedIn.get(hash) ?? []),
  )
  const found = await Promise.all(
    doubtful.map((block) =>
      prove(deps, block, logged.get(block.hash) ?? [], recordedIn.get(block.hash) ?? []),
    ),
  )
  const missed = found.flatMap((each) => each.missed)
  if (missed.length > 0)
    deps.log.error({ chain: chain.key, transfers: missed.length }, 'the second reading found more')
  return { missed, strays: found.flatMap((each) => each.strays) }
}

async function prove(
  deps: Deps,
  { number, hash }: BlockId,
  logged: readonly OwnedMove[],
  recorded: readonly Recorded[],
): Promise<Found> {
  const proven = must(await readBlock(deps.rpc, hash), `the node lost block ${number}`)
  const ours = await pickOurs(deps, movedIn(deps.chain, logsOf(proven)))
  if (textOf(logged) !== textOf(ours)) {
    throw new Error(`the node's logs of block ${number} are not those of its receipts`)
  }
  const recordedLogs = new Set(recorded.map(({ logIndex }) => logIndex))
  const at = unixSeconds(proven.block.timestamp)
  return {
    missed: ours
      .filter(isPayment)
      .filter((each) => !recordedLogs.has(each.log.logIndex))
      .map((each) => sightingOf(each, at)),
    strays: ours
      .filter((each) => !isPayment(each))
      .map(({ log: { txHash }, transfer: { to, token, value } }) => ({
        blockNumber: number,
        txHash,
        address: to,
        token,
        value: value.raw,
      })),
  }
}

/** The content of these logs, as a text to compare. */
function textOf(moves: readonly OwnedMove[]): string {
  return inOrder(
    moves.map(({ log, transfer: { token, from, to, value }, units }) => [
      log.logIndex,
      log.txHash,
      token,
      from,
      to,
      units ?? value.raw,
    ]),
  )
}

/** The same for what was recorded. */
function textOfRecorded({ address: token }: Token, recorded: readonly Recorded[]): string {
  return inOrder(
    recorded.map(({ logIndex, txHash, sender, address, value }) => [
      logIndex,
      txHash,
      token,
      sender,
      address,
      value,
    ]),
  )
}

function inOrder(lines: readonly (readonly (string | number | bigint)[])[]): string {
  return lines
    .map((line) => line.join())
    .sort()
    .join('\n')
}

function logsOf({ receipts }: ProvenBlock): readonly Log[] {
  return receipts.flatMap((receipt) => receipt.logs)
}

/** Returns all movements in these logs, each with its position among those of its token in its transaction. */
function movedIn({ tokens }: Pick<Chain, 'tokens'>, logs: readonly Log[]): readonly Moved[] {
  const counts = new Map<string, number>()
  return logs.flatMap((log) => {
    const transfer = decodeTransfer(log)
    if (transfer === undefined) return []
    const key = `${log.txHash}:${log.address}`
    const ordinal = counts.get(key) ?? 0
    counts.set(key, ordinal + 1)
    // Any caller can make a token report a transfer of zero between any two addresses; and a transfer to the sender itself brings
    // no money.
    const isNothing = transfer.value.raw === 0n || transfer.from === transfer.to
    const token = tokens.find(({ address }) => address === transfer.token)
    const units = token === undefined ? undefined : toBookUnits(token, transfer.value)
    return isNothing ? [] : [{ log, transfer, ordinal, units }]
  })
}

function isPayment<Move extends Moved>(moved: Move): moved is Paid<Move> {
  return moved.units !== undefined
}

/** Returns the movements to addresses of ours. */
async function pickOurs<Move extends Moved>(
  deps: CursorDeps,
  moved: readonly Move[],
): Promise<readonly (Move & { readonly owner: DepositOwner })[]> {
  const receivers = [...new Set(moved.map(({ transfer }) => transfer.to))]
  const owners = await selectOwners(deps.sql, deps.chain.key, receivers)
  return moved.flatMap((each) => {
    const owner = owners.get(each.transfer.to)
    return owner === undefined ? [] : [{ ...each, owner }]
  })
}

function sightingOf(
  { log, transfer, ordinal, owner, units }: Paid<OwnedMove>,
  blockAt: Date,
): Sighting & { owner: DepositOwner } {
  return {
    owner,
    blockHash: log.blockHash,
    blockNumber: log.blockNumber,
    blockAt,
    logIndex: log.logIndex,
    txHash: log.txHash,
    ordinal,
    address: transfer.to,
    sender: transfer.from,
    value: units,
    log: { ...log, blockNumber: log.blockNumber.toString() },
  }
}
