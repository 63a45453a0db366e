// How a hot wallet sends its transactions, each under a nonce: it gets the signature, stores the signed bytes, and only then broadcasts
// them. After any failure it repeats the same bytes, or the same payload under the same nonce with higher fees.
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import { SignerError } from '#/signer/client.ts'
import { raisedFees, type Fees } from './fees.ts'
import type { ChainView } from './hot-wallet-follow.ts'
import { underFence, type Held, type HotWalletDeps } from './hot-wallet-lease.ts'
import * as queries from './outgoing-queries.ts'
import { checkSigned, type OpenTx, type SignRequest, type TxAttempt } from './outgoing.ts'

/** What a sender knows during one pass. */
export type Scene = {
  readonly view: ChainView
  readonly open: readonly OpenTx[]
  /** Fees that are usual now. */
  readonly usual: Fees
}

/** How many were done, and why the rest has to wait, if it has to. */
export type Done = { readonly count: number; readonly waiting?: string }

/** Has the signer sign what is due, and stores it: first attempts, cancellations, and replacements. */
export async function signDue(deps: HotWalletDeps, held: Held, scene: Scene): Promise<Done> {
  const nexts = scene.open.map((tx) => ({ tx, next: nextAttempt(deps, held, scene, tx) }))
  const due = nexts.flatMap(({ tx, next }) =>
    next === undefined || next === 'capped' ? [] : [{ tx, next, request: requestOf(deps, tx, next) }],
  )
  if (due.length === 0) {
    return { count: 0, ...(nexts.some(({ next }) => next === 'capped') ? { waiting: 'FEES' } : {}) }
  }
  if (held.signer !== undefined && monotonicMs() < held.signer.retryAt)
    return { count: 0, ...held.signer.answer }
  const answers = await Promise.all(
    due.map(async ({ tx, next, request }) => {
      try {
        const signed = await deps.signer.sign(request)
        await checkSigned(request, signed)
        return { tx, attempt: { id: tx.id, ...signed, ...next } }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        return { tx, error }
      }
    }),
  )
  const signed = answers.flatMap(({ attempt }) => attempt ?? [])
  const faults = answers.flatMap(({ tx, error }) => (error === undefined ? [] : [{ tx, error }]))
  const forbidden = faults.flatMap(({ tx, error }) => {
    const reason = tx.attempts.length === 0 ? prohibitionOf(error) : undefined
    return reason === undefined ? [] : [{ id: tx.id, reason }]
  })
  if (signed.length + forbidden.length > 0) {
    await underFence(deps, held.fence, async (tx) => {
      if (signed.length > 0) await queries.insertAttempts(tx, signed, deps.clock.now())
      for (const { id, reason } of forbidden) await queries.writeCancel(tx, id, reason)
    })
  }
  for (const { tx, error } of faults)
    deps.log.warn({ ...aboutOf(deps, tx), error: messageOf(error) }, 'the signer did not sign')
  const unsigned = faults.find(({ tx }) => tx.attempts.length === 0)
  const answer = unsigned === undefined ? {} : { waiting: `SIGNER: ${messageOf(unsigned.error)}` }
  held.signer =
    faults.length === forbidden.length
      ? undefined
      : { retryAt: monotonicMs() + (deps.signerPauseMs ?? signerPauseMs), answer }
  return { count: signed.length + forbidden.length, ...answer }
}

/** The pause before a signer that failed to sign is asked again: immediately after, it would probably fail again. */
export const signerPauseMs = 5 * secondMs

/**
 * Sends to the node the transactions that no block has, in the order of nonces: those that this process never sent, and the others
 * again after some blocks, because a node may have lost them. An answer that the node already has the transaction, or that its
 * nonce is used, counts as success.
 */
export async function broadcastDue(deps: HotWalletDeps, held: Held, scene: Scene): Promise<void> {
  const { head, headNonce } = scene.view
  const sent: queries.Progress[] = []
  for (const tx of scene.open) {
    const attempt = tx.attempts.at(-1)
    // Nothing after a missing nonce can be mined.
    if (attempt === undefined) break
    if (tx.nonce < headNonce || !isBroadcastDue(deps, held, attempt, head)) continue
    const fault = await broadcast(deps, attempt)
    const first = held.broadcasts.get(attempt.hash)?.first ?? head
    held.broadcasts.set(attempt.hash, {
      first,
      last: head,
      isCheap: fault !== undefined && cheap.test(fault),
    })
    if (fault !== undefined)
      deps.log.warn({ ...aboutOf(deps, tx), error: fault }, 'the node does not accept a transaction')
    else if (tx.state === 'SIGNED') sent.push({ id: tx.id, state: 'BROADCAST' })
  }
  if (sent.length > 0) await underFence(deps, held.fence, (tx) => queries.writeProgress(tx, sent))
}

