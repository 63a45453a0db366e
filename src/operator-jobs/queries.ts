// The SQL of jobs that operators request.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import { toJson } from '#/kernel/json.ts'
import type { Actor } from '#/people/audit-entry.ts'
import type { JobFailureReason, JobProgress, JobStatus, OperatorJob, OperatorJobId } from './operator-job.ts'

type Row = Omit<OperatorJob, 'requestedBy'> & {
  readonly byKind: Actor['kind']
  readonly byId: string
}

function toJob({ byKind, byId, ...row }: Row): OperatorJob {
  return { ...row, requestedBy: { kind: byKind, id: byId } }
}

function columns(sql: Sql | Tx) {
  return sql`id, kind, arguments, requested_by_kind as "byKind", requested_by_id as "byId", status,
             is_cancel_requested as "isCancelRequested", progress, result, error, failure, created_at as "createdAt",
             started_at as "startedAt", ended_at as "endedAt"`
}

/** Stores a job, due now. False when `openMax` of its kind have not ended. */
export async function insertJob(
  tx: Tx,
  job: Pick<OperatorJob, 'id' | 'kind' | 'arguments' | 'requestedBy'> & {
    readonly trace?: string | undefined
  },
  openMax: number,
): Promise<boolean> {
  const result = await tx`
    insert into operator_job (id, kind, arguments, requested_by_kind, requested_by_id, status, created_at, connection, due_at, trace)
    select ${job.id}, ${job.kind}, ${toJson(job.arguments)}::text::json, ${job.requestedBy.kind}, ${job.requestedBy.id},
           'QUEUED', ${dueNow(tx)}, ${job.kind}, ${dueNow(tx)}, ${job.trace ?? null}
     where (select count(*)
              from (select from operator_job
                     where connection = ${job.kind} and status in ('QUEUED', 'RUNNING')
                     limit ${openMax}) as open) < ${openMax}`
  return result.count === 1
}

export async function selectJob(sql: Sql | Tx, id: OperatorJobId): Promise<OperatorJob | undefined> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from operator_job where id = ${id}`
  return row === undefined ? undefined : toJob(row)
}

/** Locked, so that what is decided about it is still true when it is written. */
export async function lockJob(tx: Tx, id: OperatorJobId): Promise<OperatorJob | undefined> {
  const [row] = await tx<Row[]>`select ${columns(tx)} from operator_job where id = ${id} for update`
  return row === undefined ? undefined : toJob(row)
}

/** One page, newest first; of one kind and in one state if they are named. */
export async function selectJobs(
  sql: Sql,
  page: {
    readonly kind?: string
    readonly status?: JobStatus
    readonly before?: OperatorJobId
    readonly limit: number
  },
): Promise<readonly OperatorJob[]> {
  const { kind, status, before, limit } = page
  const rows = await sql<Row[]>`
    select ${columns(sql)}
      from operator_job
     where true
           ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
           ${status === undefined ? sql`` : sql`and status = ${status}`}
           ${before === undefined ? sql`` : sql`and id < ${before}`}
     order by id desc
     limit ${limit}`
  return rows.map(toJob)
}

/** Ends a job that waits, or asks the worker of one that runs to end it. */
export async function cancelOpenJob(tx: Tx, id: OperatorJobId): Promise<void> {
  await tx`
    update operator_job
       set is_cancel_requested = true,
           status = case status when 'QUEUED' then 'CANCELED' else status end,
           ended_at = case status when 'QUEUED' then ${dueNow(tx)} end
     where id = ${id} and status in ('QUEUED', 'RUNNING')`
}

export type DueJob = {
  readonly job: OperatorJob
  readonly claim: Claim
}

const jobDue: DueTable = {
  name: 'operator_job',
  isListed: (sql) => sql`due.status in ('QUEUED', 'RUNNING')`,
  tie: 'id',
}

export const isJobDue = someDue(jobDue)

/** Claims due jobs of these kinds for `leaseMs`. A worker of another release may not know all kinds. */
export async function claimJobs(
  sql: Sql,
  slots: Slots,
  leaseMs: number,
  kinds: readonly string[],
): Promise<readonly DueJob[]> {
  const table: DueTable = {
    ...jobDue,
    isClaimable: (within) => within`due.connection = any (${list(kinds)}::text[])`,
  }
  const rows = await sql<(Row & { readonly takes: number; readonly trace: string | null })[]>`
    with recursive ${chosen(sql, table, slots)}
    update operator_job
       set due_at = ${dueIn(sql, leaseMs)}, takes = takes + 1, status = 'RUNNING',
           started_at = coalesce(started_at, ${dueNow(sql)})
     where ctid = any (array(select ctid from chosen))
    returning ${columns(sql)}, takes, trace`
  return rows.map(({ takes, trace, ...row }) => ({
    job: toJob(row),
    claim: { id: row.id, connection: row.kind, number: takes, trace },
  }))
}

/** Prolongs a claim, and stores how far the job is. `lost`: another worker has claimed it since, or it has ended. */
export async function renewJob(
  sql: Sql,
  { claim }: Pick<DueJob, 'claim'>,
  leaseMs: number,
  progress: JobProgress | undefined,
): Promise<'ours' | 'canceled' | 'lost'> {
  const [row] = await sql<{ isCancelRequested: boolean }[]>`
    update operator_job
       set due_at = ${dueIn(sql, leaseMs)}
           ${progress === undefined ? sql`` : sql`, progress = ${toJson(progress)}::text::json`}
     where id = ${claim.id} and takes = ${claim.number} and status = 'RUNNING'
    returning is_cancel_requested as "isCancelRequested"`
  if (row === undefined) return 'lost'
  return row.isCancelRequested ? 'canceled' : 'ours'
}

export type JobEnd = {
  readonly status: Exclude<JobStatus, 'QUEUED' | 'RUNNING'>
  /** As JSON. */
  readonly result?: string
  readonly error?: string
  readonly failure?: JobFailureReason
}

/** Ends a job that this claim still holds. False when another worker has claimed it since. */
export async function endJob(
  tx: Tx,
  { claim }: Pick<DueJob, 'claim'>,
  { status, result, error, failure }: JobEnd,
): Promise<boolean> {
  const ended = await tx`
    update operator_job
       set status = ${status}, ended_at = ${dueNow(tx)}, result = ${result ?? null}::text::json,
           error = ${error ?? null}, failure = ${failure === undefined ? null : toJson(failure)}::text::json
     where id = ${claim.id} and takes = ${claim.number} and status = 'RUNNING'`
  return ended.count === 1
}

/** Makes it due in `waitMs`. False when it has ended, or another worker has claimed it since. */
export async function postponeJob(
  sql: Sql,
  { claim }: Pick<DueJob, 'claim'>,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update operator_job set due_at = ${dueIn(sql, waitMs)}
     where id = ${claim.id} and takes = ${claim.number} and status = 'RUNNING'`
  return result.count === 1
}

/** Deletes jobs that ended `agoMs` ago, the oldest first. Returns how many. */
export async function deleteEndedJobs(
  sql: Sql,
  { agoMs, limit }: { readonly agoMs: number; readonly limit: number },
): Promise<number> {
  const result = await sql`
    delete from operator_job
     where id = any (array(select id from operator_job
                   where ended_at < ${dueIn(sql, -agoMs)}
                   order by ended_at
                   limit ${limit}))`
  return result.count
}
