// The ledger lane: every change of state, every movement of money and every event is written here, in batches. Each batch is
// one transaction under the head's lock. So there is one total order, no deadlock, and one commit for all items.
// Inspected by audit/ledger-chain.ts.
import type { Sql, Tx } from '#/db/client.ts'
import { classify, CommitFailed } from '#/db/failure.ts'
import { createLane, type EndedBatch, type Settled } from '#/db/lane.ts'
import { commitPersistently, FailedAlone, unavailable } from '#/db/persist.ts'
import { awaitReplication } from '#/db/replication-queries.ts'
import { invariant, must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { fingerprintOf, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { monotonicMs, sleep, systemClock, type Clock } from '#/kernel/time.ts'
import { emptyCache, openBooks, type BatchBooks, type BatchPlan } from './books.ts'
import { booksDigests, hashOfDigests, type BatchHeader, type ChainedEvent } from './chain.ts'
import { createFence, type Fence } from './fence.ts'
import { createHeadClock, createHeadKey, ensureHead } from './head.ts'
import type { Batch, RunnableKind } from './kind.ts'
import * as queries from './queries.ts'

/** Writes the events of a batch and returns what the hash chain covers of them. */
export type Announce<Draft> = (
  tx: Tx,
  drafts: readonly Draft[],
  moment: { readonly batch: bigint; readonly at: Date },
) => Promise<readonly ChainedEvent[]>

export type LedgerLaneOptions<Draft> = {
  /** Opens this lane's own client with one connection. Called again when the connection was lost. */
  readonly openSql: () => Sql
  /** The code of this cell, which has one ledger head. */
  readonly cell: string
  /**
   * The key of the chain's hashes. It is not in the database, so write access to the database is not enough to forge them. If
   * there are several keys, the head names the one for the next hash.
   */
  readonly auditKey: KeyRing
  readonly announce: Announce<Draft>
  readonly log: Log
  /** This process's own clock, with which the database's is compared. Default: the machine's. */
  readonly clock?: Clock
  readonly itemsMax?: number
  readonly bytesMax?: number
  /** The approximate limit of bytes that a batch writes. */
  readonly weightMax?: number
  readonly queueMax?: number
  /** How many accounts the cache holds from one batch to the next. */
  readonly accountsMax?: number
  /** How long to retry when the database is not reachable, before 503. */
  readonly patienceMs?: number
  /** How long to wait for another commit after an item failed alone. Without one the database may be slow, not the item: 503. */
  readonly othersMs?: number
  /** Called after each commit, for metrics. */
  readonly onBatch?: ((batch: EndedBatch) => void) | undefined
  /** Called after a commit that wrote events. */
  readonly onEvents?: () => void
}

export type Submission<Verdict> = {
  /** The item is part of a burst; each commit takes only a few such items, so they do not hold up the others. */
  readonly isCrowded?: boolean
  /**
   * Writes what belongs to the item in the same transaction, such as an audit row. Called only when the item changed something.
   * Use it for acts of people, not for traffic: each call costs a round trip under the head's lock.
   */
  readonly beside?: (tx: Tx, verdict: Verdict) => Promise<void>
}

export type LedgerLane<Draft> = {
  /** The kind's verdict on the item, once it is committed. */
  submit<Item, Verdict>(
    kind: RunnableKind<Item, Verdict, Draft>,
    item: Item,
    from?: Submission<Verdict>,
  ): Promise<Verdict>
  depth(): number
  /** What is known of the end of the books: an older one is refused. */
  readonly fence: Fence
  close(): Promise<void>
}

type Job<Draft> = {
  readonly kind: RunnableKind<unknown, unknown, Draft>
  readonly item: unknown
  readonly beside: Submission<unknown>['beside']
}

/** Creates the lane of one process. A cell has one head, and any number of processes may have a lane to it. */
export async function createLedgerLane<Draft>(options: LedgerLaneOptions<Draft>): Promise<LedgerLane<Draft>> {
  invariant(/^[a-z0-9_-]+$/.test(options.cell), 'the code of a cell is a plain word')
  const sql = options.openSql()
  try {
    await ensureHead(sql, options.cell, options.clock ?? systemClock)
    const [onlyKey, ...otherKeys] = keysOf(options.auditKey)
    if (otherKeys.length === 0) await queries.ensureAuditKey(sql, fingerprintOf(onlyKey))
  } finally {
    await sql.end()
  }
  const fence = createFence()
  const writer = createWriter(options, fence)
  const persistence = {
    log: options.log,
    patienceMs: options.patienceMs ?? 10_000,
    nameOf: (job: Job<Draft>) => job.kind.name,
  }
  /** How many batches were committed before each item that failed alone, by the item's error. */
  const commitsBefore = new WeakMap<FailedAlone, number>()
  const lane = createLane<Job<Draft>, unknown>({
    name: 'ledger',
    itemsMax: options.itemsMax ?? 500,
    bytesMax: options.bytesMax ?? 1_048_576,
    queueMax: options.queueMax ?? 20_000,
    bytesOf: ({ kind, item }) => kind.bytesOf(item),
    crowd: { alone: 20, beside: 4 },
    onBatch: options.onBatch,
    weight: { of: ({ kind, item }) => kind.weightOf(item), max: options.weightMax ?? 4 * 1_048_576 },
    commit: async (jobs) => {
      const before = writer.commits()
      const settled = await commitPersistently({ ...persistence, commit: writer.commit }, jobs)
      for (const each of settled)
        if (!each.ok && each.error instanceof FailedAlone) commitsBefore.set(each.error, before)
      return settled
    },
  })
  return {
    submit: async <Item, Verdict>(
      kind: RunnableKind<Item, Verdict, Draft>,
      item: Item,
      { isCrowded = false, beside }: Submission<Verdict> = {},
    ) => {
      try {
        const job = { kind, item, beside: beside as Submission<unknown>['beside'] }
        return (await lane.submit(job, { isCrowded })) as Verdict
      } catch (error) {
        const before = error instanceof FailedAlone ? commitsBefore.get(error) : undefined
        const isSlow =
          before !== undefined && !(await isCommitting(writer, before, options.othersMs ?? 5_000))
        if (!isSlow) throw error
        throw unavailable(error)
      }
    },
    depth: lane.depth,
    fence,
    close: async () => {
      await lane.close()
      await writer.close()
    },
  }
}

/** Whether another commit succeeds within `waitMs`. */
async function isCommitting(
  writer: Pick<Writer<never>, 'commits'>,
  before: number,
  waitMs: number,
): Promise<boolean> {
  for (const until = monotonicMs() + waitMs; writer.commits() === before; await sleep(50))
    if (monotonicMs() > until) return false
  return true
}

type Writer<Draft> = {
  /** The number of committed batches. */
  commits(): number
  commit(jobs: readonly Job<Draft>[], giveUpAt: number): Promise<readonly Settled<unknown>[]>
  close(): Promise<void>
}

/** Everything is written; only the COMMIT and its answer are missing. */
type Prepared = {
  readonly settled: readonly Settled<unknown>[]
  readonly head: queries.HeadRow
  readonly hash: Buffer
  readonly books: BatchBooks
  readonly events: number
}

/** Holds the lane's one connection, and the cache between batches. */
function createWriter<Draft>(options: LedgerLaneOptions<Draft>, fence: Fence): Writer<Draft> {
  const headClock = createHeadClock(options)
  const keyOf = createHeadKey(options)
  let sql = options.openSql()
  let cache = emptyCache(options.accountsMax)
  let lastHash: Buffer | undefined
  let commits = 0

  async function commit(jobs: readonly Job<Draft>[], giveUpAt: number): Promise<readonly Settled<unknown>[]> {
    const id = newId()
    let prepared: Prepared | undefined
    try {
      await sql.begin(async (tx) => {
        prepared = undefined
        prepared = await prepare(tx, id, jobs)
      })
    } catch (error) {
      if (error instanceof NothingToWrite) return answerUnwritten(sql, error)
      await forget(error)
      if (prepared === undefined) throw error
      // Once COMMIT is sent, no error says whether the batch is written: only the database does.
      if (!(await wasCommitted(options, sql, id, giveUpAt))) throw new CommitFailed(error)
      commits += 1
      if (prepared.events > 0) wake(options)
      return prepared.settled
    }
    const { settled, head, hash, books, events } = must(prepared, 'a commit follows a preparation')
    commits += 1
    books.remember()
    fence.note({ epoch: head.epoch, batch: head.batch + 1n, hash })
    lastHash = hash
    if (events > 0) wake(options)
    return settled
  }

  async function prepare(tx: Tx, id: string, jobs: readonly Job<Draft>[]): Promise<Prepared> {
    const head = await lockNewestHead(tx, options.cell, fence)
    const at = headClock.instantAfter(head)
    const auditKey = keyOf(head)
    if (lastHash === undefined || !head.hash.equals(lastHash)) cache.clear()
    const books = openBooks(tx, cache)
    const batch: Batch = { tx, books, at, now: head.now, number: head.batch + 1n }
    const { settled, drafts, sealed, changed, write } = await runKinds(batch, jobs)
    if (!changed && drafts.length === 0 && !books.changed) throw new NothingToWrite(settled, head)
    const plan = books.plan(head)
    // `announce` is called first: after the first answer it has the most to compute, and the database executes the other
    // statements meanwhile. The digests are computed only after those statements were sent, also while the database works.
    const work = [
      drafts.length > 0 ? options.announce(tx, drafts, { batch: batch.number, at }) : Promise.resolve([]),
      turn().then(() => booksDigests(plan)),
      write?.() ?? Promise.resolve(),
      plan.write(tx),
    ] as const
    // Waits for all parts even when one fails, since another may still send a statement.
    await Promise.allSettled(work)
    const [events, digests] = await Promise.all(work)
    const header = headerOf(id, { ...head, at }, plan, events.length)
    const hash = hashOfDigests(auditKey, head.hash, header, { books: digests, events, sealed })
    await moveHead(tx, header, { from: head.hash, to: hash })
    return { settled, head, hash, books, events: events.length }
  }

  /** Clears the cache after a failure, and replaces the client unless the failure says nothing of the connection. */
  async function forget(error: unknown): Promise<void> {
    cache = emptyCache(options.accountsMax)
    lastHash = undefined
    const failure = classify(error)
    if (failure === 'poison' || failure === 'again') return
    const old = sql
    sql = options.openSql()
    await old.end({ timeout: 0 }).catch(() => {})
  }

  return { commit, commits: () => commits, close: () => sql.end({ timeout: 5 }) }
}

/** Locks the head and checks that these books are not older than the newest ones that this process knows. */
async function lockNewestHead(tx: Tx, cell: string, fence: Fence): Promise<queries.HeadRow> {
  const head = await queries.lockHead(tx, cell)
  fence.pass(head)
  return head
}

async function moveHead(
  tx: Tx,
  header: BatchHeader,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<void> {
  const heads = await queries.advanceHead(tx, header, from, to)
  invariant(heads === 1, `${heads} heads moved instead of one`)
}

function headerOf(
  id: string,
  head: queries.HeadRow & { readonly at: Date },
  plan: BatchPlan,
  events: number,
): BatchHeader {
  return {
    number: head.batch + 1n,
    id,
    transferFrom: head.transfer,
    transferTo: head.transfer + BigInt(plan.transfers.length),
    accountFrom: head.account,
    accountTo: head.account + BigInt(plan.accounts.length),
    events,
    at: head.at,
  }
}

/** Waits for one turn of the event loop, so that the statements until now are sent. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Calls the listener. Its errors are only logged, because the batch is committed. */
function wake<Draft>({ onEvents, log }: LedgerLaneOptions<Draft>): void {
  try {
    onEvents?.()
  } catch (error) {
    log.error({ error: messageOf(error) }, 'a listener to events failed')
  }
}

/** Thrown to roll back a transaction in which every item was refused: there is nothing to commit, and the verdicts are valid. */
class NothingToWrite extends Error {
  readonly settled: readonly Settled<unknown>[]
  readonly isSynchronous: boolean
  constructor(
    settled: readonly Settled<unknown>[],
    { isSynchronous }: Pick<queries.HeadRow, 'isSynchronous'>,
  ) {
    super('nothing to write')
    this.settled = settled
    this.isSynchronous = isSynchronous
  }
}

/** The verdicts may rest on rows that the synchronous standby does not have yet. */
async function answerUnwritten(
  sql: Sql,
  { settled, isSynchronous }: NothingToWrite,
): Promise<readonly Settled<unknown>[]> {
  if (isSynchronous) await awaitReplication(sql)
  return settled
}

/**
 * Runs each kind once over all of its items, in the order in which the kinds first arrived. Each kind reads what the kinds
 * before it wrote. The caller writes the changes of the last kind.
 */
async function runKinds<Draft>(batch: Batch, jobs: readonly Job<Draft>[]) {
  const settled: Settled<unknown>[] = []
  const drafts: Draft[] = []
  let sealed: readonly Buffer[] = []
  let changed = false
  let write: (() => Promise<void>) | undefined
  const besides: (() => Promise<void>)[] = []
  const groups = Map.groupBy(jobs.entries(), ([, job]) => job.kind)
  for (const [kind, group] of groups) {
    await write?.()
    const run = await kind.run(
      batch,
      group.map(([, job]) => job.item),
    )
    for (const [position, [index, { beside }]] of group.entries()) {
      const verdict = run.verdicts[position]
      settled[index] = { ok: true, verdict }
      if (beside !== undefined && run.changed[position] === true)
        besides.push(() => beside(batch.tx, verdict))
    }
    drafts.push(...run.events)
    // Otherwise verify would not know whose digests come first.
    invariant(sealed.length === 0 || run.sealed.length === 0, 'one kind of a batch seals rows')
    sealed = [...sealed, ...run.sealed]
    write = run.write
    changed ||= write !== undefined
  }
  for (const beside of besides) await beside()
  return { settled, drafts, sealed, changed, write }
}

/**
 * Looks up on a new connection whether the batch was committed, repeatedly until the database answers. Throws 503 after
 * `giveUpAt`; the request may then be sent again with the same idempotency key.
 */
async function wasCommitted<Draft>(
  options: LedgerLaneOptions<Draft>,
  sql: Sql,
  id: string,
  giveUpAt: number,
): Promise<boolean> {
  for (let wait = 25; ; wait = Math.min(wait * 2, 500)) {
    try {
      return await queries.batchCommitted(sql, options.cell, id)
    } catch (error) {
      options.log.warn(
        { error: messageOf(error) },
        'the answer to a commit was lost, and the batch cannot be looked up yet',
      )
      if (monotonicMs() > giveUpAt) throw unavailable(error)
      await sleep(wait)
    }
  }
}
