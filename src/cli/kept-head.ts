// The end of the books (the newest batch) that the processes of this machine know, kept in a file outside of the database. A process that
// finds an older end stops: the database was restored, or an old primary came back.
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import type { Core } from '#/app/core.ts'
import type { Config } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import { awaitReplication } from '#/db/replication-queries.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, sleep } from '#/kernel/time.ts'
import { faultOf, otherBranch, type Fence, type Standing } from '#/ledger/fence.ts'
import { selectStanding, type FoundStanding } from '#/ledger/queries.ts'
import type { Closer } from './run.ts'

/** How often the end is read from the database, and written to the file when it has moved. */
const everyMs = 2 * secondMs

const remedy =
  'If it was restored, run ./vintem restored; otherwise connect to the primary in use (docs/operating.md, "Backups").'

const unrepaired = 'The database was restored, and the first steps of its repair are not done.'

type Place = Pick<Config, 'dataDir' | 'VINTEM_CELL'>
type Books = { readonly sql: Sql; readonly fence?: Fence }

/**
 * Why these books are older than the books that this machine knows, or other books. Undefined: they are neither, or this machine knows
 * none.
 */
export async function faultOfHead({ sql, fence }: Books, config: Place): Promise<string | undefined> {
  const found = await selectStanding(sql, 0n)
  if (found === undefined || found.first === null) return undefined
  const kept = await readKept(fileOf(config, found.first))
  if (kept !== undefined) fence?.note(kept)
  return kept && faultOfBooks(kept, await selectStanding(sql, kept.batch))
}

/**
 * Throws a StartError when the books are older than the books that this machine knows, when they are other books, or when the first steps
 * after a restore are not done. Otherwise the process's fence has the kept end.
 */
export async function confirmHead(books: Books, config: Place): Promise<void> {
  const fault = await faultOfHead(books, config)
  if (fault !== undefined) throw new StartError(fault, remedy)
  const found = await selectStanding(books.sql, 0n)
  if (found?.isClosed === true)
    throw new StartError(
      unrepaired,
      'Run ./vintem restored show, which says what is next (docs/operating.md, "Backups").',
    )
}

/**
 * Confirms the end at the start of a process, and keeps it until the process ends. When the books turn out to be others, the process ends
 * at once.
 */
export async function guardHead(core: Core, config: Place, closer: Closer): Promise<void> {
  await confirmHead({ sql: core.sql, fence: core.lane.fence }, config)
  const stop = (why: string): void => {
    core.log.fatal({ cell: config.VINTEM_CELL }, why)
    // Not by SIGTERM: a process that ends in order would serve from these books for a while longer.
    process.exit(1)
  }
  closer.add('end of the books', keepHead(core, config, stop))
}

/**
 * Keeps the end from now on. `stop` is called with one line when the books turn out to be older than the known ones, or others. Returns the
 * function that ends this.
 */
export function keepHead(
  { sql, lane: { fence }, log }: Core,
  config: Place,
  stop: (why: string) => void,
): () => Promise<void> {
  const ending = new AbortController()
  let nap = new AbortController()
  let written: Standing | undefined
  const warn = warner(log)
  fence.onDoubt(() => nap.abort())

  async function check(): Promise<void> {
    // Read before the query: a batch that is committed in between may be missing from the answer, and that is no fault.
    const known = fence.newest()
    const found = await selectStanding(sql, known?.batch ?? 0n)
    const fault = faultOfBooks(known, found)
    if (fault !== undefined) return stop(`${fault} ${remedy}`)
    if (found?.isClosed === true) return stop(`${unrepaired} ${remedy}`)
    if (found === undefined || found.first === null) return
    if (known?.batch !== found.batch || known.epoch !== found.epoch) {
      // A batch that only the primary has may still be lost, and that is no fault, because no caller got an answer about it. So such a
      // batch is not noted.
      await awaitReplication(sql)
      fence.note(found)
    }
    const now = fence.newest() ?? found
    if (now.batch === written?.batch && now.epoch === written.epoch) return
    await writeKept(fileOf(config, found.first), now).then(
      () => (written = now),
      (error: unknown) => warn(messageOf(error)),
    )
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      nap = new AbortController()
      await sleep(everyMs, AbortSignal.any([ending.signal, nap.signal]))
      // Every other part reports a database that cannot be reached.
      await check().catch(() => {})
    }
  }

  const running = run()
  return async () => {
    ending.abort()
    // A database that does not answer must not keep the process from ending.
    const done = new AbortController()
    const last = running
      .then(check)
      .catch(() => {})
      .finally(() => done.abort())
    await Promise.race([last, sleep(everyMs, done.signal)])
  }
}

/** Why the books that were found are not the known ones. */
function faultOfBooks(known: Standing | undefined, found: FoundStanding | undefined): string | undefined {
  if (known === undefined) return undefined
  if (found === undefined) return `The database has no books, and batch ${known.batch} is known here.`
  const fault = faultOf(known, found)
  if (fault !== undefined || found.epoch > known.epoch) return fault
  return found.hashAtNumber?.equals(known.hash) === true ? undefined : otherBranch(known.batch)
}

/** One file for each installation's books: the data directory may have served other books before. */
function fileOf({ dataDir, VINTEM_CELL }: Place, first: Buffer): string {
  return path.join(dataDir, 'heads', `${VINTEM_CELL}-${first.toString('hex').slice(0, 16)}.json`)
}

async function readKept(file: string): Promise<Standing | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`${file} cannot be read (${error.message}).`, 'Let this user read it.')
  })
  if (text === undefined) return undefined
  const kept = /^\{"epoch":(\d{1,9}),"batch":"(\d{1,18})","hash":"([0-9a-f]{64})"\}\n$/.exec(text)
  if (kept === null)
    throw new StartError(`${file} is not as it was written.`, 'Find out who changed it, and remove it.')
  const [, epoch = '', batch = '', hash = ''] = kept
  return { epoch: Number(epoch), batch: BigInt(batch), hash: Buffer.from(hash, 'hex') }
}

/**
 * Written whole or not at all, also after a power cut. A newer end that another process of this machine kept is not replaced by an older
 * one.
 */
async function writeKept(file: string, standing: Standing): Promise<void> {
  const { epoch, batch, hash } = standing
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = await readKept(file)
  if (kept !== undefined && faultOf(kept, standing) !== undefined) return
  const draft = `${file}.${process.pid}.new`
  await writeSynced(draft, `{"epoch":${epoch},"batch":"${batch}","hash":"${hash.toString('hex')}"}\n`)
  await rename(draft, file)
  const place = await open(folder, 'r')
  try {
    await place.sync()
  } finally {
    await place.close()
  }
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Warns once that the end cannot be kept. The process works on, but notices a restore only while it runs. */
function warner(log: Log): (error: string) => void {
  let isSaid = false
  return (error) => {
    if (!isSaid) log.warn({ error }, 'the end of the books cannot be kept in VINTEM_DATA_DIR')
    isSaid = true
  }
}
