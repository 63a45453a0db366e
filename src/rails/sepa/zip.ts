// Reads the ZIP in which banks hand out several files, without trust in anything that it says: the sum of all files, each file and their
// number are bounded while they are unpacked, so a small ZIP cannot become a large one (APPNOTE.TXT of PKWARE, §4.3).
import { crc32, inflateRawSync } from 'node:zlib'
import { UnreadableFile } from './unreadable.ts'
import { fileBytesMax } from './xml.ts'

export type Packed = { readonly name: string; readonly bytes: Buffer }

/** A month of files of a few accounts. */
const filesMax = 500
/** All files together, unpacked. */
const bytesMax = 4 * fileBytesMax

/** Signatures of a file, of an entry of the directory, and of the directory's end, with the length of their fixed part. */
const [localFile, entry, end] = [
  { mark: 0x04034b50, size: 30 },
  { mark: 0x02014b50, size: 46 },
  { mark: 0x06054b50, size: 22 },
] as const
/** The comment behind the end. */
const commentMax = 0xffff

/** Whether the bytes are a ZIP. An empty one has only the directory's end. */
export function isZip(bytes: Buffer): boolean {
  return bytes.length >= 4 && [localFile.mark, end.mark].some((mark) => bytes.readUInt32LE(0) === mark)
}

/** Returns the files, in the order of their names, without folders. Throws UnreadableFile with the reason. */
export function unzip(bytes: Buffer): readonly Packed[] {
  const at = endOf(bytes)
  const [count, start] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16)]
  if (count === 0xffff || start === 0xffffffff) throw new UnreadableFile('it is a ZIP of the 64 bit form')
  if (count > filesMax) throw new UnreadableFile(`it is a ZIP of more than ${filesMax} files`)
  const files: Packed[] = []
  let [next, remaining] = [start, bytesMax]
  for (let each = 0; each < count; each++) {
    const found = entryAt(bytes, next)
    next = found.next
    if (found.name.endsWith('/')) continue
    const content = unpack(bytes, found, Math.min(remaining, fileBytesMax))
    remaining -= content.length
    files.push({ name: found.name, bytes: content })
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function endOf(bytes: Buffer): number {
  for (let at = bytes.length - end.size; at >= Math.max(0, bytes.length - end.size - commentMax); at--)
    if (bytes.readUInt32LE(at) === end.mark) return at
  throw new UnreadableFile('it is a ZIP that is cut off')
}

type Entry = {
  readonly name: string
  readonly method: number
  readonly flags: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly start: number
  readonly next: number
}

function entryAt(bytes: Buffer, at: number): Entry {
  requirePart(bytes, at, entry)
  const [nameSize, extraSize, commentSize] = [28, 30, 32].map((from) => bytes.readUInt16LE(at + from)) as [
    number,
    number,
    number,
  ]
  const name = bytes.subarray(at + entry.size, at + entry.size + nameSize)
  return {
    // Old programs write names in encodings that they do not tell; only letters of ASCII matter to us.
    name: name.toString('utf8').replaceAll(/\p{C}/gu, ''),
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    packedSize: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    start: bytes.readUInt32LE(at + 42),
    next: at + entry.size + nameSize + extraSize + commentSize,
  }
}

/** Returns the content of a file, of at most `max` bytes. */
function unpack(
  bytes: Buffer,
  { name, method, flags, crc, packedSize, size, start }: Entry,
  max: number,
): Buffer {
  if ((flags & 1) !== 0) throw new UnreadableFile(`it is a ZIP, and ${name} in it has a password`)
  requirePart(bytes, start, localFile)
  const from = start + localFile.size + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
  const packed = bytes.subarray(from, from + packedSize)
  if (size > max || (method === 0 && packed.length > max)) throw tooLarge(name)
  const content = method === 0 ? packed : method === 8 ? inflated(packed, name, max) : undefined
  if (content === undefined)
    throw new UnreadableFile(`it is a ZIP, and ${name} in it is packed by method ${method}`)
  if (content.length !== size || crc32(content) !== crc)
    throw new UnreadableFile(`it is a ZIP, and ${name} in it is damaged`)
  return content
}

/** Stops at `max`, whatever the ZIP says of the size. */
function inflated(packed: Buffer, name: string, max: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, max) })
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isLarge ? tooLarge(name) : new UnreadableFile(`it is a ZIP, and ${name} in it is damaged`)
  }
}

function tooLarge(name: string): UnreadableFile {
  return new UnreadableFile(
    `it is a ZIP, and with ${name} its files are larger than ${fileBytesMax} bytes each or ${bytesMax} in all`,
  )
}

/** The part of this form has to begin here. */
function requirePart(
  bytes: Buffer,
  at: number,
  { mark, size }: { readonly mark: number; readonly size: number },
): void {
  if (at + size > bytes.length || bytes.readUInt32LE(at) !== mark)
    throw new UnreadableFile('it is a ZIP that is damaged')
}
