// The text of a bank's file in the encoding that it names. Most banks write UTF-8; some write ISO-8859-1.
import { UnreadableFile } from './unreadable.ts'

/** The names of XML 1.0 §4.3.3 that banks use, as the names of TextDecoder. */
const decoders: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  // A part of UTF-8.
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  // TextDecoder reads ISO-8859-1 as windows-1252: programs of banks use the signs of the latter under the name of the former.
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
  ['latin9', 'iso-8859-15'],
])

/** Returns the text. Throws UnreadableFile for bytes that are not of the encoding, and for an encoding that we do not read. */
export function textOfXml(bytes: Buffer): string {
  const mark = byteOrderMark(bytes)
  const start = mark === undefined ? bytes.subarray(0, 200).toString('latin1') : ''
  const named = /^\W*<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(start)?.[1] ?? 'UTF-8'
  const encoding = mark ?? decoders.get(named.toLowerCase())
  if (encoding === undefined)
    throw new UnreadableFile(`its encoding is ${named}: UTF-8, ISO-8859-1, ISO-8859-15 and UTF-16 are read`)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableFile(`it is not ${mark?.toUpperCase() ?? named}, although it says so`)
  }
}

/** Whether the bytes are a text of UTF-16. */
export function isUtf16(bytes: Buffer): boolean {
  return byteOrderMark(bytes) !== undefined
}

/** UTF-16 is known by its mark alone: no name in it can be read before. */
function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}
