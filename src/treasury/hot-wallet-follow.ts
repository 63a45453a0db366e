// How the chain ends our transactions. A transaction is final when its nonce is below the account's nonce at the final block, and a
// proven receipt of one of our hashes is at or below that block. Until then its result may still change. A receipt that the node does not
// have is no result: who used the nonce has to be proven (hot-wallet-proof.ts).
import type { Hex } from 'viem'
import type { Chain } from '#/coins/chain.ts'
import { haltText } from '#/coins/halt-reasons.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { readBlock, readHeader, type ProvenBlock } from '#/evm/read.ts'
import { decodeTransfer, parseReceipt, toBigint, toData, toQuantity, type TxReceipt } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { minOf, maxOf } from '#/kernel/money.ts'
import type { Found, NonceUse } from './hot-wallet-proof.ts'
import type { End, Progress } from './outgoing-queries.ts'
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
  const [balance, wei] = await Promise.all([
    rpc.ethCall(chain.token, `0x70a08231${address.slice(2).padStart(64, '0')}`, final),
    rpc.call('eth_getBalance', [address, toQuantity(final)]),
  ])
  return { units: BigInt(toData(balance, 'balanceOf', 32)), wei: toBigint(wei, 'balance') }
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
  return !receipt.logs.some((log) => {
    const moved = decodeTransfer(log)
    return (
      moved?.token === chain.token &&
      moved.from === wallet &&
      moved.to === tx.recipient &&
      moved.value === tx.units
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
