// How the chain ends our transactions. A transaction is final when its nonce is below the account's nonce at the final block, and a
// proven receipt of one of our hashes is at or below that block. Until then its result may still change. A receipt that the node does not
// have is no result: who used the nonce has to be proven (below).
import type { Hex } from 'viem'
import { mainToken, type Chain } from '#/coins/chain.ts'
import { haltText } from '#/coins/halt-reasons.ts'
import { toBookUnits } from '#/coins/units.ts'
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { balanceCall } from '#/evm/erc20.ts'
import { readBlock, readHeader, type ProvenBlock } from '#/evm/read.ts'
import {
  decodeTransfer,
  parseReceipt,
  toBigint,
  toData,
  toQuantity,
  type TxReceipt,
  toList,
} from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { minOf, maxOf } from '#/kernel/money.ts'
import { type End, type Progress, selectMovedIn } from './outgoing-queries.ts'
import type { OpenTx, TxAttempt } from './outgoing.ts'

/** The state of the chain for a wallet: how many of its nonces the latest block has used, and how many the final block has. */
export type ChainView = {
  readonly head: bigint
  readonly headNonce: bigint
  readonly final: bigint
  readonly finalNonce: bigint
}

/** What the chain shows of transactions without an end. */
export type News = {
  readonly ends: readonly End[]
  readonly progress: readonly Progress[]
  /** Nonces that a final transaction has used that is proven not to be ours, and that are not recorded as such yet. */
  readonly usedByOthers: readonly bigint[]
  /** A nonce is used, and it is not proven by whom: nothing is sent until it is. */
  readonly unproven: { readonly nonce: bigint; readonly reason: string } | undefined
  /** An impossible receipt: why the wallet has to stop. */
  readonly impossible: string | undefined
}

/** Rejects with ProviderError, or an Error when the node cannot be right. */
export async function viewChain(rpc: Rpc, chain: Chain, address: Address): Promise<ChainView> {
  const [latest, finalized] = await Promise.all([readHeader(rpc, 'latest'), readHeader(rpc, 'finalized')])
  if (latest === undefined || finalized === undefined) throw new Error('the node knows no final block')
  const deepEnough = latest.number - BigInt(chain.confirmationsMin) + 1n
  const final = maxOf(minOf(finalized.number, deepEnough), 0n)
  const [headNonce, finalNonce] = await Promise.all([
    nonceAt(rpc, address, 'latest'),
    nonceAt(rpc, address, toQuantity(final)),
  ])
  return { head: latest.number, headNonce, final, finalNonce }
}

/** The first nonce of the account that no transaction has, waiting ones included. */
export function pendingNonce(rpc: Rpc, address: Address): Promise<bigint> {
  return nonceAt(rpc, address, 'pending')
}

/** What became of these transactions, by this view of the chain. Changes nothing. */
export async function followTxs(
  rpc: Rpc,
  chain: Chain,
  from: {
    readonly view: ChainView
    readonly wallet: Address
    readonly open: readonly OpenTx[]
    readonly whoUsed: (tx: OpenTx) => Promise<NonceUse>
  },
): Promise<News> {
  const { view, wallet, open, whoUsed } = from
  const blocks = new Map<Hex, Promise<ProvenBlock | undefined>>()
  const prove = (hash: Hex) => blocks.get(hash) ?? blocks.set(hash, readBlock(rpc, hash)).get(hash)
  const ends: End[] = []
  const progress: Progress[] = []
  const usedByOthers: bigint[] = []
  let impossible: string | undefined
  let unproven: News['unproven']
  let isAsked = false
  for (const tx of open) {
    if (tx.nonce < view.finalNonce) {
      let found = await findFinal(rpc, tx.attempts, view.final, prove)
      if (found === undefined && !tx.isTaken && !isAsked) {
        // A proof asks for several blocks, so each pass proves the lowest nonce alone.
        isAsked = true
        const use = await whoUsed(tx)
        if (use.by === 'found') found = use.found
        else if (use.by === 'foreign') usedByOthers.push(tx.nonce)
        else if (use.by === 'unknown') unproven = { nonce: tx.nonce, reason: use.reason }
      }
      if (found === undefined) {
        continue
      } else if (didNothing(found, tx, chain, wallet)) {
        impossible = haltText('transfer_missing', { transaction: found.receipt.txHash })
        break
      } else ends.push(endOf(tx, found))
    } else if (tx.nonce < view.headNonce) {
      if (tx.state === 'MINED') continue
      const found = await findMined(rpc, tx.attempts)
      if (found === undefined) continue
      const { txHash: hash, blockNumber, blockHash } = found
      progress.push({ id: tx.id, state: 'MINED', hash, blockNumber, blockHash })
    } else if (tx.state === 'MINED') {
      progress.push({ id: tx.id, state: 'BROADCAST' })
    }
  }
  return { ends, progress, usedByOthers, unproven, impossible }
}

