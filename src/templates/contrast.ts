// Colours as merchants write them, and whether they can be seen: contrast by WCAG 2.2.

/** Linear light of red, green and blue, each from 0 to 1. */
type Light = readonly [red: number, green: number, blue: number]

/** What WCAG 2.2 asks of controls (1.4.11). */
export const controlContrast = 3

/** `#rrggbb`, of `#rrggbb` or `oklch(0.58 0.13 45)` (CSS Color 4 §9.4); undefined for anything else, names included. */
export function readColour(text: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  const [, l, percent, c, h] =
    /^oklch\( *(\d{1,3}(?:\.\d{1,6})?)(%?) +(\d(?:\.\d{1,6})?) +(\d{1,3}(?:\.\d{1,6})?)(?:deg)? *\)$/.exec(
      text,
    ) ?? []
  if (l === undefined || c === undefined || h === undefined) return undefined
  const lightness = percent === '%' ? Number(l) / 100 : Number(l)
  if (lightness > 1 || Number(c) > 0.5 || Number(h) > 360) return undefined
  return toHex(fromOklch(lightness, Number(c), Number(h)))
}

/** From 1, the same, to 21, black on white. Both are `#rrggbb`. */
export function contrastOf(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(lightOf(a)), luminance(lightOf(b))].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** The mix of `colour` with black or white that reaches `ratio` on `ground` and differs least. */
export function nearest(colour: string, ground: string, ratio: number): string {
  const target = luminance(lightOf(ground)) > 0.18 ? 0 : 1
  for (let share = 0; share < 1; share += 0.01) {
    const [red, green, blue] = lightOf(colour)
    const mix = (each: number) => each * (1 - share) + target * share
    const shade = toHex([mix(red), mix(green), mix(blue)])
    if (contrastOf(shade, ground) >= ratio) return shade
  }
  return target === 0 ? '#000000' : '#ffffff'
}

function lightOf(hex: string): Light {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    // sRGB's transfer function (IEC 61966-2-1).
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return [red, green, blue]
}

function toHex(light: Light): string {
  const channels = light.map((each) => {
    const value = Math.min(1, Math.max(0, each))
    return Math.round((value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055) * 255)
  })
  return `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`
}

function luminance([red, green, blue]: Light): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** CSS Color 4 §10.5: Oklab to linear sRGB. */
function fromOklch(l: number, c: number, h: number): Light {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]
}
