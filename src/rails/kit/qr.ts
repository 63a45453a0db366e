// A QR code as a picture: a PNG of one bit per pixel, small and fast enough to be made for every answer.
import { crc32, deflateSync } from 'node:zlib'
import { correction, generate, mode, type Bitmap2D } from 'lean-qr'

/** Returns the picture of `text` as `data:image/png;base64,…`: black on white, error correction M, with its quiet zone. */
export function qrDataUrl(text: string): string {
  return `data:image/png;base64,${qrPng(text).toString('base64')}`
}

/** ISO/IEC 18004 §6.3.8: four modules of white all around. */
const quietModules = 4
/** Width and height. At one bit per pixel a module is a whole byte: fast to draw, and repetitions compress well. */
const modulePixels = 8

/**
 * Readers accept each of the eight masks. Choosing the best one takes ten times as long as everything else, and masked text looks
 * like noise with any of them. The text is one segment of bytes for the same reason.
 */
const mask = 2
const level = { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M }

/** Returns the PNG itself (RFC 2083 in ISO/IEC 15948): greyscale, one bit, so 1 is white. */
export function qrPng(text: string): Buffer {
  const modules = generate(mode.bytes(Buffer.from(text, 'utf8')), { ...level, mask })
  const side = (modules.size + 2 * quietModules) * modulePixels
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', headerOf(side)),
    chunk('IDAT', deflateSync(scanLines(modules), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function headerOf(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit, greyscale; the only compression, filter set and no interlace.
  header.set([1, 0, 0, 0, 0], 8)
  return header
}

/**
 * The first line of a row of modules has filter 0 (none). The lines that repeat it have filter 2 (difference from the line above),
 * so they contain only zeros.
 */
function scanLines(modules: Bitmap2D): Buffer {
  const { size } = modules
  const side = size + 2 * quietModules
  const stride = 1 + side
  const lines = Buffer.alloc(stride * side * modulePixels)
  for (let line = 0; line < side * modulePixels; line++) {
    if (line % modulePixels === 0) lines.fill(0xff, line * stride + 1, (line + 1) * stride)
    else lines[line * stride] = 2
  }
  for (let row = 0; row < size; row++) {
    const first = (row + quietModules) * modulePixels * stride + 1 + quietModules
    for (let column = 0; column < size; column++) if (modules.get(column, row)) lines[first + column] = 0
  }
  return lines
}

/** Length, name, data, and the checksum of name and data. */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
