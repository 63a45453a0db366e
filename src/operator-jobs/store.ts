// Requests, shows and cancels jobs. Each change writes its entry of the audit log in the same transaction.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { currentContext } from '#/kernel/context.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import type { Actor, AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { checkArguments, jobKinds, type KindTerms } from './kinds.ts'
import type { JobStatus, OperatorJob, OperatorJobId } from './operator-job.ts'
import * as queries from './queries.ts'

/** Jobs of a kind that have not ended. */
const openMax = 100
/** Jobs of a page. */
const pageMax = 100

/** What the caller knows about a change, for its entry: such as the reason, or the address of a request. */
type EntryMore = Omit<AuditEntry, 'actor' | 'action' | 'subject' | 'before' | 'after'>

export type JobRequest = {
  readonly kind: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly by: Actor
  readonly entry?: EntryMore
}

/**
 * Queues a job for the workers. `onRequested` wakes those of this process. Throws AppError `invalid_request` for an unknown kind or wrong
 * arguments, and `invalid_state` while too many of its kind have not ended.
 */
export async function requestJob(
  deps: {
    readonly sql: Sql
    readonly onRequested?: () => void
    /** Default: those of kinds.ts. */
    readonly kinds?: Readonly<Record<string, KindTerms>>
  },
  { kind, arguments: given, by, entry }: JobRequest,
): Promise<OperatorJob> {
  const { sql, onRequested } = deps
  const kinds: Readonly<Record<string, KindTerms>> = deps.kinds ?? jobKinds
  const terms = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (terms === undefined) throw new AppError('invalid_request', `There is no kind of job ${kind}.`)
  checkArguments(terms, given)
  const id = newId<'operator-job'>()
  const job = await sql.begin(async (tx) => {
    const stored = { id, kind, arguments: given, requestedBy: by, trace: currentContext().trace }
    const isStored = await queries.insertJob(tx, stored, openMax)
    if (!isStored)
      throw new AppError(
        'invalid_state',
        `${openMax} jobs of this kind wait or run already: cancel some first.`,
      )
    await terms.prepare?.(tx, { id, arguments: given, by })
    await writeAudit(tx, [
      {
        ...entry,
        actor: by,
        action: 'job.request',
        subject: subjectOf(id),
        after: { kind, arguments: given },
      },
    ])
    return must(await queries.selectJob(tx, id), 'the job was stored')
  })
  onRequested?.()
  return job
}

/** Undefined when there is none: jobs are deleted 90 days after their end. */
export function findJob(sql: Sql, id: OperatorJobId): Promise<OperatorJob | undefined> {
  return queries.selectJob(sql, id)
}

/**
 * One page, newest first, of one kind and in one state if they are named. `before`: the id of the last job of the page before. At most 100.
 */
export function listJobs(
  sql: Sql,
  {
    kind,
    status,
    before,
    limit = pageMax,
  }: {
    readonly kind?: string
    readonly status?: JobStatus
    readonly before?: OperatorJobId
    readonly limit?: number
  } = {},
): Promise<readonly OperatorJob[]> {
  return queries.selectJobs(sql, {
    limit: Math.min(Math.max(1, limit), pageMax),
    ...given({ kind, status, before }),
  })
}

/**
 * Cancels a job: one that waits has ended, one that runs ends at its next step, if it has one. Returns the job, changed or not; undefined
 * when there is none. One that has ended, or is being canceled, stays as it is.
 */
export async function cancelJob(
  sql: Sql,
  { id, by, entry }: { readonly id: OperatorJobId; readonly by: Actor; readonly entry?: EntryMore },
): Promise<OperatorJob | undefined> {
  return sql.begin(async (tx) => {
    const job = await queries.lockJob(tx, id)
    if (job === undefined || job.endedAt !== null || job.isCancelRequested) return job
    await queries.cancelOpenJob(tx, id)
    const before = { status: job.status }
    await writeAudit(tx, [{ ...entry, actor: by, action: 'job.cancel', subject: subjectOf(id), before }])
    return queries.selectJob(tx, id)
  })
}

function subjectOf(id: OperatorJobId): string {
  return `operator-job:${id}`
}
