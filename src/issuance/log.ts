// START HERE. The issuance log: a process writes down, in a file outside of the database, each attempt that is about to be
// payable, and waits until the line is on the disk. After a restore the lines say what payers hold and the books have lost
// (record-lost.ts).
import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, open, unlink, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import { createLane, type Lane } from '#/db/lane.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { dayOf, monotonicMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import { headerOf, lineOf, type Books } from './line.ts'
import { selectBooks } from './queries.ts'

export type IssuanceLog = {
  /**
   * Resolves when the disk has the line that says that this attempt may be payable from now on. Calls at the same time share a
   * write and its sync. `name`: the provider's own name of the attempt. Throws AppError `unavailable` when the line cannot be
   * written: then nothing may be given to the payer.
   */
  write(attempt: Attempt, name?: string): Promise<void>
  /** Creates the folder. Throws StartError when this process cannot write there. */
  prepare(): Promise<void>
  /** Ends the file, after the lines that wait. */
  close(): Promise<void>
}

export type IssuanceLogOptions = {
  readonly folder: string
  /** Reads which books these are; undefined: they have no merchant. */
  readonly books: () => Promise<Books | undefined>
  readonly clock: Clock
  readonly log: Log
}

/** For so long after a failure each call is refused at once, so that a full disk does not get very many new files. */
const pauseMs = secondMs

type Line = { readonly attempt: Attempt; readonly name: string | undefined }

/** The log in this folder; undefined where the operator names none. */
export function openIssuanceLog(
  folder: string,
  { sql, ...deps }: Pick<IssuanceLogOptions, 'clock' | 'log'> & { readonly sql: Sql },
): IssuanceLog | undefined {
  return folder === '' ? undefined : createIssuanceLog({ folder, books: () => selectBooks(sql), ...deps })
}

/** Opens no file before the first line. */
export function createIssuanceLog({ folder, books, clock, log }: IssuanceLogOptions): IssuanceLog {
  const files = createFiles(folder, books)
  let refusedUntilMs = 0

  async function commit(lines: readonly Line[]) {
    if (monotonicMs() < refusedUntilMs) throw refusal()
    const at = clock.now()
    try {
      const text = lines.map(({ attempt, name }) => lineOf({ at, attempt, ...given({ name }) }))
      await files.append(dayOf(at), Buffer.from(text.join('')))
    } catch (error) {
      refusedUntilMs = monotonicMs() + pauseMs
      log.error(
        { folder, error: messageOf(error) },
        'the issuance log cannot be written: attempts that would be payable are refused',
      )
      throw refusal(error)
    }
    return lines.map(() => ({ ok: true as const, verdict: undefined }))
  }

  const lane: Lane<Line, undefined> = createLane({
    name: 'issuance',
    itemsMax: 2_000,
    bytesMax: 1_048_576,
    queueMax: 20_000,
    bytesOf: ({ name = '' }) => 192 + name.length,
    commit,
  })

  return {
    write: (attempt, name) => lane.submit({ attempt, name }),
    async prepare() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await access(folder, constants.W_OK | constants.X_OK)
      } catch (error) {
        const what = `VINTEM_ISSUANCE_LOG cannot be written to (${messageOf(error)}).`
        throw new StartError(what, 'Name a folder that this user may write to.', error)
      }
    },
    async close() {
      await lane.close()
      await files.close()
    },
  }
}

function refusal(cause?: unknown): AppError {
  const detail = 'This cannot be recorded now. Send the same request again.'
  return new AppError('unavailable', detail, {
    retryAfterMs: 2 * secondMs,
    ...given({ cause }),
  })
}

type OpenFile = {
  readonly day: string
  readonly path: string
  readonly handle: FileHandle
  /** Whether a caller was told that a line of it is on the disk. */
  isKept: boolean
}

/**
 * One file for each process and day. A file is never opened again: after a failed write its last bytes are unknown, and a sync
 * that failed once may be reported as done the next time (PostgreSQL's "fsyncgate", fsync(2)). So the next lines get a new
 * file.
 */
function createFiles(folder: string, books: IssuanceLogOptions['books']) {
  const process = randomBytes(6).toString('hex')
  let count = 0
  let current: OpenFile | undefined

  async function begin(day: string): Promise<OpenFile> {
    const theseBooks = await books()
    if (theseBooks === undefined) throw new Error('there is no merchant')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    count += 1
    const file = path.join(folder, `${day}-${theseBooks.cell}-${process}-${count}.issued`)
    const handle = await open(file, 'ax', 0o600)
    const opened: OpenFile = { day, path: file, handle, isKept: false }
    try {
      await writeWhole(handle, Buffer.from(headerOf(theseBooks)))
      await syncFolder(folder)
    } catch (error) {
      await abandon(opened)
      throw error
    }
    return opened
  }

  return {
    async append(day: string, bytes: Buffer): Promise<void> {
      if (current !== undefined && current.day !== day) {
        await current.handle.close()
        current = undefined
      }
      const file = (current ??= await begin(day))
      try {
        await writeWhole(file.handle, bytes)
        const [{ nlink }] = await Promise.all([file.handle.stat(), file.handle.datasync()])
        if (nlink === 0) throw new Error('somebody removed the file')
        file.isKept = true
      } catch (error) {
        current = undefined
        await abandon(file)
        throw error
      }
    },
    async close(): Promise<void> {
      await current?.handle.close()
      current = undefined
    },
  }
}

/** Removes the file when no caller was told of a line in it, so that a full disk does not fill with empty files. */
async function abandon({ handle, path: file, isKept }: OpenFile): Promise<void> {
  await handle.close().catch(() => {})
  if (!isKept) await unlink(file).catch(() => {})
}

/** A write may take only a part, as on a disk that is nearly full. */
async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, from)
    if (bytesWritten === 0) throw new Error('nothing could be written')
    from += bytesWritten
  }
}

/** The name of a new file is on the disk only then (fsync(2)). */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
