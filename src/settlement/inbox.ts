// Signals wait here as raw bytes until their receipts are in the ledger. The transaction that settles a signal also deletes it,
// so it is settled once, however often it is claimed.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { FailedAlone } from '#/db/persist.ts'
import { dueWorker, together, type DueWorker } from '#/jobs/worker.ts'
import { invariant, must } from '#/kernel/check.ts'
import { AppError, messageOf, NoAnswerError, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Rails, KeepSignals } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './inbox-queries.ts'
import { insertSignals } from './inbox-queries.ts'
import { settleParts, type SettleKind, type SettleVerdict } from './settle.ts'

/** How long a worker may hold a signal before another one claims it. */
const leaseMs = 30 * secondMs
/** After this number of tries a signal is parked for a person. */
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
  /** Called with each signal before it is settled, because it may report something else too. */
  readonly onSignal?: (signal: queries.InboxRow) => Promise<void>
}

/** At most this number of signals of one connection are read at the same time when reading them queries a provider. */
const readsMax = 50

/** Its `run` settles signals at once when it is woken, and twice a second where no glance wakes it. */
type Inbox = DueWorker

/** Crowded signals have a worker of their own, so that they and the others do not wait for each other. */
export function createInbox(deps: InboxDeps): Inbox {
  /** Connections whose signals are read without a query to a provider: only the ledger limits them. */
  const local = new Set<string>()
  const workers = [false, true].map((isCrowded) => createQueue(deps, local, isCrowded))
  return together(workers)
}

/** Claims what is due once and settles it. Returns the number of signals that were claimed. */
export function drainOnce(deps: InboxDeps): Promise<number> {
  return createInbox(deps).once()
}

function createQueue(deps: InboxDeps, local: Set<string>, isCrowded: boolean): DueWorker {
  const { sql, log, batchMax = 500 } = deps
  // Crowded signals are claimed a few at a time: each claim is a batch of the ledger, and all other work waits for it.
  const handful = isCrowded ? Math.max(1, batchMax >> 3) : batchMax
  return dueWorker<queries.InboxRow>({
    name: 'signal',
    log,
    leaseMs,
    pollMs,
    // While the ledger settles one claim, the next one is made and read, so the ledger does not wait for it.
    concurrency: {
      each: readsMax,
      total: (isCrowded ? 2 : 8) * handful,
      eachOf: (connection) => (local.has(connection) ? 2 * handful : undefined),
    },
    isDue: queries.isSignalDue(isCrowded),
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
    await deps.onSignal?.(row)
    const rail = must(deps.rails.get(row.method), `no rail for ${row.method}`)
    const read = rail.read(row)
    if (!(read instanceof Promise)) local.add(row.connection)
    const receipts = await read
    const inquiry = { at: row.claimedAt }
    const verdicts = await settleParts((item) => deps.lane.submit(deps.kind, item, { isCrowded }), {
      signal: row.id,
      receipts,
      inquiry,
    })
    invariant(!verdicts.includes('unknown_payment'), 'a signal names a payment that is not there')
    invariant(
      !verdicts.includes('unbookable'),
      'what a signal reports cannot be booked: its amount is not valid, or an account is in another currency',
    )
    logPutAside(deps.log, receipts, verdicts)
    // The signal is read again in a moment, and then its report is later than those that are booked now. If this repeats too
    // often, the signal is parked for a person.
    invariant(
      !verdicts.includes('undecided'),
      'the provider reports two ends of a refund, and nobody knows which of them is true now: it is queried again',
    )
  } catch (error) {
    await postpone(deps, row, error)
  }
  return 'done'
}

/**
 * Makes the signal due again later. After too many tries it is parked for a person. A try does not count while the database or
 * the provider is not reachable.
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
    // The lease ends by itself and the signal is claimed again.
    return true
  })
  if (!isOurs) deps.log.warn(named, 'another worker has claimed it since and decides what happens to it')
}

/**
 * Whether the cause of the error is not the signal: the database or the provider is not reachable, or the lane is overloaded.
 * An incomplete answer of a provider counts as not reachable too, because reading changes nothing. A complete answer that makes
 * no sense does not.
 */
function isAway(error: unknown): boolean {
  // Other items were committed meanwhile: the signal is the cause.
  if (error instanceof FailedAlone) return false
  if (error instanceof ProviderError) return error.outcome === 'unavailable' || error instanceof NoAnswerError
  return error instanceof AppError ? error.code === 'unavailable' : classify(error) !== 'poison'
}

// Logs what settlement could not book as reported, because a person has to check it.

/** Logs every receipt that was not booked as it says; `verdicts` are in the order of the receipts. */
export function logPutAside(log: Log, receipts: readonly Receipt[], verdicts: SettleVerdict): void {
  for (const [index, { connection, providerRef, outcome, amount }] of receipts.entries()) {
    const verdict = verdicts[index]
    const named = { connection, providerRef, outcome, minor: String(amount.minor), currency: amount.currency }
    if (verdict === 'suspended') log.error(named, 'money that fits no payment of ours is in suspense')
    if (verdict === 'differs')
      log.error(
        named,
        'a provider reports another amount than the books have, or a refund that we had recorded as failed',
      )
    if (verdict === 'unbookable')
      log.error(
        named,
        'its amount is not valid, or an account that it moves is in another currency; nothing was booked',
      )
    if (verdict === 'superseded')
      log.warn(
        named,
        'a refusal came from a worker that does not hold the refund any more; nothing was booked',
      )
    if (verdict === 'undecided')
      log.warn(named, 'a refund was reported with two ends; nothing was booked until the provider says which')
    if (verdict === 'noted')
      log.error(named, 'the report of a provider contradicts the books; nothing was booked')
  }
}

// How a rail whose facts are in tables of its own puts them into the inbox.

/** `clock`: when they were received. */
export function signalKeeper(clock: Clock): KeepSignals {
  return (tx, method, connection, bodies) =>
    insertSignals(
      tx,
      bodies.map((body) => ({ method, connection, body })),
      clock.now(),
    )
}
