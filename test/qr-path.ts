// Reads the QR code of an SVG path as a camera would: an independent reader decodes its pixels.
import { decodeQR } from 'qr/decode.js'

/** The dark modules of the path, as `x y`. */
export function darkModules(path: string): ReadonlySet<string> {
  const dark = new Set<string>()
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let at = 0; at < Number(length); at += 1) dark.add(`${Number(x) + at} ${y}`)
  return dark
}

/** The text that is in the code, at six pixels a module. */
export function textOfQr({ size, path }: { readonly size: number; readonly path: string }): string {
  const dark = darkModules(path)
  const side = 6 * size
  const data = new Uint8Array(3 * side * side).fill(255)
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [Math.floor((at % side) / 6), Math.floor(at / side / 6)]
    if (dark.has(`${x} ${y}`)) data.fill(0, 3 * at, 3 * at + 3)
  }
  return decodeQR({ width: side, height: side, data })
}
