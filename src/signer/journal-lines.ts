// The bytes of the journal and of its mark: the format of a line, and how a start reads the bytes that it finds.
import { createHmac } from 'node:crypto'
import { equalSecrets } from '#/kernel/secret.ts'
import type { Entry } from './history.ts'
import { integer, object, readJson, ShapeError, textLike, type Reader } from './shape.ts'
import { readTransaction, writeTransaction } from './transaction.ts'

/** A place in the journal: the number of lines up to here, without the first, and the code of the last one. */
export type Place = { readonly count: number; readonly code: string }

export type Reading = {
  readonly entries: readonly Entry[]
  readonly end: Place
  /** Bytes that are whole lines; later bytes were never answered and are dropped. */
  readonly length: number
}

/** The journal differs from what was written. The message says how, with the number of the line. */
export class JournalError extends Error {
  override name = 'JournalError'
}

/** The first line of every journal, and the place after it. */
export function firstLine(key: Buffer): { readonly line: string; readonly end: Place } {
  return lineOf(key, { count: -1, code: '' }, '{"journal":1}')
}

/** The next line: a JSON array of the running code (HMAC-SHA256 over the last code and the body) and the body. */
export function entryLine(
  key: Buffer,
  last: Place,
  { at, tx }: Entry,
): { readonly line: string; readonly end: Place } {
  return lineOf(key, last, JSON.stringify({ at, tx: writeTransaction(tx) }))
}

/**
 * Reads a journal and compares it with its mark. The signatures of all lines up to the mark may have been answered, so these lines
 * must exist and be valid; otherwise JournalError. No signature was returned for later lines. Whole ones still count, which is the
 * safe side; everything from the first incomplete line on is dropped.
 */
export function readJournal(bytes: Buffer, mark: Place, key: Buffer): Reading {
  const first = firstLine(key)
  const entries: Entry[] = []
  let end: Place = { count: -1, code: '' }
  let length = 0
  while (length < bytes.length) {
    const newline = bytes.indexOf(0x0a, length)
    const line = newline < 0 ? undefined : bytes.toString('utf8', length, newline)
    const read = line === undefined ? undefined : readLine(key, end, line)
    if (read === undefined) break
    if (read.end.count === 0 && read.end.code !== first.end.code) break
    if (read.end.count > 0) entries.push(readEntry(read.body, read.end.count))
    end = read.end
    length = newline + 1
    if (end.count === mark.count && end.code !== mark.code)
      throw new JournalError(`line ${end.count} of the journal is not the one that was answered`)
  }
  if (end.count < mark.count) {
    const what = length < bytes.length ? 'is not as it was written' : 'lacks'
    throw new JournalError(`line ${end.count + 1} of the journal ${what}; ${mark.count} were answered`)
  }
  return { entries, end, length }
}

/** Each mark is written to the other of two slots, so that an interrupted write damages only itself. Slots are a disk block apart. */
export const markSlotBytes = 4_096

/** The content of a slot. */
export function markSlot(key: Buffer, place: Place): Buffer {
  const body = JSON.stringify({ count: place.count, code: place.code })
  return Buffer.from(
    `${JSON.stringify([codeOf(key, 'mark', body)]).slice(0, -1)},${body}]\n`.padEnd(256, ' '),
  )
}

/** The later of the two places that the mark file holds, and its slot; undefined where neither is valid. */
export function readMarkFile(
  bytes: Buffer,
  key: Buffer,
): { readonly place: Place; readonly slot: 0 | 1 } | undefined {
  const [a, b] = ([0, 1] as const).map((slot) => readSlot(bytes, key, slot))
  if (a === undefined || b === undefined) return a ?? b
  return a.place.count >= b.place.count ? a : b
}

function readSlot(bytes: Buffer, key: Buffer, slot: 0 | 1): { place: Place; slot: 0 | 1 } | undefined {
  const text = bytes.toString('utf8', slot * markSlotBytes, slot * markSlotBytes + 256)
  const parts = partsOf(text.split('\n')[0] ?? '')
  if (parts === undefined || !isCode(parts.code, codeOf(key, 'mark', parts.body))) return undefined
  return { place: readJson(parts.body, readPlace, 'the mark'), slot }
}

const readPlace: Reader<Place> = object({
  count: integer(0, Number.MAX_SAFE_INTEGER),
  code: textLike(/^[0-9a-f]{64}$/, '64 hexadecimal digits'),
})
const readBody = object({ at: integer(0, Number.MAX_SAFE_INTEGER), tx: readTransaction })

type Line = { readonly end: Place; readonly body: string }

function readLine(key: Buffer, last: Place, line: string): Line | undefined {
  const parts = partsOf(line)
  if (parts === undefined || !isCode(parts.code, codeOf(key, last.code, parts.body))) return undefined
  return { end: { count: last.count + 1, code: parts.code }, body: parts.body }
}

function readEntry(body: string, count: number): Entry {
  try {
    return readJson(body, readBody, `line ${count} of the journal`)
  } catch (error) {
    // The code is right, so we wrote the line, in an older or a newer release: an operator has to check it.
    throw error instanceof ShapeError ? new JournalError(error.message) : error
  }
}

function lineOf(key: Buffer, last: Place, body: string): { readonly line: string; readonly end: Place } {
  const code = codeOf(key, last.code, body)
  return { line: `["${code}",${body}]\n`, end: { count: last.count + 1, code } }
}

function partsOf(line: string): { readonly code: string; readonly body: string } | undefined {
  const match = /^\["([0-9a-f]{64})",(\{.*\})\]\s*$/.exec(line)
  return match?.[1] === undefined || match[2] === undefined ? undefined : { code: match[1], body: match[2] }
}

function codeOf(key: Buffer, before: string, body: string): string {
  return createHmac('sha256', key).update(before).update('\n').update(body).digest('hex')
}

function isCode(given: string, right: string): boolean {
  return equalSecrets(Buffer.from(given), Buffer.from(right))
}