/** What a wallet has at the final block: base units of the token, and wei. */
export async function finalFunds(
  rpc: Rpc,
  chain: Chain,
  address: Address,
  final: bigint,
): Promise<{ readonly units: bigint; readonly wei: bigint }> {
  const token = mainToken(chain)
  const [balance, wei] = await Promise.all([
    rpc.ethCall(token.address, balanceCall(address), final),
    rpc.call('eth_getBalance', [address, toQuantity(final)]),
  ])
  return {
    units: toBookUnits(token, { raw: BigInt(toData(balance, 'balanceOf', 32)) }),
    wei: toBigint(wei, 'balance'),
  }
}

async function nonceAt(rpc: Rpc, address: Address, at: string): Promise<bigint> {
  return toBigint(await rpc.call('eth_getTransactionCount', [address, at]), 'nonce')
}

/** The receipt of one of our attempts at or below the final block, in a block that proves it and is in the chain. */
async function findFinal(
  rpc: Rpc,
  attempts: readonly TxAttempt[],
  final: bigint,
  prove: (hash: Hex) => Promise<ProvenBlock | undefined> | undefined,
): Promise<Found | undefined> {
  for (const attempt of attempts.toReversed()) {
    const sent = await rpc.call('eth_getTransactionReceipt', [attempt.hash])
    if (sent === null) continue
    const { blockNumber, blockHash } = parseReceipt(sent)
    if (blockNumber > final) continue
    const [proven, header] = await Promise.all([prove(blockHash), readHeader(rpc, blockNumber)])
    if (header?.hash !== blockHash) continue
    const receipt = proven?.receipts.find(({ txHash }) => txHash === attempt.hash)
    if (receipt !== undefined) return { attempt, receipt, sent }
  }
  return undefined
}

async function findMined(rpc: Rpc, attempts: readonly TxAttempt[]): Promise<TxReceipt | undefined> {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await rpc.getTransactionReceipt(hash)
    if (receipt !== undefined) return receipt
  }
  return undefined
}

/** Whether a receipt of success lacks the movement that the transaction should make. */
function didNothing({ attempt, receipt }: Found, tx: OpenTx, chain: Chain, wallet: Address): boolean {
  if (!receipt.succeeded || attempt.cancels || tx.recipient === undefined) return false
  const token = mainToken(chain)
  return !receipt.logs.some((log) => {
    const moved = decodeTransfer(log)
    return (
      moved?.token === token.address &&
      moved.from === wallet &&
      moved.to === tx.recipient &&
      toBookUnits(token, moved.value) === tx.units
    )
  })
}

function endOf(tx: OpenTx, { attempt, receipt, sent }: Found): End {
  const { effectiveGasPrice } = sent as { readonly effectiveGasPrice?: unknown }
  return {
    id: tx.id,
    failure: attempt.cancels ? must(tx.cancel, 'a cancellation has a reason') : revertOf(receipt),
    hash: receipt.txHash,
    blockNumber: receipt.blockNumber,
    blockHash: receipt.blockHash,
    evidence: Buffer.from(JSON.stringify(sent)),
    gasWei: receipt.gasUsed * toBigint(effectiveGasPrice, 'receipt.effectiveGasPrice'),
  }
}

