// A QR code as a path of an SVG: it is sharp at any size and needs no image.
import { correction, generate } from 'lean-qr'
import type { QrCode } from './page-values.ts'

/** ISO/IEC 18004 §6.3.8: four light modules on every side. */
const quietModules = 4

/** `text` in error correction M, one unit a module, drawn as one rectangle for each run of dark modules in a row. */
export function qrCodeOf(text: string, label: string): QrCode {
  const modules = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const { size } = modules
  // Modules outside the code are light.
  const isDark = (row: number, column: number) => modules.get(column, row)
  let path = ''
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!isDark(row, column)) continue
      const from = column
      while (isDark(row, column)) column += 1
      const length = column - from
      path += `M${from + quietModules} ${row + quietModules}h${length}v1h-${length}z`
    }
  }
  return { size: size + 2 * quietModules, path, label }
}
