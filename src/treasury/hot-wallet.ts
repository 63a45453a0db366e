// A wallet that sends. One process at a time handles the queue in order. For each transaction it binds a nonce for ever, gets the
// signature, stores the bytes, sends them, and sends them again until the transaction has ended on the chain. The memory of the
// process affects only timing: after a crash at any point the next process continues from the database and the chain.
import { haltText, readHalt } from '#/coins/halt-reasons.ts'
import type { IsDue } from '#/db/due.ts'
import { FencedOff } from '#/evm/fence.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { suggestFees } from './fees.ts'
import { followTxs, viewChain, type ChainView, type News, whoUsed } from './hot-wallet-follow.ts'
import {
  beginSending,
  endSending,
  keyOf,
  renew,
  underFence,
  type Held,
  type HotWalletDeps,
} from './hot-wallet-lease.ts'
import * as queries from './hot-wallet-queries.ts'
import { assignNonces } from './hot-wallet-queue.ts'
import { broadcastDue, signDue, type Scene } from './hot-wallet-send.ts'
import { signAgain } from './lost-signatures.ts'
import * as outgoing from './outgoing-queries.ts'
import { purposeOf, type OpenTx } from './outgoing.ts'

export type HotWallet = {
  /**
   * Sends until `signal` is aborted; stands by while another process sends from this wallet. `restMs` is given where a glance wakes it: it then
   * reads its queue when it is woken.
   */
  run(signal: AbortSignal, restMs?: number): Promise<void>
  /** Something is queued. */
  wake(): void
  readonly isDue: IsDue
}

/** A wallet whose key the signer holds. Its chain must be proven. */
export function createHotWallet(deps: HotWalletDeps): HotWallet {
  let nap = new AbortController()
  return {
    wake: () => nap.abort(),
    isDue: queries.isWalletDue(keyOf(deps), purposeOf[deps.wallet.purpose]),
    async run(signal, restMs) {
      let held: Held | undefined
      let isBusy = true
      while (!signal.aborted) {
        // Without a glance the queue is read at each pass.
        const isAsked: boolean = isBusy || nap.signal.aborted || restMs === undefined
        nap = new AbortController()
        let napMs = restMs === undefined || held === undefined ? idleMs : renewMs
        try {
          held ??= await beginSending(deps)
          isBusy = held !== undefined && (await step(deps, held, isAsked))
          if (isBusy) napMs = deps.pollMs
        } catch (error) {
          await recover(deps, held, error)
          held = undefined
          isBusy = true
          napMs = error instanceof Halted ? haltedPauseMs : pauseMs
          nap = new AbortController()
        }
        await sleep(napMs, AbortSignal.any([signal, nap.signal]))
      }
      if (held !== undefined) await endSending(deps, held.fence).catch(() => {})
    },
  }
}

/** The chain of the wallet is halted. */
class Halted extends Error {}

/** When idle: how often the queue is checked without a wake-up, and how often the chain is. */
const idleMs = secondMs
const idlePollMs = 15 * secondMs
/** Well within the lease. */
const renewMs = 2 * secondMs
const pauseMs = secondMs
const haltedPauseMs = 30 * secondMs

/**
 * One pass over queue and chain, and all work that follows from it. Returns whether anything is under way. Unless it is asked, it reads the
 * queue only as often as an idle wallet reads its chain.
 */
