// Pictures of pages, made small: the browser writes millions of colours, a page has a few hundred (PNG, ISO/IEC 15948).
import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** `pixels`: one number for each, 0xrrggbb, row by row. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array }

const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Reads what browsers write: eight bits a channel, with or without transparency, not interlaced. */
export function readPng(png: Buffer): Picture {
  const parts: Buffer[] = []
  let [width, height, channels] = [0, 0, 0]
  for (let at = signature.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const name = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    if (name === 'IDAT') parts.push(body)
    if (name !== 'IHDR') continue
    width = body.readUInt32BE(0)
    height = body.readUInt32BE(4)
    channels = body[9] === 6 ? 4 : 3
    if (body[8] !== 8 || (body[9] !== 2 && body[9] !== 6) || body[12] !== 0)
      throw new Error('another kind of PNG')
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels)
  const pixels = new Uint32Array(width * height)
  for (let index = 0; index < pixels.length; index++) pixels[index] = bytes.readUIntBE(index * channels, 3)
  return { width, height, pixels }
}

/** ISO/IEC 15948 §9: each row says of which of its neighbours it holds the difference. */
function unfiltered(lines: Buffer, stride: number, height: number, step: number): Buffer {
  const bytes = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < step ? 0 : (bytes[at - step] ?? 0)
      const up = y === 0 ? 0 : (bytes[at - stride] ?? 0)
      const corner = x < step || y === 0 ? 0 : (bytes[at - stride - step] ?? 0)
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      bytes[at] = (lines[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return bytes
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(left + up - corner - each))
  if (Math.min(toUp ?? 0, toCorner ?? 0) >= (toLeft ?? 0)) return left
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner
}

/** Beside each other, or one below the other. */
export function joinPictures(pictures: readonly Picture[], direction: 'beside' | 'below'): Picture {
  const widths = pictures.map(({ width }) => width)
  const heights = pictures.map(({ height }) => height)
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  const width = direction === 'beside' ? sum(widths) : Math.max(...widths)
  const height = direction === 'beside' ? Math.max(...heights) : sum(heights)
  const pixels = new Uint32Array(width * height).fill(0x80_80_80)
  let [left, top] = [0, 0]
  for (const picture of pictures) {
    for (let y = 0; y < picture.height; y++) {
      const row = picture.pixels.subarray(y * picture.width, (y + 1) * picture.width)
      pixels.set(row, (top + y) * width + left)
    }
    if (direction === 'beside') left += picture.width
    else top += picture.height
  }
  return { width, height, pixels }
}

/** With 256 colours: all others are edges of letters, and take the nearest of them. */
export function writePng({ width, height, pixels }: Picture): Buffer {
  const counts = new Map<number, number>()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = paletteOf(counts)
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]))
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      lines[y * (width + 1) + 1 + x] = places.get(pixels[y * width + x] ?? 0) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits, by palette.
  header.set([8, 3], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The commonest, then those that would be missed most: a small thing may have a colour of its own. */
function paletteOf(counts: ReadonlyMap<number, number>): readonly number[] {
  const colours = [...counts].sort(([, a], [, b]) => b - a)
  const palette = colours.slice(0, 64).map(([colour]) => colour)
  const rest = colours.slice(64).map(([colour, count]) => {
    const away = Math.min(...palette.map((each) => distance(each, colour)))
    return { colour, count, away }
  })
  while (palette.length < Math.min(256, colours.length)) {
    let missed = rest[0]
    for (const each of rest)
      if (missed === undefined || each.away * each.count > missed.away * missed.count) missed = each
    if (missed === undefined || missed.away === 0) break
    const { colour } = missed
    palette.push(colour)
    for (const each of rest) each.away = Math.min(each.away, distance(each.colour, colour))
  }
  return palette
}

function nearest(palette: readonly number[], colour: number): number {
  let [best, least] = [0, Infinity]
  for (const [place, each] of palette.entries()) {
    const away = distance(each, colour)
    if (away < least) [best, least] = [place, away]
  }
  return best
}

function distance(a: number, b: number): number {
  const part = (shift: number) => ((a >> shift) & 255) - ((b >> shift) & 255)
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2
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
