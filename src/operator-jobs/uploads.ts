// Files that an operator hands in for a job. They come in parts of at most a MiB: each request is small and soon over, also on a slow line,
// and the page can say how far it is. A file belongs to the person who handed it in, and to one job.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type UserId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import type { OperatorJobId } from './operator-job.ts'
import * as queries from './upload-queries.ts'
import type { UploadId } from './upload-queries.ts'

/** As large as the largest file of a bank that is read. */
export const uploadBytesMax = 16 * 1024 * 1024
export const partBytesMax = 1024 * 1024
/** Files that one job may take. */
export const filesOfJobMax = 50

/** Files that wait for a job: of all operators together. */
const waitingMax = { files: 200, bytes: 16 * uploadBytesMax }
/** Longer than a person takes to choose files. */
const keptMs = 24 * hourMs
const deletedMax = 50

type Owner = { readonly userId: UserId; readonly name: string }

/** Begins an upload. Throws AppError `invalid_state` while too much waits already. */
export async function beginUpload(
  sql: Sql | Tx,
  { userId, name: handedInBy }: Owner,
  file: { readonly name: string; readonly size: number },
): Promise<UploadId> {
  const id = newId<'operator-upload'>()
  if (await queries.insertUpload(sql, { id, ...file, userId, handedInBy }, waitingMax)) return id
  throw new AppError(
    'invalid_state',
    'Too many files wait to be read already. Those that nobody uses are deleted after a day: try again later.',
  )
}

/** Stores one part of an upload of this person. The same part again changes nothing. */
export async function addPart(
  sql: Sql,
  { userId }: Pick<Owner, 'userId'>,
  {
    uploadId,
    number,
    bytes,
  }: { readonly uploadId: UploadId; readonly number: number; readonly bytes: Buffer },
): Promise<void> {
  const upload = await queries.selectUpload(sql, uploadId)
  if (upload?.userId !== userId || upload.jobId !== null)
    throw new AppError('not_found', 'No such file is being handed in.')
  const partBytes = Math.min(partBytesMax, upload.size - number * partBytesMax)
  if (bytes.length !== partBytes)
    throw new AppError(
      'invalid_request',
      partBytes > 0
        ? `Part ${number} of this file has ${partBytes} bytes, not ${bytes.length}.`
        : `This file has no part ${number}.`,
    )
  await queries.insertPart(sql, { uploadId, number, bytes })
}

/** Gives files to a job, in its transaction. Throws AppError `invalid_request` when one is not whole, not this person's, or taken. */
export async function takeUploads(
  tx: Tx,
  request: { readonly ids: readonly string[]; readonly userId: string; readonly jobId: OperatorJobId },
): Promise<void> {
  const ids = [...new Set(request.ids)] as UploadId[]
  if ((await queries.takeUploads(tx, { ...request, ids })) === request.ids.length) return
  throw new AppError(
    'invalid_request',
    'A file is not whole, or not there any more: hand the files in again.',
  )
}

/** A file that a job took: undefined when it is gone, because its job was ended meanwhile. */
export async function readUpload(
  sql: Sql,
  id: string,
): Promise<{ readonly name: string; readonly handedInBy: string; readonly bytes: Buffer } | undefined> {
  const upload = await queries.selectUpload(sql, id as UploadId)
  if (upload === undefined) return undefined
  const { name, handedInBy } = upload
  return { name, handedInBy, bytes: Buffer.concat(await queries.selectParts(sql, upload.id)) }
}

/** Deletes what no job needs any more, some at a time. Returns how many files. */
export function deleteOldUploads(sql: Sql): Promise<number> {
  return queries.deleteUploads(sql, { agoMs: keptMs, limit: deletedMax })
}
