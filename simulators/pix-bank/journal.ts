// What the bank remembers: a file of lines, each a group of events that happened together. A line that was not written
// to its end did not happen.
import { createReadStream, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'

export type Journal = {
  append(line: string): void
  /** Settles when all that was appended is in the file; undefined when it is already. */
  kept(): Promise<void> | undefined
  close(): Promise<void>
}

/** Hands every whole line to `read`, then stands ready to append. A torn last line is cut off. */
export async function openJournal(path: string, read: (line: string) => void): Promise<Journal> {
  const file = await open(path, 'a', 0o600)
  const { size } = await file.stat()
  const whole = await replay(path, read)
  if (whole < size) truncateSync(path, whole)
  let waiting: string[] = []
  let writing: Promise<void> | undefined
  let next: Promise<void> | undefined
  const write = async () => {
    const bytes = Buffer.from(waiting.join(''))
    waiting = []
    for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
  }
  const flush = (): Promise<void> => {
    // Whatever is appended while one batch is written goes into the next.
    writing = write().finally(() => (writing = undefined))
    return writing
  }
  const kept = (): Promise<void> | undefined => {
    if (waiting.length === 0) return writing
    if (writing === undefined) return flush()
    next ??= writing.then(() => {
      next = undefined
      return flush()
    })
    return next
  }
  return {
    append: (line) => {
      waiting.push(`${line}\n`)
      // Also what nobody waits for is written soon. A bank that cannot write must not go on.
      if (waiting.length === 1) setImmediate(() => void kept())
    },
    kept,
    close: async () => {
      await kept()
      await file.close()
    },
  }
}

/** How many bytes hold whole lines. */
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
