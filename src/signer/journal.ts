// The journal on disk. A line is written and forced to disk, then the mark that counts it, and only then the transaction is signed.
// So every signature that was answered is in the journal, and a start can tell which lines were never answered.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Entry } from './history.ts'
import {
  entryLine,
  firstLine,
  JournalError,
  markSlot,
  markSlotBytes,
  readJournal,
  readMarkFile,
  type Place,
  type Reading,
} from './journal-lines.ts'
import { journalKeyPath, openJournalKey, storeJournalKey, type Keystore } from './keys.ts'
import { readPrivateFile, writePrivateFile } from './private-files.ts'
import { SignerStartError } from './start-error.ts'

export type Journal = {
  /** Everything that was in it at the start. */
  readonly entries: readonly Entry[]
  /** Bytes of an incomplete line, dropped at the start. */
  readonly dropped: number
  /**
   * Forces the entries to disk, in this order. If it rejects, any part of them may be on the disk: the journal then accepts no more
   * entries, and only a new start can find out which are there.
   */
  append(entries: readonly Entry[]): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the journal of `folder`, or creates it. The caller makes sure that no other process has it open. Throws SignerStartError
 * when the journal differs from what was written: then nothing is signed until an operator has checked it.
 */
export async function openJournal(folder: string, store: Keystore): Promise<Journal> {
  const files = { lines: join(folder, 'journal.jsonl'), mark: join(folder, 'journal.mark') }
  const key = openJournalKey(store) ?? create(files, store)
  const { reading, slot } = read(files, key)
  const lines = await open(files.lines, 'r+')
  const mark = await open(files.mark, 'r+')
  const { size } = await lines.stat()
  if (size > reading.length) await lines.truncate(reading.length)
  const writer = createWriter({ lines, mark, key, length: reading.length, end: reading.end, slot })
  // Lines after the mark count from now on, so the mark moves behind them.
  await writer.settle()
  return {
    entries: reading.entries,
    dropped: size - reading.length,
    append: writer.append,
    async close() {
      key.fill(0)
      await Promise.all([lines.close(), mark.close()])
    },
  }
}

type Files = { readonly lines: string; readonly mark: string }

/** Stores the key last: before that nothing was signed, and a start after a kill half way begins afresh. */
function create(files: Files, store: Keystore): Buffer {
  if (existsSync(files.lines) && readFileSync(files.lines).filter((byte) => byte === 0x0a).length > 1)
    throw refusal(`There is a journal, ${files.lines}, but not its key, ${journalKeyPath(store.folder)}.`)
  const key = Buffer.alloc(32, randomBytes(32))
  const { line, end } = firstLine(key)
  writePrivateFile(files.lines, line, { replace: true })
  writePrivateFile(files.mark, markSlot(key, end), { replace: true })
  storeJournalKey(store, key)
  return key
}

function read(files: Files, key: Buffer): { readonly reading: Reading; readonly slot: 0 | 1 } {
  for (const path of [files.lines, files.mark]) if (!existsSync(path)) throw refusal(`${path} is missing.`)
  const marked = readMarkFile(readPrivateFile(files.mark), key)
  if (marked === undefined) throw refusal(`${files.mark} is not as it was written.`)
  try {
    return { reading: readJournal(readPrivateFile(files.lines), marked.place, key), slot: marked.slot }
  } catch (error) {
    if (error instanceof JournalError) throw refusal(`${files.lines}: ${error.message}.`)
    throw error
  }
}

function refusal(message: string): SignerStartError {
  return new SignerStartError(
    message,
    'Nothing is signed. See "When the journal is refused" in docs/signer.md.',
  )
}

type WriterState = {
  readonly lines: FileHandle
  readonly mark: FileHandle
  readonly key: Buffer
  readonly length: number
  readonly end: Place
  readonly slot: 0 | 1
}

function createWriter(state: WriterState) {
  const { lines, mark, key } = state
  let { length, end, slot } = state
  let isBroken = false
  return {
    async settle(): Promise<void> {
      await lines.datasync()
      await writeMark(end)
    },
    async append(entries: readonly Entry[]): Promise<void> {
      if (isBroken) throw new JournalError('the journal accepts no more')
      isBroken = true
      let last = end
      const text = entries.map((entry) => {
        const { line, end: next } = entryLine(key, last, entry)
        last = next
        return line
      })
      const bytes = Buffer.from(text.join(''))
      // A second process that writes here would break both rules; the lock should have kept it out.
      if ((await lines.stat()).size !== length)
        throw new JournalError('another process writes to the journal')
      await writeAll(lines, bytes, length)
      await lines.datasync()
      await writeMark(last)
      length += bytes.length
      end = last
      isBroken = false
    },
  }

  async function writeMark(place: Place): Promise<void> {
    const next = slot === 0 ? 1 : 0
    await writeAll(mark, markSlot(key, place), next * markSlotBytes)
    await mark.datasync()
    slot = next
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
