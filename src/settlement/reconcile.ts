// Finds lost callbacks: periodically queries every connection for a list of what happened there. Receipts that were not settled
// are settled now; the others cost one look-up.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, dayMs, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { ListedSpan, Rail, Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { selectRefundsById } from '#/refunds/queries.ts'
import * as queries from './queries.ts'
import * as passQueries from './reconcile-queries.ts'
import { isRefund, receiptKey } from './related.ts'

export type ReconcilerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly connections: ConnectionBook
  readonly log: Log
  /** The time between two passes over the recent past. */
  readonly periodMs: number
  readonly settle: (receipts: readonly Receipt[], inquiry?: Inquiry) => Promise<unknown>
}

type PassDeps = Pick<ReconcilerDeps, 'sql' | 'log'>

export type Pass = {
  readonly name: string
  readonly everyMs: number
  /** How far a pass goes back before the end of the one before it: providers record some things late. */
  readonly backMs: number
  readonly onlyReturned?: true
}

function passes(periodMs: number): readonly Pass[] {
  return [
    { name: 'recent', everyMs: periodMs, backMs: 15 * minuteMs },
    { name: 'day', everyMs: 15 * minuteMs, backMs: dayMs },
    { name: 'week', everyMs: dayMs, backMs: 7 * dayMs },
    // Providers list money by when it came; it may be returned much later.
    { name: 'returned', everyMs: hourMs, backMs: 100 * dayMs, onlyReturned: true },
  ]
}

/**
 * After this time another worker claims the pass of a worker that died or lost the database. A worker that is still running
 * renews it.
 */
const leaseMs = 5 * secondMs
const renewEveryMs = 1.5 * secondMs

/** How many passes run at the same time, of each connection and in total: a connection that hangs delays only its own passes. */
const concurrency = { each: 4, total: 2_000 }

/** What is reconciled. It is determined anew for each claim, because connections come and go. */
export type Round = {
  readonly connections: readonly ConnectionId[]
  readonly passes: readonly Pass[]
  /** Settles what is new in the span, which was queried at `at` or later. Returns how much was new. */
  readonly settle: (connection: ConnectionId, span: ListedSpan, at: Date) => Promise<number>
}

/** Reconciles connections when their passes are due. */
export function createReconciler(deps: ReconcilerDeps): DueWorker {
  return createPassWorker(deps, () => roundOf(deps))
}

/** Runs the due passes once. Returns how many receipts were new. */
export function reconcileDue(deps: ReconcilerDeps): Promise<number> {
  return runPasses(deps, roundOf(deps))
}

function roundOf(deps: ReconcilerDeps): Round {
  const listing = [...deps.rails.values()].filter((rail) => rail.list !== undefined)
  return {
    connections: listing.flatMap((rail) => deps.connections.all(rail.method).map(({ id }) => id)),
    passes: passes(deps.periodMs),
    settle: (id, span, at) => settleNew(deps, id, span, at),
  }
}

/** Runs the due passes of this round once. Returns the sum of what `settle` found. */
export async function runPasses(deps: PassDeps, round: Round): Promise<number> {
  let found = 0
  await createPassWorker(
    deps,
    () => round,
    (count) => (found += count),
  ).once()
  return found
}

export function createPassWorker(
  deps: PassDeps,
  roundNow: () => Round,
  onFound: (count: number) => void = () => {},
): DueWorker {
  const { sql, log } = deps
  return dueWorker<passQueries.DuePass>({
    name: 'pass',
    log,
    leaseMs,
    concurrency,
    isDue: (any) => {
      const { connections, passes: all } = roundNow()
      const names = all.map(({ name }) => name)
      return passQueries.isPassDue(connections, names)(any)
    },
    async claim(slots) {
      const { connections, passes: all } = roundNow()
      if (connections.length === 0) return []
      const names = all.map(({ name }) => name)
      await passQueries.insertPasses(sql, connections, names)
      return passQueries.claimPasses(sql, connections, slots, leaseMs)
    },
    async run(due) {
      const { passes: all, settle } = roundNow()
      const pass = all.find(({ name }) => name === due.pass)
      if (pass !== undefined) onFound(await runPass(deps, pass, due, settle))
      return 'done'
    },
    postpone: (due, waitMs) => passQueries.finishPass(sql, due, { through: due.through, waitMs }),
    backoff: () => minuteMs,
  })
}