export async function step(deps: HotWalletDeps, held: Held, isAsked = true): Promise<boolean> {
  if (monotonicMs() >= held.renewAt) {
    await renew(deps, held.fence)
    held.renewAt = monotonicMs() + renewMs
  }
  if (!isAsked && monotonicMs() < held.pollAt) return false
  const row = await readRow(deps, held)
  if (row.hasLost) await signAgain(deps, held)
  const open = await outgoing.selectOpen(deps.sql, keyOf(deps))
  // A reason to wait is taken back when nothing waits any more.
  const hasReason = row.waiting !== null && row.stopped === null
  const isBusy = open.length > 0 || row.isQueued || hasReason
  if (!isBusy && monotonicMs() < held.pollAt) return false
  held.pollAt = monotonicMs() + idlePollMs
  // A new chain has none of our gas, coins and nonces yet.
  if (await deps.isLost?.()) return isBusy

  const { chain, wallet, rpc } = deps
  const view = await viewChain(rpc, chain, wallet.address)
  const news = await followTxs(rpc, chain, {
    view,
    wallet: wallet.address,
    open,
    whoUsed: ({ nonce, attempts }) =>
      whoUsed(deps.sql, rpc, {
        chain: chain.key,
        wallet: wallet.address,
        nonce,
        attempts,
        final: view.final,
      }),
  })
  const isOver = wasOurs(row, news, open)
  await keepNews(deps, held, news, isOver)
  for (const { id } of news.ends) forget(held, open.find((tx) => tx.id === id)?.attempts ?? [])
  const isTrusted = await trust(deps, held, { row: isOver ? { ...row, stopped: null } : row, view, news })
  if (!isTrusted || !isBusy) return isBusy
  await send(deps, held, row, view)
  return true
}

async function readRow(deps: HotWalletDeps, { fence }: Held): Promise<queries.WalletRow> {
  const { sql, chain, wallet } = deps
  const found = await queries.selectWallet(sql, keyOf(deps), purposeOf[wallet.purpose])
  const row = must(found, 'a wallet that sends is known')
  if (row.fence !== fence) throw new FencedOff(`another process sends from ${wallet.address}`)
  if (row.halted !== null) throw new Halted(`${chain.key} is halted: ${row.halted}`)
  return row
}

async function keepNews(
  deps: HotWalletDeps,
  { fence }: Held,
  { ends, progress }: News,
  isOver: boolean,
): Promise<void> {
  if (ends.length + progress.length === 0) return
  await underFence(deps, fence, async (tx) => {
    if (progress.length > 0) await outgoing.writeProgress(tx, progress)
    if (ends.length > 0) await outgoing.writeEnds(tx, keyOf(deps), ends, deps.clock.now())
    if (isOver) await queries.writeStopped(tx, keyOf(deps), null)
  })
  const about = { chain: deps.chain.key, wallet: deps.wallet.address }
  if (isOver) deps.log.warn(about, 'the stop of the wallet is over: the transaction was ours')
  if (ends.length > 0) deps.onEnded?.()
}

/** Whether the wallet is stopped because a nonce was taken, and what took it, and every other nonce that seemed taken, is ours after all. */
function wasOurs({ stopped }: queries.WalletRow, { ends }: News, open: readonly OpenTx[]): boolean {
  const reason = stopped === null ? undefined : readHalt(stopped)
  if (reason?.key !== 'nonce_taken') return false
  const ended = new Set(ends.map(({ id }) => id))
  const hasEnded = open.some(({ id, nonce }) => ended.has(id) && nonce.toString() === reason.values['nonce'])
  return hasEnded && open.every(({ id, isTaken }) => !isTaken || ended.has(id))
}

function forget({ broadcasts }: Held, attempts: readonly { readonly hash: `0x${string}` }[]): void {
  for (const { hash } of attempts) broadcasts.delete(hash)
}

type Pass = { readonly row: queries.WalletRow; readonly view: ChainView; readonly news: News }

/**
 * Whether the wallet may send. A final transaction with one of its nonces and a foreign hash means that another party has the
 * key: the wallet stops until an operator has checked it, or until the transaction proves to be ours. It stops only if this lasts;
 * meanwhile it sends nothing, nor while it is not proven whose transaction used a nonce.
 */
