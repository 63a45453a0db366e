// The SQL of files that operators hand in for jobs.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { Id, UserId } from '#/kernel/id.ts'
import type { OperatorJobId } from './operator-job.ts'

export type UploadId = Id<'operator-upload'>

export type Upload = {
  readonly id: UploadId
  readonly name: string
  readonly size: number
  readonly userId: UserId
  /** The person, in the form in which the records made from the file name them. */
  readonly handedInBy: string
}

/** Stores the beginning of an upload. False while the files that no job has taken are too many, or too large together. */
export async function insertUpload(
  sql: Sql | Tx,
  { id, name, size, userId, handedInBy }: Upload,
  most: { readonly files: number; readonly bytes: number },
): Promise<boolean> {
  const result = await sql`
    insert into operator_upload (id, name, size, user_id, handed_in_by, created_at)
    select ${id}, ${name}, ${size}, ${userId}, ${handedInBy}, ${dueNow(sql)}
     where (select count(*) < ${most.files} and coalesce(sum(size), 0) + ${size}::integer <= ${most.bytes}
              from (select size from operator_upload where job_id is null limit ${most.files}) as waiting)`
  return result.count === 1
}

export async function selectUpload(
  sql: Sql | Tx,
  id: UploadId,
): Promise<(Upload & { readonly jobId: OperatorJobId | null }) | undefined> {
  const [row] = await sql<(Upload & { readonly jobId: OperatorJobId | null })[]>`
    select id, name, size, user_id as "userId", handed_in_by as "handedInBy", job_id as "jobId"
      from operator_upload
     where id = ${id}`
  return row
}

/** Stores a part once: one that comes again changes nothing. */
export async function insertPart(
  sql: Sql,
  {
    uploadId,
    number,
    bytes,
  }: { readonly uploadId: UploadId; readonly number: number; readonly bytes: Buffer },
): Promise<void> {
  await sql`
    insert into operator_upload_part (upload_id, number, bytes)
    select id, ${number}, ${bytes} from operator_upload where id = ${uploadId} and job_id is null
    on conflict (upload_id, number) do nothing`
}

/** The parts in their order: at most sixteen. */
export async function selectParts(sql: Sql, id: UploadId): Promise<readonly Buffer[]> {
  const rows = await sql<{ bytes: Buffer }[]>`
    select bytes from operator_upload_part where upload_id = ${id} order by number`
  return rows.map(({ bytes }) => bytes)
}

/** Gives whole uploads of this user to a job, once. Returns how many of them that was. */
export async function takeUploads(
  tx: Tx,
  {
    ids,
    userId,
    jobId,
  }: { readonly ids: readonly UploadId[]; readonly userId: string; readonly jobId: OperatorJobId },
): Promise<number> {
  const result = await tx`
    update operator_upload as upload set job_id = ${jobId}
     where id = any (${list(ids)}::uuid[]) and user_id::text = ${userId} and job_id is null
       and size = (select sum(octet_length(bytes)) from operator_upload_part where upload_id = upload.id)`
  return result.count
}

/**
 * Deletes uploads whose job has ended or is gone, and uploads that no job took within `agoMs`: at most a few in each call. Returns how
 * many.
 */
export async function deleteUploads(
  sql: Sql,
  { agoMs, limit }: { readonly agoMs: number; readonly limit: number },
): Promise<number> {
  const result = await sql`
    delete from operator_upload
     where id = any (array(select id from operator_upload as old
                            where (job_id is null and created_at < ${dueIn(sql, -agoMs)})
                               or (job_id is not null
                                   and not exists (select from operator_job
                                                    where operator_job.id = old.job_id and status in ('QUEUED', 'RUNNING')))
                            order by created_at, id
                            limit ${limit}))`
  return result.count
}
