// The queue of a wallet that sends. A transaction gets a nonce when the wallet can pay for it and the signer would sign it. Any
// other stays in the queue and delays no other payout. A nonce is bound for ever, so everything that can be checked is checked
// before.
import { mainToken } from '#/coins/chain.ts'
import { toBookUnits } from '#/coins/units.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { minOf } from '#/kernel/money.ts'
import { minuteMs, monotonicMs } from '#/kernel/time.ts'
import { finalFunds } from './hot-wallet-follow.ts'
import { keyOf, type Held, type HotWalletDeps } from './hot-wallet-lease.ts'
import * as queries from './hot-wallet-queries.ts'
import { signerPauseMs, type Done, type Scene } from './hot-wallet-send.ts'
import { purposeOf, type ChainTxId } from './outgoing.ts'

/** What may still be spent: base units of the token and wei, at the wallet and by the signer's caps. */
type Room = {
  units: bigint
  wei: bigint
  readonly signer: { units: bigint; fees: bigint; readonly each: bigint }
}

/** More than any amount or fee. */
const unlimited = 2n ** 256n

/** How long a transaction may wait in the queue before an alarm is logged, and the pause between alarms. */
const alarmAfterMs = 10 * minuteMs

/**
 * Assigns nonces to the queue, the oldest first, as many as are free. Skips a transaction that the wallet cannot pay for at the
 * final block (coins in a block that can still leave the chain do not count) or that the signer's caps do not allow now. A payout
 * above the signer's cap on one transfer fails: it would never be signed.
 */
export async function assignNonces(deps: HotWalletDeps, held: Held, scene: Scene): Promise<Done> {
  const { sql, chain, wallet, inFlightMax = 16 } = deps
  const { open, usual } = scene
  const places = inFlightMax - open.length
  // Nothing is assigned while a nonce has no signed transaction: nothing after that nonce could be mined.
  if (places <= 0 || open.some(({ attempts }) => attempts.length === 0)) return { count: 0 }
  if (held.signer !== undefined && monotonicMs() < held.signer.retryAt)
    return { count: 0, ...held.signer.answer }
  const limits = await signerLimits(deps, held, scene)
  if ('waiting' in limits) return { count: 0, waiting: limits.waiting }
  const room = await roomOf(deps, scene, limits)
  const queue = { chain: chain.key, purpose: purposeOf[wallet.purpose] }
  const sender = { ...keyOf(deps), fence: held.fence }
  const { each } = limits
  if (each < unlimited && queue.purpose === 'PAYOUT' && (await queries.failAbove(sql, sender, each)) > 0)
    deps.onEnded?.()
  const unitsMax = minOf(minOf(room.units, limits.units), each)
  const { taken, stopped } = await choose(deps, queue, room, {
    unitsMax,
    places,
    feePerGas: usual.maxFeePerGas,
  })
  // Fewer than requested when one was canceled or frozen meanwhile: the next transaction gets its nonce.
  const count = taken.length === 0 ? 0 : await queries.reserveNonces(sql, sender, taken)
  // When all places are used, the rest waits only for a place.
  const oldest =
    taken.length === places
      ? undefined
      : await queries.selectOldestQueued(sql, queue, { oldMs: alarmAfterMs, without: stopped })
  if (oldest === undefined) return { count }
  const waiting = shortOf(room, oldest, usual.maxFeePerGas)
  if (oldest.isOld) alarm(deps, held, oldest, waiting)
  return { count, ...given({ waiting }) }
}

/**
 * The oldest of the queue for which there is room. The gate is asked about payouts here, because a nonce is bound for ever: one that may not
 * leave now waits on, and takes no other's place.
 */
async function choose(
  { sql, stillLeaving }: Pick<HotWalletDeps, 'sql' | 'stillLeaving'>,
  queue: queries.Queue,
  room: Room,
  { unitsMax, places, feePerGas }: { unitsMax: bigint; places: number; feePerGas: bigint },
): Promise<{ readonly taken: readonly ChainTxId[]; readonly stopped: readonly string[] }> {
  const taken: ChainTxId[] = []
  const stopped: string[] = []
  for (let after: ChainTxId | undefined; ;) {
    const page = await queries.selectQueued(sql, queue, { unitsMax, after, limit: places })
    const subjects = page.map(({ subject }) => subject)
    const allowed =
      stillLeaving === undefined || queue.purpose !== 'PAYOUT' || page.length === 0
        ? new Set(subjects)
        : await sql.begin((tx) => stillLeaving(tx, subjects))
    const leaving = page.filter(({ subject }) => allowed.has(subject))
    for (const tx of leaving) if (taken.length < places && take(room, tx, feePerGas)) taken.push(tx.id)
    stopped.push(...subjects.filter((subject) => !allowed.has(subject)))
    if (leaving.length === page.length || page.length < places || taken.length === places)
      return { taken, stopped }
    after = page.at(-1)?.id
  }
}

