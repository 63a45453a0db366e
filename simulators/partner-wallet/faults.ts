// Faults of merchant API calls: refused, never answered, cut off after the work, late.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../kit/clock.ts'
import type { Call, Reply } from '../kit/http.ts'
import { Refusal } from '../kit/refusal.ts'
import { abnormal } from './errors.ts'
import { span, type Wallet } from './wallet.ts'

const slowSeconds = 3
/** Longer than any caller waits. */
const silenceMs = 60_000

/** Does the work, or what the current fault demands. */
export async function spoil(wallet: Wallet, call: Call, work: () => Promise<Reply>): Promise<Reply> {
  const { fault } = wallet.passing
  if (fault.mode === 'none') return work()
  if (fault.left !== undefined) {
    fault.left -= 1
    if (fault.left === 0) wallet.passing.fault = { mode: 'none' }
  }
  wallet.eventStore.record({ type: 'call.spoiled', at: now(), path: call.path, how: fault.mode })
  switch (fault.mode) {
    case '5xx':
      throw abnormal(503)
    case 'timeout':
      await silence(call)
      return { status: 500, cut: 'all' }
    case 'reset_after_commit':
      return { ...(await answerOf(work)), cut: 'all' }
    case 'slow': {
      const reply = await answerOf(work)
      await sleep(span(wallet.options, slowSeconds))
      return reply
    }
  }
}

/** Waits until the caller gives up. */
async function silence({ socket }: Call): Promise<void> {
  if (socket.destroyed) return
  const stop = new AbortController()
  const gone = once(socket, 'close', { signal: stop.signal }).catch(() => undefined)
  const late = sleep(silenceMs, undefined, { signal: stop.signal }).catch(() => undefined)
  await Promise.race([gone, late])
  stop.abort()
}

/** A refusal is an answer too. */
async function answerOf(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}
