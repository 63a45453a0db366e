// The logo of a template: an image in a data: URL, judged by its bytes and not by the type it claims. SVG is not accepted: it is a
// document that can hold script.
import type { Logo } from './template.ts'

const bytesMax = 65_536
/** Above this, a small file unpacks to more than a phone should hold. */
const sideMax = 2_048

type Size = { readonly width: number; readonly height: number }

/** For each type of image: its first bytes, and where its size stands. */
const formats: readonly {
  readonly type: Logo['type']
  readonly begins: (bytes: Buffer) => boolean
  readonly size: (bytes: Buffer) => Size | undefined
}[] = [
  {
    type: 'image/png',
    begins: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
    size: pngSize,
  },
  {
    type: 'image/jpeg',
    begins: (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
    size: jpegSize,
  },
  {
    type: 'image/webp',
    begins: (bytes) =>
      bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
    size: webpSize,
  },
]

/** Why a picture is no logo: a code, and a sentence. */
export type LogoFault = { readonly code: string; readonly message: string }

/** The image in a `data:` URL, or what is wrong with it. */
export function readLogo(url: string): Logo | LogoFault {
  const [, type, base64] = /^data:(image\/[a-z+.-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? []
  if (type === undefined || base64 === undefined)
    return wrong('no_picture', 'This is a data: URL of a picture in base64: data:image/png;base64,…')
  const format = formats.find((each) => each.type === type)
  if (format === undefined) return wrong('picture_type', `A logo is PNG, JPEG or WebP, not ${type}.`)
  if (base64.length > Math.ceil(bytesMax / 3) * 4) return tooLarge
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > bytesMax) return tooLarge
  if (!format.begins(bytes)) return wrong('picture_bytes', `Its bytes are not those of ${type}.`)
  const size = format.size(bytes)
  if (size === undefined || size.width === 0 || size.height === 0)
    return wrong('picture_cut', 'Its size cannot be read: it is cut off.')
  if (size.width > sideMax || size.height > sideMax)
    return wrong('picture_pixels', `A logo has at most ${sideMax} pixels on a side.`)
  return { type: format.type, bytes }
}

const tooLarge: LogoFault = { code: 'picture_size', message: 'A logo has at most 64 KiB.' }

function wrong(code: string, message: string): LogoFault {
  return { code, message }
}

/** The `data:` URL that `readLogo` reads. */
export function logoUrl({ type, bytes }: Logo): string {
  return `data:${type};base64,${bytes.toString('base64')}`
}

/** PNG, §11.2.2: IHDR comes first. */
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** ITU T.81 §B.1.1: segments up to the start of a frame, which holds the size. */
function jpegSize(bytes: Buffer): Size | undefined {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** RFC 9649 §2: the first chunk holds the size, in one of three formats. */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 'VP8X') return undefined
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
}
