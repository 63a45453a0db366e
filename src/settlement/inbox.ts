// Signals wait here as raw bytes until the ledger has what they say. A signal leaves the inbox in the transaction that
// settles it, so it is settled once however often it is taken.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { TimedOutAlone } from '#/db/persist.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { invariant, must } from '#/kernel/check.ts'
import { AppError, messageOf, NoAnswerError, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Rails } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { logPutAside } from './alarm.ts'
import { settleParts, type SettleKind } from './settle.ts'
import * as queries from './inbox-queries.ts'

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
  /** The most signals of one claim. */
  readonly batchMax?: number
  /** Told of each signal before it is settled: it may speak of something else besides. */
  readonly heard?: (signal: queries.InboxRow) => Promise<void>
}

/** So many signals of one connection are read at the same time when reading them asks a provider. */
const readsMax = 50

export type Inbox = {
  /** Takes signals until `signal` is aborted: at once when woken, and twice a second in any case. */
  run(signal: AbortSignal): Promise<void>
  wake(): void
  /** Takes what is due once and settles it. Answers how many signals were taken. */
  once(): Promise<number>
}

/** What came in a crowd has a worker of its own, so that neither waits for the other. */
export function createInbox(deps: InboxDeps): Inbox {
  /** Connections whose signals are read without asking anybody: only the ledger bounds them. */
  const local = new Set<string>()
  const workers = [false, true].map((isCrowded) => createQueue(deps, local, isCrowded))
  return {
    run: async (signal) => {
      await Promise.all(workers.map((worker) => worker.run(signal)))
    },
    wake: () => workers.forEach((worker) => worker.wake()),
    once: async () => {
      const taken = await Promise.all(workers.map((worker) => worker.once()))
      return taken.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** Takes what is due once and settles it. Answers how many signals were taken. */
export function drainOnce(deps: InboxDeps): Promise<number> {
  return createInbox(deps).once()
}

function createQueue(deps: InboxDeps, local: Set<string>, isCrowded: boolean): DueWorker {
  const { sql, log, batchMax = 500 } = deps
  // Of a crowd a handful is small: each is a batch of the ledger, and everything else waits that long.
  const handful = isCrowded ? Math.max(1, batchMax >> 3) : batchMax
  return dueWorker<queries.InboxRow>({
    name: 'signal',
    log,
    leaseMs,
    pollMs,
    // While the ledger settles one handful, the next is taken and read, so the ledger need not wait for it.
    concurrency: {
      each: readsMax,
      total: (isCrowded ? 2 : 8) * handful,
      eachOf: (connection) => (local.has(connection) ? 2 * handful : undefined),
    },
    claim: (slots, forMs) =>
      queries.claimSignals(
        sql,
        { ...slots, total: Math.min(slots.total, handful) },
        { leaseMs: forMs, isCrowded },
      ),
    run: (row) => settleSignal(deps, row, local, isCrowded),
    postpone: (row, waitMs) =>
      queries.postponeSignal(sql, row, { tries: row.tries, waitMs, parked: false, error: '' }),
  })
}

async function settleSignal(
  deps: InboxDeps,
  row: queries.InboxRow,
  local: Set<string>,
  isCrowded: boolean,
): Promise<'done'> {
  try {
    await deps.heard?.(row)
    const rail = must(deps.rails.get(row.method), `no rail for ${row.method}`)
    const read = rail.read(row)
    if (!(read instanceof Promise)) local.add(row.connection)
    const receipts = await read
    const asked = { at: row.claimedAt }
    const verdicts = await settleParts((item) => deps.lane.submit(deps.kind, item, { isCrowded }), {
      signal: row.id,
      receipts,
      asked,
    })
    invariant(!verdicts.includes('unknown_payment'), 'a signal names a payment that is not there')
    invariant(
      !verdicts.includes('unbookable'),
      'what a signal says cannot be booked: its amount is none, or an account is in another currency',
    )
    logPutAside(deps.log, receipts, verdicts)
  } catch (error) {
    await postpone(deps, row, error)
  }
  return 'done'
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
  const named = { signal: row.claim.id, tries, claim: row.claim.number }
  deps.log[parked ? 'error' : 'warn']({ ...named, error: text }, 'a signal was not settled')
  const outcome = { tries, waitMs, parked, error: text }
  const isOurs = await queries.postponeSignal(deps.sql, row, outcome).catch(() => {
    // The lease ends by itself and the signal is taken again.
    return true
  })
  if (!isOurs) deps.log.warn(named, 'another worker has taken it since, and says what becomes of it')
}

/**
 * Whether the error says nothing of the signal: the database or the provider is away, or the lane has too much to do. Reading
 * changes nothing, so a provider that gives no whole answer is away too. One that was reached and makes no sense is not.
 */
function isAway(error: unknown): boolean {
  // Others were committed meanwhile: it is the signal.
  if (error instanceof TimedOutAlone) return false
  if (error instanceof ProviderError) return error.outcome === 'unavailable' || error instanceof NoAnswerError
  return error instanceof AppError ? error.code === 'unavailable' : classify(error) !== 'poison'
}
