// The worker that runs the jobs of operators. Every second it prolongs its claim, stores how far the job is, and learns whether the job was
// canceled. When a worker dies, another one claims the job after the lease and begins it again, unless the job may only be carried out
// once.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { dueWorker, usualBackoff, type DueWorker } from '#/jobs/worker.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import { toJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import { hourMs, minuteMs, monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { KindTerms } from './kinds.ts'
import { type JobFailureReason, type JobProgress, type OperatorJob, resultBytesMax } from './operator-job.ts'
import * as queries from './queries.ts'
import type { DueJob, JobEnd } from './queries.ts'
import { deleteOldUploads } from './uploads.ts'

/** What a running job has of its worker. */
export type JobContext = {
  readonly job: OperatorJob
  /** Aborted when the job is to end: it was canceled, took too long, or its worker stops. */
  readonly signal: AbortSignal
  /** Between two steps: rejects when the job is to end. */
  readonly step: () => void
  /** Stored at most once a second. */
  readonly progress: (progress: JobProgress) => void
}

/** What a job gives. `entries`: of what it did, written together with its end. */
export type JobOutcome = {
  readonly result: Readonly<Record<string, unknown>>
  readonly entries?: readonly AuditEntry[]
}

export type RunnableKind = Omit<KindTerms, 'schema' | 'prepare'> & {
  readonly run: (context: JobContext) => Promise<JobOutcome>
}

/** The job cannot be carried out, for this reason: a sentence for the operator, and the same as a key where pages have one for it. */
export class JobFailure extends Error {
  override name = 'JobFailure'
  readonly reason: JobFailureReason | undefined
  constructor(sentence: string, reason?: JobFailureReason) {
    super(sentence)
    this.reason = reason
  }
}

export type JobWorkerDeps = {
  readonly sql: Sql
  readonly log: Log
  readonly kinds: ReadonlyMap<string, RunnableKind>
  /** For tests. Default: half a minute, and a second. */
  readonly leaseMs?: number
  readonly tickMs?: number
}

/** How often a job that may be repeated is tried when the database or the worker failed it. */
const triesMax = 5
const keptMs = 90 * 24 * hourMs
const deletedMax = 500

export function createJobWorker(deps: JobWorkerDeps): DueWorker {
  const { sql, log, kinds, leaseMs = minuteMs / 2 } = deps
  const stopping = new AbortController()
  const worker = dueWorker<DueJob>({
    name: 'operator job',
    log,
    leaseMs,
    isDue: queries.isJobDue,
    claim: (slots, forMs) => queries.claimJobs(sql, slots, forMs, [...kinds.keys()]),
    run: (due) => runJob({ ...deps, leaseMs }, due, stopping.signal),
    postpone: (due, waitMs) => queries.postponeJob(sql, due, waitMs),
    backoff: (claims) => (stopping.signal.aborted ? 0 : usualBackoff(claims)),
    // Each kind has slots of its own, so a job that hangs does not delay jobs of another kind.
    concurrency: { each: 4, total: 32, eachOf: (kind) => kinds.get(kind)?.slots },
  })
  return {
    ...worker,
    async run(signal, restMs) {
      signal.addEventListener('abort', () => stopping.abort(), { once: true })
      await worker.run(signal, restMs)
    },
  }
}

/** Deletes jobs that ended 90 days ago, and files that no job needs any more, some at a time. Returns how many. */
export async function deleteOldJobs(sql: Sql): Promise<number> {
  const files = await deleteOldUploads(sql)
  return files + (await queries.deleteEndedJobs(sql, { agoMs: keptMs, limit: deletedMax }))
}

/** Why a job is to end before it has ended by itself. */
type Reason = 'canceled' | 'late' | 'lost' | 'stopping'

class Ended extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(`the job is to end: ${reason}`)
    this.reason = reason
  }
}

const maybe = 'It may have been carried out: look before you request it again.'

type RunDeps = JobWorkerDeps & { readonly leaseMs: number }

async function runJob(deps: RunDeps, due: DueJob, stopping: AbortSignal): Promise<'done' | 'later'> {
  const { job, claim } = due
  const kind = deps.kinds.get(job.kind)
  // Only known kinds are claimed.
  if (kind === undefined) return 'later'
  if (claim.number > 1 && !kind.isRepeatable)
    return end(deps, due, {
      status: 'FAILED',
      error: `Its worker ended while it ran. ${maybe}`,
      failure: { key: 'worker_ended', isUnsure: true },
    })
  if (job.isCancelRequested) return end(deps, due, { status: 'CANCELED' })
  const over = new AbortController()
  const ending = createEnding(over.signal)
  const stop = () => kind.isRepeatable && ending.finish('stopping')
  stopping.addEventListener('abort', stop, { once: true })
  if (stopping.aborted) stop()
  const progress: { latest?: JobProgress } = {}
  const ticking = tick(deps, due, kind, progress, { over: over.signal, finish: ending.finish })
  try {
    const running = kind.run({
      job,
      signal: ending.signal,
      step: () => ending.signal.throwIfAborted(),
      progress: (each) => (progress.latest = each),
    })
    const outcome = await Promise.race([running, ending.givenUp])
    return await end(deps, due, endOf(outcome), outcome.entries)
  } catch (error) {
    return await endFailed(deps, due, kind, error)
  } finally {
    stopping.removeEventListener('abort', stop)
    over.abort()
    await ticking
  }
}

