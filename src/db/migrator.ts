// One migrator at a time: a row with a lease and a fence. Each transaction of a migrator holds that row, so nobody can take
// over in the middle of a step, and a migrator that stood still longer than its lease finds a higher fence and changes
// nothing any more. A pooler in transaction mode may stand between: there are no locks of a session.
import { randomInt } from 'node:crypto'
import postgres from 'postgres'
import { invariant } from '#/kernel/check.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { Sql, Tx } from './client.ts'

export type Turn = {
  /**
   * Runs `work` in a transaction of this turn. A lock that it does not get soon ends the transaction, lets the traffic that
   * queues behind it pass, and it is run again, later each time. Rejects when another migrator has taken over.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Rejects when another migrator has taken over. */
  confirm(): Promise<void>
  giveBack(): Promise<void>
}

export type Patience = {
  /** How long all attempts to get the locks of one step may take, in milliseconds. */
  readonly lockMs: number
}

/** How long one attempt waits for a lock: as long all traffic of that table waits behind it. */
const lockTimeout = '500ms'
const leaseSeconds = 10
const renewMs = 2 * secondMs
const pollMs = 100

/** Makes the tables that say what was applied, and by whom, where they are missing. */
export async function prepareTables(sql: Sql): Promise<void> {
  // Two who create the same table at once: one of them is told that a name is taken.
  const taken = new Set(['23505', '42P07', '42710'])
  await repeated(taken, 10 * secondMs, () =>
    sql.begin(async (tx) => {
      await tx`
        create table if not exists migration (
          name text primary key,
          hash text not null,
          applied_at timestamptz not null default clock_timestamp()
        )`
      // Steps of migrations that are not whole yet.
      await tx`
        create table if not exists migration_step (
          name text not null,
          number integer not null,
          hash text not null,
          applied_at timestamptz not null default clock_timestamp(),
          primary key (name, number)
        )`
      await tx`
        create table if not exists migrator (
          one boolean primary key default true constraint migrator_one check (one),
          fence bigint not null default 0,
          lease_until timestamptz
        )`
      await tx`insert into migrator (one) values (true) on conflict do nothing`
    }),
  )
}

/** Waits until nobody else migrates, and takes the turn. The lease is renewed until it is given back. */
export async function awaitTurn(sql: Sql, patience: Patience): Promise<Turn> {
  const fence = await takeFence(sql)
  const stopping = new AbortController()
  const renewing = keepRenewing(sql, fence, stopping.signal)

  async function inTurn<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const done: { result?: Result } = {}
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = '${lockTimeout}'`)
      await tx.unsafe(`set local statement_timeout = 0`)
      // A migrator that stands still keeps no locks.
      await tx.unsafe(`set local idle_in_transaction_session_timeout = '${leaseSeconds}s'`)
      await renew(tx, fence)
      done.result = await work(tx)
      await renew(tx, fence)
    })
    invariant('result' in done, 'a transaction that was committed has a result')
    return done.result
  }

  return {
    transaction: (work) => repeated(notNow, patience.lockMs, () => inTurn(work)),
    confirm: () => repeated(notNow, patience.lockMs, () => renew(sql, fence)),
    async giveBack() {
      stopping.abort()
      await renewing
      await sql`update migrator set lease_until = null where fence = ${fence}`.catch(() => {})
    },
  }
}

/** No lock in time, or a deadlock: the same statement may succeed later. */
export const notNow: ReadonlySet<string> = new Set(['55P03', '40P01'])

/**
 * Runs `work` until it no longer fails with one of these codes of PostgreSQL, or `limitMs` have passed: then its last error
 * is thrown. The pauses grow from a tenth of a second to three seconds.
 */
export async function repeated<Result>(
  codes: ReadonlySet<string>,
  limitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const endAt = monotonicMs() + limitMs
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 3 * secondMs)) {
    try {
      return await work()
    } catch (error) {
      const isOver = monotonicMs() >= endAt
      if (isOver || !(error instanceof postgres.PostgresError) || !codes.has(error.code)) throw error
    }
    await sleep(pauseMs + randomInt(pauseMs))
  }
}

/** While a step is in its transaction this may wait behind it; the step has renewed the lease when it is through. */
async function takeFence(sql: Sql): Promise<bigint> {
  for (;;) {
    const [taken] = await sql<{ fence: bigint }[]>`
      update migrator
         set fence = fence + 1, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
       where lease_until is null or lease_until < clock_timestamp()
      returning fence`
    if (taken !== undefined) return taken.fence
    await sleep(pollMs)
  }
}

async function renew(tx: Tx, fence: bigint): Promise<void> {
  const held = await tx`
    update migrator set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     where fence = ${fence}
    returning fence`
  invariant(held.length === 1, 'another migrator has taken over: run migrate again to see how far it came')
}

/** While a step is in its transaction this waits behind it; then the step holds the row itself. */
async function keepRenewing(sql: Sql, fence: bigint, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(renewMs, signal)
    // Whether the turn was lost is told by the next step.
    if (!signal.aborted) await renew(sql, fence).catch(() => {})
  }
}