function revertOf({ succeeded }: TxReceipt): string | undefined {
  return succeeded ? undefined : 'reverted'
}

// What proves by whom a nonce of ours was used. A node's index of receipts may lack one for a while, so its silence proves nothing: the
// watcher's own record of a movement does, and the block that used the nonce, whose receipts have the root that its header names.

/** A receipt of one of our attempts in a proven block. */
type Found = {
  readonly attempt: TxAttempt
  readonly receipt: TxReceipt
  /** As the node sent it. */
  readonly sent: unknown
}

/**
 * - `found`: a proven block has our transaction.
 * - `ours`: the watcher saw our transaction, and the node does not show its block now.
 * - `foreign`: the proven block that used the nonce has none of our transactions.
 * - `unknown`: nothing is proven yet; `reason` says what is missing.
 */
export type NonceUse =
  | { readonly by: 'found'; readonly found: Found }
  | { readonly by: 'ours' | 'foreign' }
  | { readonly by: 'unknown'; readonly reason: string }

type Used = {
  readonly chain: string
  readonly wallet: Address
  readonly nonce: bigint
  readonly attempts: readonly TxAttempt[]
  /** The final block, by which the nonce is used. */
  readonly final: bigint
}

/** Who used a nonce, as far as it is proven now. Rejects only when the node cannot be reached. */
export async function whoUsed(sql: Sql, rpc: Rpc, used: Used): Promise<NonceUse> {
  const hashes = used.attempts.map(({ hash }) => hash)
  const moved = hashes.length === 0 ? undefined : await selectMovedIn(sql, used.chain, hashes)
  try {
    if (moved !== undefined) {
      const found = await findIn(rpc, moved, used)
      return found === undefined || found === 'other' ? { by: 'ours' } : { by: 'found', found }
    }
    const number = await firstBlockAbove(rpc, used)
    const header = await readHeader(rpc, number)
    const found = header && (await findIn(rpc, header.hash, used))
    if (found === undefined) return { by: 'unknown', reason: `the node does not show block ${number}` }
    return found === 'other' ? { by: 'foreign' } : { by: 'found', found }
  } catch (error) {
    if (error instanceof ProviderError && error.outcome === 'unavailable') throw error
    return moved === undefined ? { by: 'unknown', reason: messageOf(error) } : { by: 'ours' }
  }
}

/** Our receipt in this block; `other` when the block is proven and has none, undefined when it cannot be read. */
async function findIn(rpc: Rpc, block: Hex, { attempts, final }: Used): Promise<Found | 'other' | undefined> {
  const proven = await readBlock(rpc, block)
  if (proven === undefined) return undefined
  const ours = new Map(attempts.map((attempt) => [attempt.hash, attempt]))
  const receipt = proven.receipts.find(({ txHash }) => ours.has(txHash))
  const attempt = receipt && ours.get(receipt.txHash)
  if (receipt === undefined || attempt === undefined) return 'other'
  if (proven.block.number > final) return undefined
  const all = toList(await rpc.call('eth_getBlockReceipts', [block]), 'receipts')
  const sent = all.find(
    (each) => (each as { readonly transactionHash?: unknown }).transactionHash === attempt.hash,
  )
  return sent === undefined ? undefined : { attempt, receipt, sent }
}

/** The block that used the nonce: the account has a higher one after it, and not before it. */
async function firstBlockAbove(rpc: Rpc, { wallet, nonce, final }: Used): Promise<bigint> {
  const isAbove = async (block: bigint) =>
    toBigint(await rpc.call('eth_getTransactionCount', [wallet, toQuantity(block)]), 'nonce') > nonce
  let above = final
  let below = final
  for (let back = 1n; ; back *= 2n) {
    below = final > back ? final - back : 0n
    if (!(await isAbove(below))) break
    above = below
    if (below === 0n) return 0n
  }
  while (above - below > 1n) {
    const middle = (above + below) / 2n
    if (await isAbove(middle)) above = middle
    else below = middle
  }
  return above
}