/** How long a job may take to end after it was told to. */
const patienceMs = 5 * secondMs

/**
 * Tells a job to end. A job that does not end is left alone after a while: its slot becomes free and its claim ends, whatever it still
 * does. A canceled job may go on to its next step for as long as a job may take at all.
 */
function createEnding(over: AbortSignal) {
  const controller = new AbortController()
  const givenUp = Promise.withResolvers<never>()
  givenUp.promise.catch(() => {})
  return {
    signal: controller.signal,
    givenUp: givenUp.promise,
    finish(reason: Reason): void {
      const ended = new Ended(reason)
      controller.abort(ended)
      if (reason !== 'canceled') void sleep(patienceMs, over).then(() => givenUp.reject(ended))
    },
  }
}

/** Prolongs the claim until the job has ended. Never rejects. */
async function tick(
  { sql, log, leaseMs, tickMs = secondMs }: RunDeps,
  due: DueJob,
  { longestMs }: RunnableKind,
  progress: { latest?: JobProgress },
  { over, finish }: { readonly over: AbortSignal; readonly finish: (reason: Reason) => void },
): Promise<void> {
  const beganMs = monotonicMs()
  let renewedMs = beganMs
  let stored: JobProgress | undefined
  for (;;) {
    await sleep(tickMs, over)
    if (over.aborted) return
    const now = monotonicMs()
    if (now - beganMs >= longestMs) return finish('late')
    const { latest } = progress
    try {
      const standing = await queries.renewJob(sql, due, leaseMs, latest === stored ? undefined : latest)
      renewedMs = now
      stored = latest
      if (standing === 'lost') return over.aborted ? undefined : finish('lost')
      if (standing === 'canceled') finish('canceled')
    } catch (error) {
      log.warn({ job: due.job.id, error: messageOf(error) }, 'the claim of a job could not be prolonged')
      if (now - renewedMs >= leaseMs) return finish('lost')
    }
  }
}

function endOf({ result }: JobOutcome): JobEnd {
  const text = toJson(result)
  return Buffer.byteLength(text) <= resultBytesMax
    ? { status: 'DONE', result: text }
    : {
        status: 'FAILED',
        error: `It was carried out, but its result has more than ${resultBytesMax} bytes.`,
        failure: { key: 'result_too_large', values: { bytes: resultBytesMax } },
      }
}

async function endFailed(
  deps: RunDeps,
  due: DueJob,
  kind: RunnableKind,
  error: unknown,
): Promise<'done' | 'later'> {
  const { log } = deps
  const { job, claim } = due
  const unsure = kind.isRepeatable ? '' : ` ${maybe}`
  if (error instanceof Ended) {
    switch (error.reason) {
      case 'canceled':
        return end(deps, due, { status: 'CANCELED' })
      case 'late': {
        const minutes = Math.ceil(kind.longestMs / minuteMs)
        return end(deps, due, {
          status: 'FAILED',
          error: `It took longer than ${minutes} min.${unsure}`,
          failure: { key: 'too_long', values: { minutes }, ...(kind.isRepeatable ? {} : { isUnsure: true }) },
        })
      }
      case 'lost':
        return 'done'
      case 'stopping':
        return 'later'
    }
  }
  const known = knownFailure(error)
  if (known !== undefined) return end(deps, due, { status: 'FAILED', error: known, failure: reasonOf(error) })
  log.warn({ job: job.id, kind: job.kind, error: messageOf(error) }, 'a job failed')
  if (kind.isRepeatable && classify(error) !== 'poison' && claim.number < triesMax) return 'later'
  return end(deps, due, {
    status: 'FAILED',
    error: `It failed: ${messageOf(error)}.${unsure}`,
    failure: { key: 'broke', ...(kind.isRepeatable ? {} : { isUnsure: true }) },
  })
}

function reasonOf(error: unknown): JobFailureReason {
  if (error instanceof JobFailure) return error.reason ?? { key: 'broke' }
  if (error instanceof AppError) return { key: 'problem', values: { code: error.code } }
  if (error instanceof ProviderError)
    return { key: error.outcome === 'refused' ? 'provider_refused' : 'provider_unavailable' }
  return { key: 'broke' }
}

/** The text of a failure that says what is wrong and that nothing was done. */
function knownFailure(error: unknown): string | undefined {
  if (error instanceof JobFailure || error instanceof AppError) return error.message
  if (error instanceof ProviderError) return error.outcome === 'unknown' ? undefined : error.message
  if (error instanceof Error && 'remedy' in error) return `${error.message} ${String(error.remedy)}`
  return undefined
}

/** The longest text of a failure. */
const errorMax = 2_000

async function end(
  { sql }: RunDeps,
  due: DueJob,
  { error, ...ended }: JobEnd,
  entries: readonly AuditEntry[] = [],
): Promise<'done'> {
  const text = error === undefined ? {} : { error: error.replaceAll('\0', ' ').slice(0, errorMax) }
  await sql.begin(async (tx) => {
    await queries.endJob(tx, due, { ...ended, ...text })
    // Written even when another worker has claimed the job since: what the entries record was done.
    await writeAudit(tx, entries)
  })
  return 'done'
}
