// One migrator at a time: a row with a lease and a fence. Each transaction of a migrator locks that row, so no other migrator
// can take over in the middle of a step. A migrator that was stopped longer than its lease finds a higher fence and changes
// nothing more. There are no session locks, so a pooler in transaction mode may be in between.
import { randomInt } from 'node:crypto'
import postgres from 'postgres'
import { invariant } from '#/kernel/check.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { Sql, Tx } from './client.ts'

export type Turn = {
  /**
   * Runs `work` in a transaction of this turn. If it does not get a lock soon, the transaction is rolled back, so that queries
   * that wait behind the lock can run. Then `work` is repeated, after growing pauses. Rejects when another migrator has taken
   * over.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Rejects when another migrator has taken over. */
  confirm(): Promise<void>
  release(): Promise<void>
}

export type Patience = {
  /** How long all attempts to get the locks of one step may take, in milliseconds. */
  readonly lockMs: number
}

/** How long one attempt waits for a lock. All other queries of that table wait behind it meanwhile. */
const lockTimeout = '500ms'
const leaseSeconds = 10
const renewMs = 2 * secondMs
const pollMs = 100

/** Creates the tables of the migrator if they are missing. */
export async function prepareTables(sql: Sql): Promise<void> {
  // When two processes create the same table at once, one of them gets one of these errors.
  const duplicates = new Set(['23505', '42P07', '42710'])
  await repeated(duplicates, 10 * secondMs, () =>
    sql.begin(async (tx) => {
      await tx`
        create table if not exists migration (
          name text primary key,
          hash text not null,
          applied_at timestamptz not null default clock_timestamp()
        )`
      // The applied steps of migrations that are not complete.
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

/** Waits until no other migrator runs, and claims the turn. The lease is renewed until `release`. */
export async function awaitTurn(sql: Sql, patience: Patience): Promise<Turn> {
  const fence = await claimFence(sql)
  const stopping = new AbortController()
  const renewing = keepRenewing(sql, fence, stopping.signal)

  async function inTurn<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const done: { result?: Result } = {}
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = '${lockTimeout}'`)
      await tx.unsafe(`set local statement_timeout = 0`)
      // A migrator that is stopped loses its locks.
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
    async release() {
      stopping.abort()
      await renewing
      await sql`update migrator set lease_until = null where fence = ${fence}`.catch(() => {})
    },
  }
}

/** Codes for a lock timeout and a deadlock: the same statement may succeed later. */
export const notNow: ReadonlySet<string> = new Set(['55P03', '40P01'])

/**
 * Runs `work` until it no longer fails with one of these codes of PostgreSQL. After `limitMs` its last error is thrown. The pauses
 * grow from a tenth of a second to three seconds.
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

/** May wait for the row lock of a step in its transaction. The step renews the lease before it commits. */
async function claimFence(sql: Sql): Promise<bigint> {
  for (;;) {
    const [claimed] = await sql<{ fence: bigint }[]>`
      update migrator
         set fence = fence + 1, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
       where lease_until is null or lease_until < clock_timestamp()
      returning fence`
    if (claimed !== undefined) return claimed.fence
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

/**
 * Renews the lease periodically. Waits while a step holds the row lock in its transaction; that lock keeps other migrators out
 * too.
 */
async function keepRenewing(sql: Sql, fence: bigint, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(renewMs, signal)
    // If the turn was lost, the next step fails.
    if (!signal.aborted) await renew(sql, fence).catch(() => {})
  }
}
