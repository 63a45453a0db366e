// The bar code of a boleto as a path of an SVG: Interleaved 2 of 5 (ISO/IEC 16390), a wide bar three narrow ones, with its quiet zones.

/** Two of five are wide, by digit. */
const wide = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010']
const quiet = 10
const ratio = 3

export type Bars = { readonly width: number; readonly path: string }

/** An even number of digits, dark on light, one unit high. */
export function barsOf(digits: string): Bars {
  let path = ''
  let x = quiet
  const draw = (width: number, isDark: boolean) => {
    if (isDark) path += `M${x} 0h${width}v1h-${width}z`
    x += width
  }
  const narrow = (count: number) => Array.from({ length: count }, (_, index) => draw(1, index % 2 === 0))
  narrow(4)
  for (let at = 0; at < digits.length; at += 2) {
    const [bars, spaces] = [wide[Number(digits[at])] ?? '', wide[Number(digits[at + 1])] ?? '']
    for (let each = 0; each < 5; each += 1) {
      draw(bars[each] === '1' ? ratio : 1, true)
      draw(spaces[each] === '1' ? ratio : 1, false)
    }
  }
  draw(ratio, true)
  draw(1, false)
  draw(1, true)
  return { width: x + quiet, path }
}
