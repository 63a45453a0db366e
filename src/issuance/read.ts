// Reads issuance logs, page by page: memory does not grow with them.
import { open, readdir, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { parseHeader, parseLine, type Books, type Issued } from './line.ts'

/** What was read besides whole lines. */
export type Counts = {
  files: number
  lines: number
  /** Ends of files that a process could not finish, because it was killed or its disk was full. */
  torn: number
  /** Lines amid a file that are not as they were written. */
  damaged: number
}

/** A folder that cannot be read as issuance logs of these books, and what to do. */
class UnreadableLog extends Error {
  override name = 'UnreadableLog'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

const pageMax = 1_000
const chunkBytes = 65_536
/** Far more than the length of a line: a longer text was never one. */
const lineMax = 2_048

/**
 * Yields the lines of all logs in these folders, in pages; other files there are ignored. `counts` grows with what is read.
 * Throws UnreadableLog for a folder that cannot be read or has no log. For a log of other books it throws before it yields a
 * line of that log.
 */
export async function* readLogs(
  folders: readonly string[],
  books: Books,
  counts: Counts,
): AsyncGenerator<readonly Issued[]> {
  for (const folder of folders)
    for (const file of await logsIn(folder)) {
      counts.files += 1
      let page: Issued[] = []
      for await (const issued of readLog(file, books, counts)) {
        page.push(issued)
        if (page.length < pageMax) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    }
}

async function logsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableLog(`${folder} cannot be read (${error.message}).`, 'Name the folder of the logs.')
  })
  const logs = names.filter((name) => name.endsWith('.issued')).sort()
  if (logs.length === 0)
    throw new UnreadableLog(`${folder} has no issuance log.`, 'Their names end in .issued.')
  return logs.map((name) => path.join(folder, name))
}

async function* readLog(file: string, books: Books, counts: Counts): AsyncGenerator<Issued> {
  const handle = await open(file, 'r')
  try {
    let isFirst = true
    for await (const { text, isEnded } of linesOf(handle)) {
      const issued = parseLine(text)
      if (!isEnded) counts.torn += 1
      else if (isFirst) confirmBooks(file, parseHeader(text), books)
      else if (issued === undefined) counts.damaged += 1
      else {
        counts.lines += 1
        yield issued
      }
      isFirst = false
    }
  } finally {
    await handle.close()
  }
}

function confirmBooks(file: string, found: Books | undefined, books: Books): void {
  if (found === undefined)
    throw new UnreadableLog(
      `${file} does not begin as an issuance log.`,
      'Find out who changed it, or remove it from the folder.',
    )
  if (found.cell === books.cell && found.first === books.first) return
  const { cell } = found
  throw new UnreadableLog(
    `${file} is the log of other books, of cell ${cell}.`,
    'Nothing of it was read; remove it from the folder.',
  )
}

/** `isEnded`: the line has its end. Only the last one may lack it. */
async function* linesOf(
  handle: FileHandle,
): AsyncGenerator<{ readonly text: string; readonly isEnded: boolean }> {
  const chunk = Buffer.alloc(chunkBytes)
  let rest = ''
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, null)
    if (bytesRead === 0) break
    const parts = (rest + chunk.toString('latin1', 0, bytesRead)).split('\n')
    // Cut off here, so that a damaged file without line ends does not fill the memory.
    rest = (parts.pop() ?? '').slice(0, lineMax)
    for (const text of parts) yield { text, isEnded: true }
  }
  if (rest !== '') yield { text: rest, isEnded: false }
}
