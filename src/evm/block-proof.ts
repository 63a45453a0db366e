// Proves a block's receipts, and so its logs, from the block's hash alone: the hash covers the header, the header contains
// the root of a Merkle-Patricia trie, and that root covers every receipt. So we notice when a node changes a log or leaves one out,
// as nodes do at the head of the chain. It does not prove:
// - that the block is in the chain (the parent hashes and finality do);
// - the hashes of the transactions, which no receipt contains.
import type { Hex } from 'viem'
import { invariant } from '#/kernel/check.ts'
import { bytesOf, keccak } from './address.ts'
import { headerFields, type Block, type TxReceipt } from './wire.ts'

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Whether `receipts` are all the receipts of `block`, in order, and the block has its hash. */
export function verifyBlock(block: Block, receipts: readonly TxReceipt[]): Verdict {
  if (headerHash(block) !== block.hash) return fault(block, 'its header has another hash')
  if (block.header.receiptsRoot !== block.receiptsRoot) return fault(block, 'it names two receipt roots')
  if (receipts.length !== block.txHashes.length) {
    return fault(block, `it has ${block.txHashes.length} transactions and ${receipts.length} receipts`)
  }
  const label = labelFault(block, receipts)
  if (label !== undefined) return fault(block, label)
  if (receiptsRoot(receipts) !== block.receiptsRoot) return fault(block, 'its receipts have another root')
  return { ok: true }
}

/**
 * Keccak-256 of the RLP of the header. Absent fields after the last present one are omitted, and those before it are empty
 * strings (as `rlp:"optional"` in go-ethereum).
 */
export function headerHash(block: Block): Hex {
  const end = headerFields.findLastIndex(([field]) => block.header[field] !== undefined) + 1
  const list = headerFields.slice(0, end).map(([field, form]) => {
    const value = block.header[field] ?? '0x'
    return form === 'quantity' ? quantityBytes(value === '0x' ? 0n : BigInt(value)) : bytesOf(value)
  })
  return keccak(rlp(list))
}

/** Root of the trie of these receipts, keyed by their position (EIP-2718 §Receipts; yellow paper, appendix D). */
export function receiptsRoot(receipts: readonly TxReceipt[]): Hex {
  if (receipts.length === 0) return keccak(rlp(nothing))
  const items = receipts.map((receipt, position) => ({
    path: nibblesOf(rlp(quantityBytes(BigInt(position)))),
    value: receiptBytes(receipt),
  }))
  items.sort((a, b) => Buffer.compare(a.path, b.path))
  return keccak(rlp(trieNode(items, 0)))
}

/** The positions and hashes in receipts and logs are covered by no hash; they must at least be consistent. */
function labelFault(block: Block, receipts: readonly TxReceipt[]): string | undefined {
  let logIndex = 0
  for (const [position, receipt] of receipts.entries()) {
    const { txHash, txIndex, blockHash } = receipt
    if (blockHash !== block.hash || txIndex !== position || txHash !== block.txHashes[position]) {
      return `receipt ${position} belongs elsewhere`
    }
    for (const log of receipt.logs) {
      const belongs = log.blockHash === blockHash && log.blockNumber === block.number && log.txHash === txHash
      if (!belongs || log.txIndex !== txIndex || log.logIndex !== logIndex)
        return `log ${logIndex} belongs elsewhere`
      logIndex++
    }
  }
  return undefined
}

function fault(block: Block, reason: string): Verdict {
  return { ok: false, reason: `block ${block.number} ${block.hash}: ${reason}` }
}

/** A receipt in the encoding of consensus: with the byte of its type in front, except for a legacy one. */
function receiptBytes({ type, succeeded, cumulativeGasUsed, logsBloom, logs }: TxReceipt): Buffer {
  const body = rlp([
    quantityBytes(succeeded ? 1n : 0n),
    quantityBytes(cumulativeGasUsed),
    bytesOf(logsBloom),
    logs.map((log) => [bytesOf(log.address), log.topics.map(bytesOf), bytesOf(log.data)]),
  ])
  return type === 0 ? body : Buffer.concat([Buffer.of(type), body])
}

type Item = { readonly path: Buffer; readonly value: Buffer }

/** The node above `items`, which are sorted and share their first `depth` nibbles. */
function trieNode(items: readonly Item[], depth: number): Rlp {
  const [first, last] = [items[0], items.at(-1)]
  invariant(first !== undefined && last !== undefined, 'a trie node stands above something')
  if (items.length === 1) return [compactPath(first.path.subarray(depth), true), first.value]
  const shared = sharedLength(first.path, last.path, depth)
  if (shared > depth)
    return [compactPath(first.path.subarray(depth, shared), false), reference(trieNode(items, shared))]
  const children = Array.from({ length: 16 }, (_, nibble): Rlp => {
    const below = items.filter(({ path }) => path[depth] === nibble)
    return below.length === 0 ? nothing : reference(trieNode(below, depth + 1))
  })
  // The last place is for a key that ends here. There is none, because no RLP of a number is the start of another's.
  return [...children, nothing]
}

/** A node inside its parent: the node itself if it is short, else its hash. */
function reference(node: Rlp): Rlp {
  const encoded = rlp(node)
  return encoded.length < 32 ? node : bytesOf(keccak(encoded))
}

/** Hex-prefix encoding: whether the node is a leaf and the path odd, in the first nibble. */
function compactPath(nibbles: Buffer, isLeaf: boolean): Buffer {
  const odd = nibbles.length % 2
  const prefix = (isLeaf ? 2 : 0) + odd
  const digits = [prefix, ...(odd === 1 ? [] : [0]), ...nibbles]
  return Buffer.from(digits.map((nibble) => nibble.toString(16)).join(''), 'hex')
}

function sharedLength(a: Buffer, b: Buffer, from: number): number {
  let length = from
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function nibblesOf(bytes: Buffer): Buffer {
  return Buffer.from([...bytes].flatMap((byte) => [byte >> 4, byte & 15]))
}

/** A byte string, or a list of RLP items (yellow paper, appendix B). */
type Rlp = Buffer | readonly Rlp[]

const nothing = Buffer.alloc(0)

function rlp(item: Rlp): Buffer {
  if (Buffer.isBuffer(item)) {
    const [byte] = item
    if (item.length === 1 && byte !== undefined && byte < 0x80) return item
    return Buffer.concat([rlpPrefix(0x80, item.length), item])
  }
  const parts = item.map(rlp)
  return Buffer.concat([
    rlpPrefix(
      0xc0,
      parts.reduce((sum, part) => sum + part.length, 0),
    ),
    ...parts,
  ])
}

function rlpPrefix(base: number, length: number): Buffer {
  if (length < 56) return Buffer.of(base + length)
  const size = quantityBytes(BigInt(length))
  return Buffer.concat([Buffer.of(base + 55 + size.length), size])
}

/** Big-endian without leading zeros; zero is empty. */
function quantityBytes(value: bigint): Buffer {
  if (value === 0n) return nothing
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
}
