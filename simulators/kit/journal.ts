// A simulator's memory: a file of lines. Each line is a group of events that happened together. A line that was not written
// completely counts as not happened.
import { createReadStream, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'

export type Journal = {
  append(line: string): void
  /** Settles when all that was appended is in the file; undefined when it is already. */
  kept(): Promise<void> | undefined
  close(): Promise<void>
}

/** Passes every whole line to `read`, and then opens the file for appending. A torn last line is cut off. */
export async function openJournal(path: string, read: (line: string) => void): Promise<Journal> {
  const file = await open(path, 'a', 0o600)
  const { size } = await file.stat()
  const whole = await replay(path, read)
  if (whole < size) truncateSync(path, whole)
  let isClosed = false
  let next = emptyBatch()
  let writing: Batch | undefined
  const writeAll = async () => {
    // Lines appended while one batch is written go into the next.
    while (next.lines.length > 0) {
      writing = next
      next = emptyBatch()
      const bytes = Buffer.from(writing.lines.join(''))
      for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
      writing.resolve()
    }
    writing = undefined
  }
  const kept = () => (next.lines.length > 0 ? next.promise : writing?.promise)
  return {
    append: (line) => {
      if (isClosed) return
      next.lines.push(`${line}\n`)
      // Written at the end of this turn of the event loop, so that calls that came together are written together. A simulator that
      // cannot write must not continue: an error ends the process.
      if (writing === undefined && next.lines.length === 1) setImmediate(() => void writeAll())
    },
    kept,
    close: async () => {
      isClosed = true
      await kept()
      await file.close()
    },
  }
}

type Batch = {
  readonly lines: string[]
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function emptyBatch(): Batch {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { lines: [], promise, resolve }
}

/** How many bytes the whole lines take up. */
async function replay(path: string, read: (line: string) => void): Promise<number> {
  let whole = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10)) {
      read(bytes.toString('utf8', 0, end))
      whole += end + 1
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes
  }
  return whole
}
