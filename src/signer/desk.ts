// Turns requests into signatures, one batch after another: decides, writes the journal, signs. Waiting requests are written
// together, so that a busy signer forces the disk once for many.
import { must } from '#/kernel/check.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { createHistory, type SignedHistory, type Entry, type Spending } from './history.ts'
import type { Journal } from './journal.ts'
import type { OpenKeys } from './keys.ts'
import type { ChainPolicy, Policy } from './policy-file.ts'
import { capOf, decide, eachOf, type Decision } from './policy.ts'
import type { Reply, SignerStatus } from './protocol.ts'
import type { Address } from './shape.ts'
import { sign } from './sign.ts'
import type { Transaction } from './transaction.ts'

export type Desk = {
  /** Never rejects. */
  sign(tx: Transaction): Promise<Reply>
  status(): readonly SignerStatus[]
  /** Accepts nothing more, and resolves when everything accepted is answered. */
  stop(): Promise<void>
}

type DeskDeps = {
  readonly policy: Policy
  readonly keys: Pick<OpenKeys, 'withSecret'>
  readonly journal: Pick<Journal, 'entries' | 'append'>
  readonly clock: Clock
  readonly log: Log
  /** The journal failed: nothing is signed any more, and only a new start can find out what is in it. */
  readonly onBroken: () => void
}

type Waiting = { readonly tx: Transaction; readonly answer: (reply: Reply) => void }

const batchMax = 64
const waitingMax = 4_096

export function createDesk(deps: DeskDeps): Desk {
  const history = createHistory()
  for (const entry of deps.journal.entries) history.record(entry)
  const waiting: Waiting[] = []
  let isStopping = false
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    // Everything else that arrives in this turn of the event loop joins the batch.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const isWell = await serve(deps, history, waiting.splice(0, batchMax))
      if (isWell) continue
      isStopping = true
      for (const { answer } of waiting.splice(0)) answer(unavailable('the journal cannot be written'))
      deps.onBroken()
    }
    working = undefined
  }

  return {
    sign(tx) {
      if (isStopping) return Promise.resolve(unavailable('the signer is stopping'))
      if (waiting.length >= waitingMax) return Promise.resolve(unavailable('too many requests wait'))
      return new Promise((answer) => {
        waiting.push({ tx, answer })
        working ??= work()
      })
    },
    status: () => statusOf(deps.policy, history, history.advanceTo(deps.clock.now().getTime())),
    async stop() {
      isStopping = true
      await working
    },
  }
}

/** Serves a batch. Returns false when the journal failed. */
async function serve(deps: DeskDeps, history: SignedHistory, batch: readonly Waiting[]): Promise<boolean> {
  const at = history.advanceTo(deps.clock.now().getTime())
  const entries: Entry[] = []
  const decisions = batch.map(({ tx }) => {
    const decision = decide(deps.policy, history, tx, at)
    if (decision.verdict === 'sign' && !decision.wasSigned) {
      history.record({ at, tx })
      entries.push({ at, tx })
    }
    return decision
  })
  try {
    if (entries.length > 0) await deps.journal.append(entries)
  } catch {
    // Some of it may be on the disk.
    deps.log.fatal({ entries: entries.length }, 'the journal cannot be written: the signer ends')
    for (const { answer } of batch) answer({ kind: 'unknown', reason: 'the journal could not be written' })
    return false
  }
  for (const [index, { tx, answer }] of batch.entries())
    answer(await replyTo(deps, tx, must(decisions[index], 'each request is decided')))
  return true
}

async function replyTo({ keys, log }: DeskDeps, tx: Transaction, decision: Decision): Promise<Reply> {
  const { key, nonce, reference } = tx
  const about = { key, chainId: String(tx.chainId), nonce: String(nonce), reference }
  if (decision.verdict === 'refuse') {
    const { code, reason, mayExist } = decision
    log.warn({ ...about, code, reason }, 'refused')
    return { kind: 'refused', code, reason, mayExist }
  }
  try {
    const signed = await keys.withSecret(key, (secret) => sign(tx, secret))
    log.info({ ...about, hash: signed.hash, wasSigned: decision.wasSigned }, 'signed')
    return { kind: 'signed', signed }
  } catch {
    // The library's message about a failed signature is never logged: it could hold the secret.
    log.error(about, 'could not be signed')
    return { kind: 'unknown', reason: 'signing failed' }
  }
}

function statusOf(policy: Policy, history: SignedHistory, at: number): readonly SignerStatus[] {
  return policy.keys.flatMap(({ address, chains }) =>
    chains.map((chain) => {
      const slot = { key: address, chainId: chain.chainId }
      const caps = spendings(chain).flatMap((what) => {
        const cap = capOf(chain, what)
        if (cap === undefined) return []
        return [{ what, spent: history.spent(slot, what, at), cap, each: eachOf(chain, what) }]
      })
      return { ...slot, highestNonce: history.highest(slot), maxFeePerGas: chain.maxFeePerGas, caps }
    }),
  )
}

function spendings({ calls }: ChainPolicy): readonly Spending[] {
  const tokens = calls.flatMap((rule): readonly Address[] =>
    rule.call === 'transfer' ? [rule.contract] : [],
  )
  return [...tokens, 'native', 'fees']
}

function unavailable(reason: string): Reply {
  return { kind: 'unavailable', reason }
}
