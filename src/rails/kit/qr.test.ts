import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import { decodeQR } from 'qr/decode.js'
import vectors from '../../../test/rails/pix/br-code-vectors.json' with { type: 'json' }
import { qrDataUrl, qrPng } from './qr.ts'

const texts = [vectors.valid[0]?.payload ?? '', vectors.valid[1]?.payload ?? '', 'x'.repeat(512), 'a']

type Chunk = { readonly name: string; readonly data: Buffer }

/** The chunks of a PNG, their checksums checked: ISO/IEC 15948 §5.3. */
function chunksOf(png: Buffer): readonly Chunk[] {
  assert.equal(png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a')
  const chunks: Chunk[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body))
    chunks.push({ name: body.toString('latin1', 0, 4), data: body.subarray(4) })
    at += 12 + length
  }
  return chunks
}

/** The pixels, true for black, of a greyscale PNG of one bit: filters 0 and 2 of ISO/IEC 15948 §9.2. */
function pixelsOf(png: Buffer): readonly (readonly boolean[])[] {
  const [header, data, end, ...more] = chunksOf(png)
  assert.deepEqual([header?.name, data?.name, end?.name, more.length], ['IHDR', 'IDAT', 'IEND', 0])
  assert.equal(end?.data.length, 0)
  const width = header?.data.readUInt32BE(0) ?? 0
  const height = header?.data.readUInt32BE(4) ?? 0
  assert.equal(header?.data.subarray(8).toString('hex'), '0100000000')
  const lines = inflateSync(data?.data ?? Buffer.alloc(0))
  const stride = 1 + Math.ceil(width / 8)
  assert.equal(lines.length, stride * height)
  let above = Buffer.alloc(stride - 1)
  return Array.from({ length: height }, (_, y) => {
    const line = lines.subarray(y * stride, (y + 1) * stride)
    const filter = line[0]
    assert.ok(filter === 0 || filter === 2)
    const row = Buffer.from(line.subarray(1).map((byte, i) => (filter === 2 ? byte + (above[i] ?? 0) : byte)))
    above = row
    return Array.from({ length: width }, (_, x) => ((row[x >> 3] ?? 0) & (0x80 >> (x & 7))) === 0)
  })
}

/** Reads the text from the pixels alone, with another implementation. */
function read(pixels: readonly (readonly boolean[])[]): string {
  const shades = pixels.flatMap((row) => row.map((dark) => (dark ? 0 : 255)))
  const data = Uint8Array.from(shades.flatMap((shade) => [shade, shade, shade]))
  return decodeQR({ width: pixels[0]?.length ?? 0, height: pixels.length, data })
}

test('the picture is a PNG that another implementation reads, modules of eight pixels within their quiet zone', () => {
  for (const text of [...texts, 'Padaria São João']) {
    const pixels = pixelsOf(qrPng(text))
    assert.equal(read(pixels), text)
    const modules = pixels.length / 8
    // ISO/IEC 18004 §6.3: 21 modules, and four more for each version; four white ones all around.
    assert.ok(Number.isInteger(modules) && (modules - 8 - 21) % 4 === 0)
    pixels.forEach((row, y) =>
      row.forEach((dark, x) => {
        assert.equal(dark, pixels[y - (y % 8)]?.[x - (x % 8)], 'a module has one shade')
        const isQuiet = [x, y].some((at) => at < 32 || at >= pixels.length - 32)
        assert.ok(!dark || !isQuiet, 'the quiet zone is light')
      }),
    )
  }
})

test('it states error correction M and its mask in the standard place', () => {
  const pixels = pixelsOf(qrPng(texts[0] ?? ''))
  // As wide as a quarter of the quiet zone above it.
  const scale = pixels.findIndex((row) => row.includes(true)) / 4
  // ISO/IEC 18004 §7.9: beside the upper left finder, row 8, columns 0 to 5, 7 and 8; most significant bit first.
  const bits = [0, 1, 2, 3, 4, 5, 7, 8].map((column) =>
    pixels[(8 + 4) * scale]?.[(column + 4) * scale] ? '1' : '0',
  )
  const masked = Number.parseInt(bits.slice(0, 5).join(''), 2) ^ 0b10101
  assert.equal(masked >> 3, 0b00)
  assert.equal(masked & 0b111, 2)
})

test('it is small and a data URL', () => {
  const url = qrDataUrl(texts[1] ?? '')
  assert.match(url, /^data:image\/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+=*$/)
  assert.ok(url.length < 2_500)
})
