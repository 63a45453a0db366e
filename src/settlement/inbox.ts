// Signals wait here as raw bytes until the ledger has what they say. A signal leaves the inbox in the transaction that
// settles it, so it is settled once however often it is taken.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { TimedOutAlone } from '#/db/persist.ts'
import { invariant, must } from '#/kernel/check.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs, sleep } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Rails } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { tellPutAside } from './alarm.ts'
import { settleParts, type SettleKind } from './settle.ts'
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
  readonly log: Log
  readonly batchMax?: number
  /** Told of each signal before it is settled: it may speak of something else besides. */
  readonly heard?: (signal: queries.InboxRow) => Promise<void>
}

export type Inbox = {
  /** Takes signals until `signal` is aborted: at once when woken, and twice a second in any case. */
  run(signal: AbortSignal): Promise<void>
  wake(): void
}

export function createInbox(deps: InboxDeps): Inbox {
  const naps = { alone: new AbortController(), crowd: new AbortController() }
  async function take(queue: keyof typeof naps, signal: AbortSignal): Promise<void> {
    // While the ledger settles one handful, the next is taken and read, so the ledger need not wait for it.
    let settling: Promise<void> = Promise.resolve()
    while (!signal.aborted) {
      naps[queue] = new AbortController()
      const rows = await claim(deps, queue === 'crowd').catch((error: unknown) => {
        deps.log.warn({ error: messageOf(error) }, 'the inbox cannot be read')
        return []
      })
      const next = settleAll(deps, rows)
      await settling
      settling = next
      if (rows.length === 0) await sleep(pollMs, AbortSignal.any([signal, naps[queue].signal]))
    }
    await settling
  }
  return {
    run: async (signal) => {
      await Promise.all([take('alone', signal), take('crowd', signal)])
    },
    wake: () => {
      naps.alone.abort()
      naps.crowd.abort()
    },
  }
}

/** Takes what is due once and settles it. Answers how many signals were taken. */
export async function drainOnce(deps: InboxDeps): Promise<number> {
  const taken = await Promise.all([claim(deps, false), claim(deps, true)])
  const rows = taken.flat()
  await settleAll(deps, rows)
  return rows.length
}

/** Of a crowd a handful is small: each is a batch of the ledger, and everything else waits that long. */
function claim({ sql, batchMax = 500 }: InboxDeps, isCrowded: boolean): Promise<readonly queries.InboxRow[]> {
  const limit = isCrowded ? Math.max(1, batchMax >> 2) : batchMax
  return queries.claimSignals(sql, leaseMs, { isCrowded, limit })
}

async function settleAll(deps: InboxDeps, rows: readonly queries.InboxRow[]): Promise<void> {
  await Promise.all(rows.map((row) => settleSignal(deps, row)))
}

async function settleSignal(deps: InboxDeps, row: queries.InboxRow): Promise<void> {
  try {
    await deps.heard?.(row)
    const rail = must(deps.rails.get(row.method), `no rail for ${row.method}`)
    const receipts = await rail.read(row)
    const verdicts = await settleParts((item) => deps.lane.submit(deps.kind, item), {
      signal: row.id,
      receipts,
    })
    invariant(!verdicts.includes('unknown_payment'), 'a signal names a payment that is not there')
    invariant(
      !verdicts.includes('unbookable'),
      'what a signal says cannot be booked: its amount is none, or an account is in another currency',
    )
    tellPutAside(deps.log, receipts, verdicts)
  } catch (error) {
    await postpone(deps, row, error)
  }
}

/**
 * Later again; after too many tries only a person can help. A database or a provider that is away is nobody's fault and
 * costs no try.
 */
async function postpone(deps: InboxDeps, row: queries.InboxRow, error: unknown): Promise<void> {
  const tries = isAway(error) ? row.tries - 1 : row.tries
  const parked = tries >= triesMax
  const waitMs = Math.min(2 ** tries * secondMs, minuteMs)
  const text = messageOf(error)
  deps.log[parked ? 'error' : 'warn']({ signal: row.id, tries, error: text }, 'a signal was not settled')
  await queries.postponeSignal(deps.sql, row.id, { tries, waitMs, parked, error: text }).catch(() => {
    // The lease ends by itself and the signal is taken again.
  })
}

/**
 * Whether the error says nothing of the signal: the database or the provider is away, or the lane has too much to do. A
 * provider that was reached and makes no sense is no such case.
 */
function isAway(error: unknown): boolean {
  // Others were committed meanwhile: it is the signal.
  if (error instanceof TimedOutAlone) return false
  if (error instanceof ProviderError) return error.outcome === 'unavailable'
  return error instanceof AppError ? error.code === 'unavailable' : classify(error) !== 'poison'
}
