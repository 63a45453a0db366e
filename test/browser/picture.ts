// Pictures of pages: reads, compresses, joins and compares them as an eye compares them.
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** `data`: four bytes a pixel, red, green, blue, opacity, row by row. */
export type Picture = { readonly width: number; readonly height: number; readonly data: Buffer }

/** In pixels of the picture, from its upper left corner. */
export type Place = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** `letters`: where text stands in a font of this machine, which another machine may not have. */
export type Shot = { readonly picture: Picture; readonly letters: readonly Place[] }

/** The greatest difference between two equal colours, from 0 to 1. Letters whose edges are a sixth softer stay within it. */
const threshold = 0.2
const grey = Buffer.of(128, 128, 128, 255)

export function readPicture(png: Buffer): Picture {
  return PNG.sync.read(png)
}

/** No opacity, and one filter for all rows: pages have flat colours, and other settings make files twice as large. */
export function writePicture(picture: Picture): Buffer {
  const png = new PNG({ width: picture.width, height: picture.height })
  picture.data.copy(png.data)
  return PNG.sync.write(png, { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 })
}

/** Joins shots beside each other or one below the other; grey fills the space of a smaller one. */
export function joinShots(shots: readonly Shot[], direction: 'beside' | 'below'): Shot {
  const widths = shots.map(({ picture }) => picture.width)
  const heights = shots.map(({ picture }) => picture.height)
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  const isBeside = direction === 'beside'
  const joined = blank(
    isBeside ? sum(widths) : Math.max(...widths),
    isBeside ? Math.max(...heights) : sum(heights),
  )
  const letters: Place[] = []
  let [left, top] = [0, 0]
  for (const { picture, letters: own } of shots) {
    paste(picture, joined, left, top)
    letters.push(...own.map((place) => ({ ...place, x: place.x + left, y: place.y + top })))
    if (isBeside) left += picture.width
    else top += picture.height
  }
  return { picture: joined, letters }
}

/**
 * Returns the number of visibly different pixels, and a picture with them in red. Softer edges of letters do not count
 * (pixelmatch: YIQ distance, antialiasing detected), nor do letters in the machine's own fonts.
 */
export function compare(
  kept: Picture,
  { picture, letters }: Shot,
): { readonly pixels: number; readonly difference: Picture } {
  const width = Math.max(kept.width, picture.width)
  const height = Math.max(kept.height, picture.height)
  const [before, today] = [kept, picture].map((each) => {
    const whole = blank(width, height)
    paste(each, whole, 0, 0)
    for (const place of letters) cover(whole, place)
    return whole
  }) as [Picture, Picture]
  const difference = blank(width, height)
  const pixels = pixelmatch(before.data, today.data, difference.data, width, height, { threshold })
  // Pixels that only one picture has count in any colour.
  const missing = width * height - Math.min(kept.width, picture.width) * Math.min(kept.height, picture.height)
  return { pixels: Math.max(pixels, missing), difference }
}

function blank(width: number, height: number): Picture {
  return { width, height, data: Buffer.alloc(width * height * 4, grey) }
}

function paste(from: Picture, to: Picture, left: number, top: number): void {
  for (let y = 0; y < from.height; y++)
    from.data.copy(to.data, ((top + y) * to.width + left) * 4, y * from.width * 4, (y + 1) * from.width * 4)
}

function cover(picture: Picture, { x, y, width, height }: Place): void {
  const [left, right] = [Math.max(0, Math.floor(x)), Math.min(picture.width, Math.ceil(x + width))]
  const bottom = Math.min(picture.height, Math.ceil(y + height))
  for (let row = Math.max(0, Math.floor(y)); row < bottom; row++)
    picture.data.fill(grey, (row * picture.width + left) * 4, (row * picture.width + right) * 4)
}
