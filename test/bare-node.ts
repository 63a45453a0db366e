// A node whose chain a test writes block by block, in this process: every block is proven by its hash and the root of its receipts.
import type { Hex } from 'viem'
import type { Address } from '#/evm/address.ts'
import { headerHash, receiptsRoot } from '#/evm/block-proof.ts'
import type { Rpc } from '#/evm/client.ts'
import { parseReceipt, toQuantity, toTopic, transferTopic, type Block } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'

/** A transaction of a block. `from`: the account whose next nonce it uses. `moves`: the transfers of tokens that it makes. */
export type BareMined = {
  readonly hash: Hex
  readonly from?: Address
  readonly fails?: boolean
  readonly moves?: readonly {
    readonly token: Address
    readonly from: Address
    readonly to: Address
    readonly value: bigint
  }[]
}

export type BareNode = {
  readonly rpc: Rpc
  /** Adds a block; without transactions an empty one. */
  mine(...txs: readonly BareMined[]): Block
  /** The number of the block that the node calls final. */
  final: bigint
  /** Receipts that the node's index does not have, by hash. Its blocks have them. */
  readonly lost: Set<Hex>
  /** Blocks that the node does not show by their hash. */
  readonly hidden: Set<Hex>
  /** What accounts hold in every block: base units of any token, and wei. */
  readonly units: Map<Address, bigint>
  readonly wei: Map<Address, bigint>
  /** The bytes that it got. */
  readonly sent: string[]
  /** Answers a call instead of the node, where it gives anything. */
  instead: ((method: string) => unknown) | undefined
}

type Mined = {
  readonly block: Block
  readonly receipts: readonly Readonly<Record<string, unknown>>[]
  readonly froms: readonly (Address | undefined)[]
}

export const gasUsed = 50n
export const gasPrice = 3n

/** A node with two blocks, both final: the first with these transactions, and an empty one. */
export function bareNode(...first: readonly BareMined[]): BareNode {
  const chain: Mined[] = []
  const at = (tag: unknown): Mined | undefined => {
    const number =
      tag === 'latest' || tag === 'pending' ? chain.length - 1 : tag === 'finalized' ? node.final : tag
    return chain[Number(number)]
  }
  const byHash = (hash: unknown) =>
    node.hidden.has(hash as Hex) ? undefined : chain.find(({ block }) => block.hash === hash)
  const receiptOf = (hash: Hex) =>
    node.lost.has(hash)
      ? undefined
      : chain.flatMap(({ receipts }) => receipts).find((each) => each['transactionHash'] === hash)
  const parsed = (receipts: Mined['receipts']) => receipts.map((each) => parseReceipt(each))
  const call = async (method: string, [first, second]: readonly unknown[]): Promise<unknown> => {
    const answer: unknown = node.instead?.(method)
    if (answer !== undefined) return answer
    if (method === 'eth_getBalance') return toQuantity(node.wei.get(first as Address) ?? 0n)
    if (method === 'eth_getTransactionReceipt') return receiptOf(first as Hex) ?? null
    if (method === 'eth_getBlockReceipts') return byHash(first)?.receipts
    if (method === 'eth_feeHistory') return {}
    const upTo = second === 'latest' || second === 'pending' ? chain.length - 1 : Number(second)
    const used = chain.slice(0, upTo + 1).flatMap(({ froms }) => froms)
    return toQuantity(BigInt(used.filter((from) => from === first).length))
  }
  const said: Partial<Rpc> = {
    call,
    getBlockByNumber: async (tag) => at(tag)?.block,
    getBlockByHash: async (hash) => byHash(hash)?.block,
    getBlockReceipts: async (hash) => parsed(byHash(hash)?.receipts ?? []),
    getTransactionReceipt: async (hash) => {
      const found = receiptOf(hash)
      return found === undefined ? undefined : parseReceipt(found)
    },
    ethCall: async (_token, data) => {
      const units = node.units.get(`0x${data.slice(-40)}`) ?? 0n
      return `0x${units.toString(16).padStart(64, '0')}`
    },
    sendRawTransaction: async (raw) => {
      node.sent.push(raw)
      return raw
    },
  }
  const node: BareNode = {
    rpc: said as Rpc,
    mine(...txs) {
      const mined = minedAs(BigInt(chain.length), txs)
      chain.push(mined)
      return mined.block
    },
    final: 1n,
    lost: new Set(),
    hidden: new Set(),
    units: new Map(),
    wei: new Map(),
    sent: [],
    instead: undefined,
  }
  node.mine(...first)
  node.mine()
  return node
}

function minedAs(number: bigint, txs: readonly BareMined[]): Mined {
  const receiptsIn = (blockHash: Hex) => receiptsOf(number, blockHash, txs)
  const root = receiptsRoot(receiptsIn(zero).map((each) => parseReceipt(each)))
  const header = { number: toQuantity(number), receiptsRoot: root }
  const block = {
    number,
    hash: zero,
    parentHash: zero,
    timestamp: 0n,
    receiptsRoot: root,
    txHashes: txs.map(({ hash }) => hash),
    header,
  }
  const hash = headerHash(block)
  return { block: { ...block, hash }, receipts: receiptsIn(hash), froms: txs.map(({ from }) => from) }
}

const zero: Hex = `0x${'00'.repeat(32)}`

function receiptsOf(number: bigint, blockHash: Hex, txs: readonly BareMined[]) {
  let logIndex = 0
  return txs.map(({ hash, fails = false, moves = [] }, index) => {
    const place = {
      blockHash,
      blockNumber: toQuantity(number),
      transactionHash: hash,
      transactionIndex: toQuantity(BigInt(index)),
    }
    const logs = moves.map(({ token, from, to, value }) => ({
      ...place,
      address: token,
      topics: [transferTopic, toTopic(from), toTopic(to)],
      data: `0x${value.toString(16).padStart(64, '0')}`,
      logIndex: toQuantity(BigInt(logIndex++)),
      removed: false,
    }))
    return {
      ...place,
      status: fails ? '0x0' : '0x1',
      gasUsed: toQuantity(gasUsed),
      cumulativeGasUsed: toQuantity(gasUsed),
      effectiveGasPrice: toQuantity(gasPrice),
      logsBloom: `0x${'00'.repeat(256)}`,
      logs,
    }
  })
}

/** A hash that contains its number. */
export function bareHash(number: number): Hex {
  return `0x${String(number).padStart(64, '0')}`
}

/** The block of this node that has this number. */
export async function blockAt({ rpc }: BareNode, number: bigint): Promise<Block> {
  return must(await rpc.getBlockByNumber(number), 'the node has the block')
}