async function runPass(
  { sql, log }: PassDeps,
  pass: Pass,
  due: passQueries.DuePass,
  settle: Round['settle'],
): Promise<number> {
  const to = due.claimedAt
  const from = addMs(due.through < to ? due.through : to, -pass.backMs)
  const span: ListedSpan = { from, to, ...(pass.onlyReturned ? { onlyReturned: true } : {}) }
  const endLease = keepLease(() => passQueries.renewPass(sql, due, leaseMs))
  const found = await settle(due.connection, span, due.claimedAt).catch((error: unknown) => {
    log.warn(
      { connection: due.connection, pass: pass.name, error: messageOf(error) },
      'a connection could not be reconciled',
    )
    return undefined
  })
  await endLease()
  const end =
    found === undefined
      ? { through: due.through, waitMs: Math.min(pass.everyMs, minuteMs) }
      : { through: to, waitMs: pass.everyMs }
  if (!(await passQueries.finishPass(sql, due, end)))
    log.warn({ pass: due.claim.id }, 'another worker has claimed it since and decides when it is due again')
  if (found !== undefined && found > 0)
    log.info({ connection: due.connection, pass: pass.name, found }, 'found what no callback had reported')
  return found ?? 0
}

/**
 * Renews the lease periodically. The function that it returns stops that and waits for a running renewal, because a renewal
 * after the end of the pass would delay the next pass.
 */
function keepLease(renew: () => Promise<void>): () => Promise<void> {
  let renewal = Promise.resolve()
  const timer = setInterval(() => {
    // If the renewal fails, another worker may claim the pass too: it finds receipts that are settled already.
    renewal = renewal.then(renew).catch(() => {})
  }, renewEveryMs)
  return () => {
    clearInterval(timer)
    return renewal
  }
}

async function settleNew(
  deps: ReconcilerDeps,
  connection: ConnectionId,
  span: ListedSpan,
  at: Date,
): Promise<number> {
  const rail = railOf(deps, connection)
  if (rail?.list === undefined) return 0
  let found = 0
  for await (const receipts of rail.list(connection, span)) {
    if (receipts.length === 0) continue
    const stored = await queries.selectRelated(deps.sql, receipts)
    const existing = new Set(stored.map(receiptKey))
    const repeated = receipts.filter((receipt) => existing.has(receiptKey(receipt)))
    const fresh = [
      ...receipts.filter((receipt) => !existing.has(receiptKey(receipt))),
      ...(await revoked(deps, repeated)),
    ]
    if (fresh.length > 0) await settleFresh(deps, fresh, { at })
    found += fresh.length
  }
  return found
}

/** Receipts of refunds that are recorded already and contradict the refund's status: the provider may have revoked a later report. */
async function revoked({ sql }: ReconcilerDeps, repeated: readonly Receipt[]): Promise<readonly Receipt[]> {
  const reports = repeated.filter(isRefund)
  const ids = reports.flatMap(({ refund }) => refund ?? [])
  if (ids.length === 0) return []
  const refunds = new Map((await selectRefundsById(sql, [...new Set(ids)])).map((each) => [each.id, each]))
  return reports.filter(({ refund, outcome, amount }) => {
    const kept = refund && refunds.get(refund)
    const status = outcome === 'refunded' ? 'COMPLETED' : 'FAILED'
    return kept !== undefined && kept.status !== status && kept.amountMinor === amount.minor
  })
}

/** Settles the receipts together. If one of them cannot be booked, settles each alone, so that the others are booked. */
async function settleFresh(
  { settle, log }: ReconcilerDeps,
  fresh: readonly Receipt[],
  inquiry: Inquiry,
): Promise<void> {
  try {
    await settle(fresh, inquiry)
    return
  } catch (error) {
    if (isAway(error)) throw error
  }
  for (const receipt of fresh) {
    try {
      await settle([receipt], inquiry)
    } catch (error) {
      if (isAway(error)) throw error
      const { connection, providerRef, outcome } = receipt
      log.error({ connection, providerRef, outcome, error: messageOf(error) }, 'a receipt cannot be booked')
    }
  }
}

/** Whether the receipts are not the cause of the error. */
function isAway(error: unknown): boolean {
  return error instanceof AppError || classify(error) !== 'poison'
}

function railOf({ rails, connections }: ReconcilerDeps, id: ConnectionId): Rail | undefined {
  const method = connections.find(id)?.method
  return [...rails.values()].find((rail) => rail.method === method)
}
