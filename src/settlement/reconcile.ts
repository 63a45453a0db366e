// Looking for lost callbacks: every connection is asked again and again what happened there. Whatever it names that was not
// settled is settled now; the rest costs one look-up.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { ConnectionBook, ListedSpan, Rail, Rails, Receipt } from '#/rails/rail.ts'
import { receiptKey } from './related.ts'
import * as queries from './queries.ts'

export type ReconcilerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  /** Between two looks at the recent past. */
  readonly periodMs: number
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
}

type LookerDeps = Pick<ReconcilerDeps, 'sql' | 'clock' | 'log'>

/** A look goes back this far before the end of the one before it: providers write down some things late. */
export type Look = {
  readonly name: string
  readonly everyMs: number
  readonly backMs: number
  readonly onlyReturned?: true
}

export const dayMs = 24 * hourMs

function looks(periodMs: number): readonly Look[] {
  return [
    { name: 'recent', everyMs: periodMs, backMs: 15 * minuteMs },
    { name: 'day', everyMs: 15 * minuteMs, backMs: dayMs },
    { name: 'week', everyMs: dayMs, backMs: 7 * dayMs },
    // Providers list money by when it came; what goes back may do so much later.
    { name: 'returned', everyMs: hourMs, backMs: 100 * dayMs, onlyReturned: true },
  ]
}

/** A worker that died, or lost the database, leaves its look to be taken again so soon; one that goes on keeps it. */
const leaseMs = 5 * secondMs
const renewEveryMs = 1.5 * secondMs

/** Takes the looks that are due. Answers how many receipts were new. */
export function reconcileDue(deps: ReconcilerDeps): Promise<number> {
  const listing = [...deps.rails.values()].filter((rail) => rail.list !== undefined)
  const connections = listing.flatMap((rail) => deps.connections.all(rail.method).map(({ id }) => id))
  return takeLooks(deps, {
    connections,
    looks: looks(deps.periodMs),
    settle: (id, span) => settleNew(deps, id, span),
  })
}

/** Takes those of the looks that are due at these connections. Answers what `settle` found in all of them. */
export async function takeLooks(
  deps: LookerDeps,
  round: {
    readonly connections: readonly ConnectionId[]
    readonly looks: readonly Look[]
    readonly settle: (connection: ConnectionId, span: ListedSpan) => Promise<number>
  },
): Promise<number> {
  const { connections, looks: all, settle } = round
  if (connections.length === 0) return 0
  await queries.insertLooks(
    deps.sql,
    connections,
    all.map((look) => look.name),
  )
  const due = await queries.claimLooks(deps.sql, connections, leaseMs)
  const found = await Promise.all(
    due.map(async (each) => {
      const look = all.find(({ name }) => name === each.look)
      return look === undefined ? 0 : lookThrough(deps, look, each, settle)
    }),
  )
  return found.reduce((sum, each) => sum + each, 0)
}

async function lookThrough(
  { sql, clock, log }: LookerDeps,
  look: Look,
  due: queries.DueLook,
  settle: (connection: ConnectionId, span: ListedSpan) => Promise<number>,
): Promise<number> {
  const to = clock.now()
  const from = addMs(due.through < to ? due.through : to, -look.backMs)
  const span: ListedSpan = { from, to, ...(look.onlyReturned ? { onlyReturned: true } : {}) }
  const endLease = keepLease(() => queries.renewLook(sql, due, leaseMs))
  const found = await settle(due.connection, span).catch((error: unknown) => {
    log.warn(
      { connection: due.connection, error: messageOf(error) },
      'a connection could not be looked through',
    )
    return undefined
  })
  await endLease()
  if (found === undefined) {
    const againMs = Math.min(look.everyMs, minuteMs)
    await queries.finishLook(sql, due, due.through, againMs)
    return 0
  }
  if (found > 0)
    log.info({ connection: due.connection, look: look.name, found }, 'found what no callback had told')
  await queries.finishLook(sql, due, to, look.everyMs)
  return found
}

/**
 * Renews until it is ended, and has ended when no renewal is under way: one that came after the look's end would put the
 * next look off.
 */
function keepLease(renew: () => Promise<void>): () => Promise<void> {
  let renewal = Promise.resolve()
  const timer = setInterval(() => {
    // One that cannot be renewed may be taken by another worker too, which finds what is known already.
    renewal = renewal.then(renew).catch(() => {})
  }, renewEveryMs)
  return () => {
    clearInterval(timer)
    return renewal
  }
}

async function settleNew(deps: ReconcilerDeps, connection: ConnectionId, span: ListedSpan): Promise<number> {
  const rail = railOf(deps, connection)
  if (rail?.list === undefined) return 0
  let found = 0
  for await (const receipts of rail.list(connection, span)) {
    if (receipts.length === 0) continue
    const stored = await queries.selectRelated(deps.sql, receipts)
    const known = new Set(stored.map(receiptKey))
    const fresh = receipts.filter((receipt) => !known.has(receiptKey(receipt)))
    if (fresh.length > 0) await settleFresh(deps, fresh)
    found += fresh.length
  }
  return found
}

/** Together; one by one when something among them cannot be booked, which must not keep the rest from its owners. */
async function settleFresh({ settle, log }: ReconcilerDeps, fresh: readonly Receipt[]): Promise<void> {
  try {
    await settle(fresh)
    return
  } catch (error) {
    if (isAway(error)) throw error
  }
  for (const receipt of fresh) {
    try {
      await settle([receipt])
    } catch (error) {
      if (isAway(error)) throw error
      const { connection, providerRef, outcome } = receipt
      log.error({ connection, providerRef, outcome, error: messageOf(error) }, 'a receipt cannot be booked')
    }
  }
}

/** Whether the error says nothing of the receipts. */
function isAway(error: unknown): boolean {
  return error instanceof AppError || classify(error) !== 'poison'
}

function railOf({ rails, connections }: ReconcilerDeps, id: ConnectionId): Rail | undefined {
  const method = connections.find(id)?.method
  return [...rails.values()].find((rail) => rail.method === method)
}
