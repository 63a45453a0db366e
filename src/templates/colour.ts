// Makes a merchant's colours readable: contrast by WCAG 2.2, shades by OKLCH (CSS Color 4 §9.3), so that a lighter or darker shade
// keeps its hue.
import { must } from '#/kernel/check.ts'

/** Linear light of red, green and blue, each from 0 to 1. */
export type Light = readonly [red: number, green: number, blue: number]

/** The contrast that WCAG 2.2 requires of text (1.4.3), and of the edges of controls (1.4.11). */
export const textContrast = 4.5
export const edgeContrast = 3

const white: Light = [1, 1, 1]
const black: Light = [0, 0, 0]

/** The light of `#rrggbb`; undefined for any other text. */
export function parseColour(text: string): Light | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? []
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return [linear(red), linear(green), linear(blue)]
}

export function toHex(light: Light): string {
  const channels = light.map((each) => Math.round(encode(each) * 255))
  return `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`
}

/** From 1 (the same colour) to 21 (black on white), by WCAG 2.2. */
export function contrast(a: Light, b: Light): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** White or black, whichever is readable on `ground`; one of them always reaches 4.58:1. */
export function textOn(ground: Light): Light {
  return contrast(white, ground) >= textContrast ? white : black
}

/**
 * The shade of `colour` that differs least and reaches `ratio` on every one of the grounds: darker on light grounds, lighter on dark
 * ones.
 */
export function readableOn(colour: Light, grounds: readonly Light[], ratio: number): Light {
  const shown = grounds.map(rounded)
  const reaches = (shade: Light) => shown.every((ground) => contrast(rounded(shade), ground) >= ratio)
  if (reaches(colour)) return colour
  const { l, c, h } = toOklch(colour)
  const isLight = grounds.every((ground) => luminance(ground) > 0.18)
  const steps = 100
  for (let step = 1; step < steps; step += 1) {
    const share = step / steps
    const shade = fromOklch({ l: isLight ? l * (1 - share) : l + (1 - l) * share, c: c * (1 - share / 2), h })
    if (reaches(shade)) return shade
  }
  return isLight ? black : white
}

type Oklch = { readonly l: number; readonly c: number; readonly h: number }

/** Light of an OKLCH colour, clipped to what a screen can show. */
export function fromOklch({ l, c, h }: Oklch): Light {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    clip(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    clip(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    clip(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
  ]
}

function toOklch([red, green, blue]: Light): Oklch {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short
  return {
    l: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    c: Math.hypot(a, b),
    h: (Math.atan2(b, a) * 180) / Math.PI,
  }
}

/** As a browser shows it: eight bits a channel. */
function rounded(light: Light): Light {
  return parseColour(toHex(light)) ?? light
}

function luminance([red, green, blue]: Light): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** sRGB's transfer function (IEC 61966-2-1), in both directions. */
function linear(hex: string): number {
  const value = Number.parseInt(hex, 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function encode(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value))
}

// Reads colours as merchants write them, and computes whether they are readable.

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