type Limits = { readonly units: bigint; readonly fees: bigint; readonly each: bigint }

/** What the signer would still sign for this wallet, or why it signs nothing now. */
async function signerLimits(
  { signer, wallet, chain, log, signerPauseMs: pauseMs = signerPauseMs }: HotWalletDeps,
  held: Held,
  { usual }: Scene,
): Promise<Limits | { readonly waiting: string }> {
  try {
    const all = await signer.status()
    const ownStatus = all.find(({ key, chainId }) => key === wallet.address && chainId === chain.chainId)
    if (ownStatus?.maxFeePerGas !== undefined && usual.maxFeePerGas > ownStatus.maxFeePerGas)
      return { waiting: `SIGNER: the usual fee is over ${ownStatus.maxFeePerGas} wei for one gas` }
    const token = mainToken(chain)
    const cap = ownStatus?.caps.find(({ what }) => what === token.address)
    const fees = ownStatus?.caps.find(({ what }) => what === 'fees')
    return {
      units: cap === undefined ? unlimited : toBookUnits(token, { raw: cap.cap - cap.spent }),
      each: cap?.each === undefined ? unlimited : toBookUnits(token, { raw: cap.each }),
      fees: fees === undefined ? unlimited : fees.cap - fees.spent,
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn(
      { chain: chain.key, wallet: wallet.address, error: messageOf(error) },
      'the signer does not answer',
    )
    const answer = { waiting: `SIGNER: ${messageOf(error)}` }
    held.signer = { retryAt: monotonicMs() + pauseMs, answer }
    return answer
  }
}

/** What the wallet has at the final block, less what is under way. */
async function roomOf(
  { rpc, chain, wallet }: HotWalletDeps,
  { view, open, usual }: Scene,
  signer: Limits,
): Promise<Room> {
  let { units, wei } = await finalFunds(rpc, chain, wallet.address, view.final)
  for (const tx of open) {
    if (tx.nonce < view.finalNonce) continue
    units -= tx.units
    wei -= tx.value + tx.gas * (tx.attempts.at(-1)?.fees ?? usual).maxFeePerGas
  }
  return { units, wei, signer: { ...signer } }
}

/** Whether it fits; if so, its cost is deducted from the room. */
function take(room: Room, tx: queries.QueuedTx, feePerGas: bigint): boolean {
  if (shortOf(room, tx, feePerGas) !== undefined) return false
  const fee = tx.gas * feePerGas
  room.units -= tx.units
  room.wei -= tx.value + fee
  room.signer.units -= tx.units
  room.signer.fees -= fee
  return true
}

/** Why it does not fit: the wallet is short of TOKENS or of GAS, or the signer's caps are used. */
function shortOf(
  { units, wei, signer }: Room,
  tx: Pick<queries.QueuedTx, 'units' | 'value' | 'gas'>,
  feePerGas: bigint,
): string | undefined {
  const fee = tx.gas * feePerGas
  if (tx.units > units) return 'TOKENS'
  if (tx.value + fee > wei) return 'GAS'
  if (tx.units > signer.each) return `SIGNER: ${tx.units} is over ${signer.each} for one transfer`
  if (tx.units > signer.units) return `SIGNER: ${tx.units} is over what its daily cap leaves, ${signer.units}`
  if (fee > signer.fees)
    return `SIGNER: a fee of ${fee} wei is over what its daily cap leaves, ${signer.fees}`
  return undefined
}

function alarm(
  { chain, wallet, log }: HotWalletDeps,
  held: Held,
  { subject, units, createdAt }: queries.OldestQueued,
  waiting: string | undefined,
): void {
  if (monotonicMs() < held.alarmAt) return
  held.alarmAt = monotonicMs() + alarmAfterMs
  const about = { chain: chain.key, wallet: wallet.address, subject, units: units.toString() }
  log.error(
    { ...about, since: createdAt.toISOString(), waiting },
    'a transaction waits too long in the queue',
  )
}
