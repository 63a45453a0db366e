// Signals wait here as raw bytes until the ledger has what they say. A signal leaves the inbox in the transaction that
// settles it, so it is settled once however often it is taken.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { invariant, must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, minuteMs, secondMs, sleep, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Rails } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { SettleKind } from './settle.ts'
import * as queries from './queries.ts'

/** How long a worker may hold a signal before another takes it. */
const leaseMs = 30 * secondMs
/** After so many tries a signal is parked for a person. */
const triesMax = 5
const pollMs = 500

export type InboxDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly kind: SettleKind
  readonly clock: Clock
  readonly log: Log
  readonly batchMax?: number
}

export type Inbox = {
  /** Takes signals until `signal` is aborted: at once when woken, and twice a second in any case. */
  run(signal: AbortSignal): Promise<void>
  wake(): void
}

export function createInbox(deps: InboxDeps): Inbox {
  let nap = new AbortController()
  return {
    async run(signal) {
      while (!signal.aborted) {
        nap = new AbortController()
        const taken = await drainOnce(deps).catch((error: unknown) => {
          deps.log.warn({ error: messageOf(error) }, 'the inbox cannot be read')
          return 0
        })
        if (taken === 0) await sleep(pollMs, AbortSignal.any([signal, nap.signal]))
      }
    },
    wake: () => nap.abort(),
  }
}

/** Takes what is due once and settles it. Answers how many signals were taken. */
export async function drainOnce(deps: InboxDeps): Promise<number> {
  const at = deps.clock.now()
  const rows = await queries.claimSignals(deps.sql, at, addMs(at, leaseMs), deps.batchMax ?? 500)
  await Promise.all(rows.map((row) => settleSignal(deps, row)))
  return rows.length
}

async function settleSignal(deps: InboxDeps, row: queries.InboxRow): Promise<void> {
  try {
    const rail = must(deps.rails.get(row.method), `no rail for ${row.method}`)
    const receipts = await rail.read(row)
    const verdicts = await deps.lane.submit(deps.kind, { signal: row.id, receipts })
    invariant(!verdicts.includes('unknown_payment'), 'a signal names a payment that is not there')
  } catch (error) {
    await postpone(deps, row, error)
  }
}

/** Later again; after too many tries only a person can help. A database that is away is nobody's fault and costs no try. */
async function postpone(deps: InboxDeps, row: queries.InboxRow, error: unknown): Promise<void> {
  const parked = row.tries >= triesMax && classify(error) === 'poison'
  const dueAt = addMs(deps.clock.now(), Math.min(2 ** row.tries * secondMs, minuteMs))
  const text = messageOf(error)
  deps.log[parked ? 'error' : 'warn']({ signal: row.id, tries: row.tries, error: text }, 'a signal was not settled')
  await queries.postponeSignal(deps.sql, row.id, { dueAt, parked, error: text }).catch(() => {
    // The lease ends by itself and the signal is taken again.
  })
}
