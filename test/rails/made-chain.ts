// For tests: a chain in memory whose blocks are proven like those of a node, so that tests choose every block without a node.
import type { Hex } from 'viem'
import type { Address } from '#/evm/address.ts'
import { headerHash, receiptsRoot } from '#/evm/block-proof.ts'
import type { Rpc } from '#/evm/client.ts'
import type { ProvenBlock } from '#/evm/read.ts'
import { toQuantity, transferTopic, type Block } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'

export type MadeTransfer = {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly value: bigint
}

/** Blocks come every three seconds. */
export const blockSeconds = 3n
const firstAt = 1_794_000_000n

/** Number and hash of the time of a block. */
export const madeAt = (number: bigint) => firstAt + blockSeconds * number

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

export type MadeChain = {
  readonly rpc: Rpc
  readonly blocks: ProvenBlock[]
  head(): Block
  /** Adds a block; each list of transfers is one transaction. */
  mine(...transactions: readonly (readonly MadeTransfer[])[]): Block
  /** Adds empty blocks up to this number. */
  mineTo(number: number): Block
  /** Removes the blocks from this number on; those that are mined then have other hashes. */
  forkAt(number: number): void
}

/** `finalizedBehind`: how far the node's final block is behind its head. `alter`: what the node answers to calls in place of the truth. */
export function makeChain({
  finalizedBehind = 2,
  alter = {},
}: { readonly finalizedBehind?: number; readonly alter?: Partial<Rpc> } = {}): MadeChain {
  const blocks: ProvenBlock[] = []
  let branch = 0
  let transactions = 0
  const make = (lists: readonly (readonly MadeTransfer[])[]): Block => {
    const number = BigInt(blocks.length)
    const parentHash = blocks.at(-1)?.block.hash ?? word(0n)
    const txHashes = lists.map(() => word(BigInt((transactions += 1))))
    let logIndex = 0
    const receiptsIn = (blockHash: Hex) =>
      lists.map((list, txIndex) => {
        const txHash = must(txHashes[txIndex], 'a transaction has a hash')
        const place = { blockHash, blockNumber: number, txHash, txIndex }
        return {
          ...place,
          type: 2,
          succeeded: true,
          gasUsed: 1n,
          cumulativeGasUsed: BigInt(txIndex + 1),
          logsBloom: `0x${'00'.repeat(256)}` as const,
          logs: list.map(({ token, from, to, value }) => ({
            ...place,
            address: token,
            topics: [transferTopic, word(BigInt(from)), word(BigInt(to))],
            data: word(value),
            logIndex: logIndex++,
          })),
        }
      })
    const root = receiptsRoot(receiptsIn(word(0n)))
    logIndex = 0
    const bare = {
      number,
      parentHash,
      timestamp: madeAt(number),
      receiptsRoot: root,
      txHashes,
      header: {
        parentHash,
        receiptsRoot: root,
        number: toQuantity(number),
        timestamp: toQuantity(madeAt(number)),
        extraData: word(BigInt(branch)),
      },
    }
    const block = { ...bare, hash: headerHash({ ...bare, hash: word(0n) }) }
    blocks.push({ block, receipts: receiptsIn(block.hash) })
    return block
  }
  make([])
  const head = () => must(blocks.at(-1), 'a chain has a block').block
  const named = (hash: Hex) => blocks.find(({ block }) => block.hash === hash)
  const none = () => Promise.reject(new Error('this test has no answer to that call'))
  const rpc: Rpc = {
    call: none,
    chainId: none,
    blockNumber: async () => head().number,
    getBlockByNumber: async (at) => {
      if (at === 'latest') return head()
      if (at === 'finalized') return blocks[Math.max(0, blocks.length - 1 - finalizedBehind)]?.block
      return typeof at === 'bigint' ? blocks[Number(at)]?.block : none()
    },
    getBlockByHash: async (hash) => named(hash)?.block,
    getLogs: async ({ blockHash }) => named(blockHash)?.receipts.flatMap(({ logs }) => logs) ?? [],
    getBlockReceipts: async (hash) => named(hash)?.receipts,
    getCode: none,
    ethCall: none,
    sendTransaction: none,
    sendRawTransaction: none,
    getTransactionReceipt: none,
    close: () => {},
    ...alter,
  }
  return {
    rpc,
    blocks,
    head,
    mine: (...lists) => make(lists),
    mineTo(number) {
      while (blocks.length <= number) make([])
      return head()
    },
    forkAt(number) {
      blocks.splice(number)
      branch += 1
    },
  }
}
