// Which transfers of a block are ours: by the token, the topics and the receiving address alone. Never by the sender or
// the shape of the call, so payments from exchanges, contracts and batches are found like any other.
import type { Log as Logger } from '#/kernel/log.ts'
import { unixSeconds } from '#/kernel/time.ts'
import type { Address } from './address.ts'
import type { Sighting } from './chain.ts'
import type { Rpc } from './client.ts'
import type { BlockId, CursorDeps, ReadBlock, Stray } from './cursor.ts'
import { selectBlocks, selectOwners, selectRecorded } from './watch-queries.ts'
import { decodeTransfer, transferTopic, type Block, type Log, type TokenTransfer, type TxReceipt } from './wire.ts'

type Deps = CursorDeps & { readonly rpc: Rpc; readonly log: Logger }

/** A movement of money in some token: real money moves more than nothing. */
type Moved = { readonly log: Log; readonly transfer: TokenTransfer; readonly ordinal: number }

/** The blocks with what moved to our addresses in them. One look-up for all. */
export async function matchTransfers(
  deps: CursorDeps,
  blocks: readonly { readonly block: Block; readonly receipts: readonly TxReceipt[] }[],
): Promise<readonly ReadBlock[]> {
  const moved = blocks.map(({ receipts }) => movedIn(receipts.flatMap((receipt) => receipt.logs)).filter(isOf(deps.chain.token)))
  const owners = await selectOwners(deps.sql, deps.chain.key, receivers(moved.flat()))
  return blocks.map(({ block: { number, hash, parentHash, timestamp } }, index) => ({
    number,
    hash,
    parentHash,
    sightings: (moved[index] ?? []).flatMap((each) => {
      const owner = owners.get(each.transfer.to)
      return owner === undefined ? [] : [{ ...sightingOf(each, unixSeconds(timestamp)), owner }]
    }),
  }))
}

/**
 * Reads the logs of blocks that are final now a second time, by another call than the first: what the first reading
 * missed is found, and so are other tokens at our addresses.
 */
export async function scanFinal(deps: Deps, after: BlockId, upTo: BlockId) {
  const blocks = await selectBlocks(deps.sql, deps.chain.key, after.number, upTo.number)
  const logs = (await Promise.all(blocks.map(({ hash }) => deps.rpc.getLogs({ blockHash: hash, topics: [transferTopic] })))).flat()
  const moved = movedIn(logs)
  const owners = await selectOwners(deps.sql, deps.chain.key, receivers(moved))
  const ours = moved.filter(({ transfer }) => owners.has(transfer.to))
  const isPayment = isOf(deps.chain.token)
  const strays: Stray[] = ours
    .filter((each) => !isPayment(each))
    .map(({ log, transfer }) => ({ blockNumber: log.blockNumber, txHash: log.txHash, address: transfer.to, token: transfer.token, value: transfer.value }))
  const payments = ours.filter(isPayment)
  if (payments.length === 0) return { missed: [], strays }

  const recorded = await selectRecorded(deps.sql, deps.chain.key, blocks.map((block) => block.hash))
  const missing = payments.filter(({ log }) => !recorded.has(`${log.blockHash}:${log.logIndex}`))
  const missed = await Promise.all(
    missing.map(async (each) => {
      const owner = owners.get(each.transfer.to)
      const block = await deps.rpc.getBlockByHash(each.log.blockHash)
      if (owner === undefined || block === undefined) throw new Error(`the node lost block ${each.log.blockNumber}`)
      return { ...sightingOf(each, unixSeconds(block.timestamp)), owner }
    }),
  )
  if (missed.length > 0) deps.log.error({ chain: deps.chain.key, transfers: missed.length }, 'the second reading found more')
  return { missed, strays }
}

/** All movements in these logs, with each one's place among those of its token in its transaction. */
function movedIn(logs: readonly Log[]): readonly Moved[] {
  const counts = new Map<string, number>()
  return logs.flatMap((log) => {
    const transfer = decodeTransfer(log)
    if (transfer === undefined) return []
    const key = `${log.txHash}:${log.address}`
    const ordinal = counts.get(key) ?? 0
    counts.set(key, ordinal + 1)
    // Anybody can make a token say that nothing moved from anyone to anyone.
    return transfer.value === 0n ? [] : [{ log, transfer, ordinal }]
  })
}

function isOf(token: string): (moved: Moved) => boolean {
  return ({ transfer }) => transfer.token === token
}

function receivers(moved: readonly Moved[]): readonly Address[] {
  return [...new Set(moved.map(({ transfer }) => transfer.to))]
}

function sightingOf({ log, transfer, ordinal }: Moved, blockAt: Date): Sighting {
  return {
    blockHash: log.blockHash,
    blockNumber: log.blockNumber,
    blockAt,
    logIndex: log.logIndex,
    txHash: log.txHash,
    ordinal,
    address: transfer.to,
    sender: transfer.from,
    value: transfer.value,
    log: { ...log, blockNumber: log.blockNumber.toString() },
  }
}
