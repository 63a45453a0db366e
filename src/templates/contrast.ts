// Reads colours as merchants write them, and computes whether they are readable.
import { must } from '#/kernel/check.ts'
import { contrast, fromOklch, parseColour, readableOn, toHex } from './colour.ts'

/** Converts `#rrggbb` or `oklch(0.58 0.13 45)` (CSS Color 4 §9.4) to `#rrggbb`; undefined for anything else, names included. */
export function readColour(text: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  const [, l, percent, c, h] =
    /^oklch\( *(\d{1,3}(?:\.\d{1,6})?)(%?) +(\d(?:\.\d{1,6})?) +(\d{1,3}(?:\.\d{1,6})?)(?:deg)? *\)$/.exec(
      text,
    ) ?? []
  if (l === undefined || c === undefined || h === undefined) return undefined
  const lightness = percent === '%' ? Number(l) / 100 : Number(l)
  if (lightness > 1 || Number(c) > 0.5 || Number(h) > 360) return undefined
  return toHex(fromOklch({ l: lightness, c: Number(c), h: Number(h) }))
}

/** From 1 (the same colour) to 21 (black on white), by WCAG 2.2. Both are `#rrggbb`. */
export function contrastOf(a: string, b: string): number {
  return contrast(lightOf(a), lightOf(b))
}

/** The shade of `colour` that differs least and reaches `ratio` on `ground`. All are `#rrggbb`. */
export function nearest(colour: string, ground: string, ratio: number): string {
  return toHex(readableOn(lightOf(colour), [lightOf(ground)], ratio))
}

function lightOf(hex: string) {
  return must(parseColour(hex), `${hex} is a colour`)
}
