import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, fromOklch, parseColour, readableOn, toHex, type Light } from './colour.ts'

const colour = (hex: string): Light => parseColour(hex) ?? assert.fail(hex)

test('contrast is as WCAG 2.2 defines it', () => {
  assert.equal(contrast(colour('#000000'), colour('#ffffff')), 21)
  assert.equal(contrast(colour('#ffffff'), colour('#ffffff')), 1)
  // From the understanding documents of WCAG: greys that just reach, and just miss, 4.5:1 on white.
  assert.ok(contrast(colour('#767676'), colour('#ffffff')) >= 4.5)
  assert.ok(contrast(colour('#777777'), colour('#ffffff')) < 4.5)
  assert.equal(contrast(colour('#ff0000'), colour('#ffffff')).toFixed(2), '4.00')
})

test('OKLCH is converted to sRGB as in CSS Color 4', () => {
  // Sample values of CSS Color 4: white, black, red and lime.
  assert.equal(toHex(fromOklch({ l: 1, c: 0, h: 0 })), '#ffffff')
  assert.equal(toHex(fromOklch({ l: 0, c: 0, h: 0 })), '#000000')
  assert.equal(toHex(fromOklch({ l: 0.627955, c: 0.257683, h: 29.2339 })), '#ff0000')
  assert.equal(toHex(fromOklch({ l: 0.86644, c: 0.294827, h: 142.4953 })), '#00ff00')
})

test('a colour that is readable already stays as it is', () => {
  const blue = colour('#1d4ed8')
  assert.equal(readableOn(blue, [colour('#ffffff')], 4.5), blue)
})