async function trust(deps: HotWalletDeps, held: Held, { row, view, news }: Pass): Promise<boolean> {
  if (news.impossible !== undefined) return row.stopped === null && stop(deps, held, news.impossible)
  if (news.unproven !== undefined) {
    const { nonce, reason } = news.unproven
    const what = `unproven ${nonce}`
    if (held.suspicion?.what !== what) {
      const about = { chain: deps.chain.key, wallet: deps.wallet.address, nonce: Number(nonce), reason }
      deps.log.warn(about, 'the node does not prove who used a nonce: nothing is sent until it does')
    }
    held.suspicion = { what, since: monotonicMs(), passes: 0 }
    held.pollAt = 0
    return false
  }
  const what = strangeness(row, view, news)
  if (what === undefined) {
    held.suspicion = undefined
    return row.stopped === null
  }
  const before = held.suspicion?.what === what ? held.suspicion : undefined
  const { since, passes } = before ?? { since: monotonicMs(), passes: 0 }
  held.suspicion = { what, since, passes: passes + 1 }
  // There may be a transaction under way that we do not know: check again soon.
  held.pollAt = 0
  if (held.suspicion.passes < passesMin || monotonicMs() < since + (deps.strangerMs ?? strangerMs))
    return false
  if (row.stopped !== null && news.usedByOthers.length === 0) return false
  return stop(deps, held, row.stopped ?? what, news.usedByOthers)
}

const passesMin = 3
const strangerMs = 60 * secondMs

function strangeness(row: queries.WalletRow, view: ChainView, news: News): string | undefined {
  const [nonce] = news.usedByOthers
  if (nonce !== undefined) return haltText('nonce_taken', { nonce })
  if (view.finalNonce <= row.nextNonce) return undefined
  return haltText('nonce_unknown', { nonce: row.nextNonce })
}

async function stop(
  deps: HotWalletDeps,
  held: Held,
  reason: string,
  usedByOthers: readonly bigint[] = [],
): Promise<false> {
  const { chain, wallet } = deps
  await underFence(deps, held.fence, async (tx) => {
    await queries.writeStopped(tx, keyOf(deps), reason)
    if (usedByOthers.length > 0) await outgoing.writeTaken(tx, keyOf(deps), usedByOthers)
  })
  deps.log.error({ chain: chain.key, wallet: wallet.address, reason }, 'the wallet is stopped')
  return false
}

async function send(deps: HotWalletDeps, held: Held, row: queries.WalletRow, view: ChainView): Promise<void> {
  const usual = await suggestFees(deps.rpc, deps.fees)
  const readScene = async (): Promise<Scene> => ({
    view,
    usual,
    // We no longer send with a nonce that a foreign transaction used.
    open: (await outgoing.selectOpen(deps.sql, keyOf(deps))).filter(({ isTaken }) => !isTaken),
  })
  let scene = await readScene()
  const assigned = row.isQueued ? await assignNonces(deps, held, scene) : undefined
  if (assigned !== undefined && assigned.count > 0) scene = await readScene()
  const signed = await signDue(deps, held, scene)
  if (signed.count > 0) scene = await readScene()
  await broadcastDue(deps, held, scene)
  const waiting = signed.waiting ?? assigned?.waiting ?? null
  if (waiting === row.waiting) return
  await underFence(deps, held.fence, (tx) => queries.writeWaiting(tx, keyOf(deps), waiting))
  if (waiting === null) return
  const { chain, wallet } = deps
  deps.log.warn({ chain: chain.key, wallet: wallet.address, waiting }, 'the queue of the wallet has to wait')
}

async function recover(deps: HotWalletDeps, held: Held | undefined, error: unknown): Promise<void> {
  if (error instanceof FencedOff) return
  const about = { chain: deps.chain.key, wallet: deps.wallet.address, error: messageOf(error) }
  if (error instanceof Halted) deps.log.error(about, 'the wallet sends nothing')
  else deps.log.warn(about, 'the wallet makes no progress')
  if (held !== undefined) await endSending(deps, held.fence).catch(() => {})
}
