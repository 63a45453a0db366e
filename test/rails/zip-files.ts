// ZIP files for tests, written from APPNOTE.TXT of PKWARE and not by any code of ours.
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipPart = {
  readonly name: string
  readonly bytes: Buffer
  readonly isStored?: boolean
  /** Default: the true ones. */
  readonly size?: number
  readonly crc?: number
  readonly hasPassword?: boolean
  /** Default: packed by method 8, or stored. */
  readonly method?: number
  /** Further fields of the file and of its entry in the directory, which readers pass over. */
  readonly extra?: string
  readonly comment?: string
}

/** A ZIP of these files, with a comment behind its end. */
export function zipFile(parts: readonly ZipPart[], behind = Buffer.alloc(0)): Buffer {
  const bodies: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const part of parts) {
    const {
      name,
      bytes,
      isStored = false,
      size = bytes.length,
      crc = crc32(bytes),
      hasPassword = false,
      method = isStored ? 0 : 8,
      extra = '',
      comment = '',
    } = part
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const named = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(hasPassword ? 1 : 0, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(named.length, 22)
    common.writeUInt16LE(extra.length, 24)
    const further = Buffer.from(extra + comment)
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      common,
      named,
      Buffer.from(extra),
      packed,
    ])
    const rest = Buffer.alloc(14)
    rest.writeUInt16LE(comment.length, 0)
    rest.writeUInt32LE(at, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, named, further]))
    bodies.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(Math.min(behind.length, 0xffff), 20)
  return Buffer.concat([...bodies, directory, end, behind])
}
