// After a restore the signer's journal has transactions that the books have in an earlier state. The wallet binds each to the nonce under
// which it was signed, has the same signatures made again, and follows them to their end as usual. Such a transaction never gets another
// nonce: the signer would refuse it, and every later nonce would wait.
import type { Sql } from '#/db/client.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { SignerError } from '#/signer/client.ts'
import { keyOf, underFence, type Held, type HotWalletDeps } from './hot-wallet-lease.ts'
import { signerPauseMs } from './hot-wallet-send.ts'
import * as queries from './lost-signatures-queries.ts'
import type { LostSignature, LostTx } from './lost-signatures-queries.ts'
import { insertAttempts, writeCancel } from './outgoing-queries.ts'
import { checkSigned, type SignRequest, type WalletKey } from './outgoing.ts'

export type { LostSignature } from './lost-signatures-queries.ts'

/** Stores what the journals have for transactions that the books have in an earlier state. */
export async function recordLostSignatures(sql: Sql, lost: readonly LostSignature[]): Promise<void> {
  if (lost.length === 0) return
  await sql.begin((tx) => queries.insertLost(tx, lost))
}

/** The wallet continues at this nonce: the journals have all before it. Otherwise it would stop for nonces that it never assigned. */
export async function continueAt(sql: Sql, wallet: WalletKey, nonce: bigint): Promise<void> {
  await sql.begin((tx) => queries.raiseNextNonce(tx, wallet, nonce))
}

/** How many signatures are made again in one pass. */
const atOnce = 50

/** Has signatures of the lost span made again, and stores them. */
export async function signAgain(deps: HotWalletDeps, held: Held): Promise<void> {
  const wallet = keyOf(deps)
  const found = await queries.selectLost(deps.sql, wallet, atOnce)
  if (found.length === 0) return
  // First, so that nobody cancels it while the signer is away.
  await underFence(deps, held.fence, (tx) => queries.bindLost(tx, wallet, found))
  const lost = (await queries.selectLost(deps.sql, wallet, atOnce)).filter(({ isBound }) => isBound)
  if (lost.length === 0) return
  if (held.signer !== undefined && monotonicMs() < held.signer.retryAt) return
  const answers = await Promise.all(lost.map((each) => signOne(deps, each)))
  const signed = answers.flatMap(({ attempt }) => attempt ?? [])
  const done = answers.flatMap(({ each, isLater }) => (isLater ? [] : [each]))
  if (answers.some(({ isLater }) => isLater))
    held.signer = { retryAt: monotonicMs() + (deps.signerPauseMs ?? signerPauseMs), answer: {} }
  await underFence(deps, held.fence, async (tx) => {
    if (signed.length > 0) await insertAttempts(tx, signed, deps.clock.now())
    for (const { id, cancels } of signed) if (cancels) await writeCancel(tx, id, 'canceled')
    const hashes = signed.map(({ hash }) => hash)
    if (hashes.length > 0) await queries.explainMoves(tx, wallet.chain, hashes)
    if (done.length > 0) await queries.deleteLost(tx, wallet, done)
  })
}

async function signOne(deps: HotWalletDeps, each: LostTx) {
  const { id, fees, cancels, nonce } = each
  try {
    const request = requestOf(deps, each)
    const signed = await deps.signer.sign(request)
    await checkSigned(request, signed)
    return { each, isLater: false, attempt: { id, ...signed, fees, cancels } }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { chain, wallet, log } = deps
    const about = { chain: chain.key, wallet: wallet.address, nonce: Number(nonce), error: messageOf(error) }
    log.error(about, 'the signer did not sign again what its journal has')
    // If one that the signer refuses for good was mined, its nonce is found used, and a person decides.
    return { each, isLater: !(error instanceof SignerError && error.code !== undefined) || error.isForNow }
  }
}

function requestOf({ chain, wallet }: HotWalletDeps, lost: LostTx): SignRequest {
  const { nonce, reference, gas, fees, cancels, to, value, data } = lost
  const common = { key: wallet.address, chainId: chain.chainId, nonce, reference, gas, fees }
  return cancels ? { ...common, to: wallet.address, value: 0n, data: '0x' } : { ...common, to, value, data }
}