type NextAttempt = Pick<TxAttempt, 'fees' | 'cancels'>

function nextAttempt(
  { fees: policy, replaceBlocks = 20 }: HotWalletDeps,
  { broadcasts }: Held,
  { view, usual }: Scene,
  tx: OpenTx,
): NextAttempt | 'capped' | undefined {
  if (tx.nonce < view.headNonce) return undefined
  const cancels = tx.cancel !== undefined
  const last = tx.attempts.at(-1)
  if (last === undefined) return { fees: usual, cancels }
  const sent = broadcasts.get(last.hash)
  // A node that answers "underpriced" is offered more once in each block, not in each pass: the cap would be reached within seconds.
  const isTooCheap = sent?.isCheap === true && view.head > sent.last
  const isLate = isTooCheap || (sent !== undefined && view.head - sent.first >= BigInt(replaceBlocks))
  // The next nonce may always get a higher fee. Later ones wait for it anyway: they get one only if their last fee was below the usual fee.
  const isAllowed = tx.nonce === view.headNonce || last.fees.maxFeePerGas < usual.maxFeePerGas
  if (last.cancels === cancels && !(isLate && isAllowed)) return undefined
  const fees = raisedFees(last.fees, usual, policy)
  return fees === undefined ? 'capped' : { fees, cancels }
}

const plainGas = 21_000n

function requestOf(
  { chain, wallet }: HotWalletDeps,
  tx: OpenTx,
  { fees, cancels }: NextAttempt,
): SignRequest {
  const { nonce, reference } = tx
  const common = { key: wallet.address, chainId: chain.chainId, nonce, fees, reference }
  // An empty transfer to ourselves: the cheapest way to use a nonce.
  if (cancels) return { ...common, to: wallet.address, value: 0n, data: '0x', gas: plainGas }
  return { ...common, to: tx.to, value: tx.value, data: tx.data, gas: tx.gas }
}

/** Why the signer will never sign it, because of its content: the payout fails, and an empty transaction fills its nonce. */
function prohibitionOf(error: ProviderError): string | undefined {
  if (!(error instanceof SignerError) || error.outcome !== 'refused') return undefined
  return prohibitions.find((code) => code === error.code)
}

const prohibitions = ['amount_not_allowed', 'recipient_not_allowed'] as const

function isBroadcastDue(
  { resendBlocks = 4 }: HotWalletDeps,
  { broadcasts }: Held,
  { hash }: TxAttempt,
  head: bigint,
): boolean {
  const sent = broadcasts.get(hash)
  return sent === undefined || head < sent.last || head >= sent.last + BigInt(resendBlocks)
}

/** The node has it already, or has another of our attempts, or a block has the nonce. */
const asGoodAsSent =
  /already known|known transaction|already imported|already exists|nonce too low|nonce is too low|replacement transaction underpriced|could not replace existing/i

/** It pays less than the node or the next block requires. */
const cheap = /underpriced|base fee|gas price (?:is )?(?:too low|below)|fee too low/i

/**
 * Sends the signed bytes. Returns the node's message if it certainly did not accept them, otherwise undefined. Throws when the node
 * cannot be reached.
 */
async function broadcast({ rpc }: HotWalletDeps, { raw }: TxAttempt): Promise<string | undefined> {
  try {
    await rpc.sendRawTransaction(raw)
    return undefined
  } catch (error) {
    if (!(error instanceof ProviderError) || error.outcome === 'unavailable') throw error
    return error.outcome === 'unknown' || asGoodAsSent.test(error.message) ? undefined : error.message
  }
}

function aboutOf({ chain, wallet }: HotWalletDeps, { id, nonce }: OpenTx) {
  return { chain: chain.key, wallet: wallet.address, transaction: id, nonce: Number(nonce) }
}
