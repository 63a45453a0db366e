import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contrast, fromOklch, parseColour, readableOn, textOn, toHex, type Light } from './colour.ts'
import { paperColours, readStylesheetName, shadesOf, stylesheetOf } from './stylesheet.ts'

const colour = (hex: string): Light => parseColour(hex) ?? assert.fail(hex)
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast is what WCAG 2.2 says it is', () => {
  assert.equal(contrast(colour('#000000'), colour('#ffffff')), 21)
  assert.equal(contrast(colour('#ffffff'), colour('#ffffff')), 1)
  // From the understanding documents of WCAG: greys that just reach, and just miss, 4.5:1 on white.
  assert.ok(contrast(colour('#767676'), colour('#ffffff')) >= 4.5)
  assert.ok(contrast(colour('#777777'), colour('#ffffff')) < 4.5)
  assert.equal(contrast(colour('#ff0000'), colour('#ffffff')).toFixed(2), '4.00')
})

test('OKLCH comes out as the sRGB of CSS Color 4', () => {
  // Its own sample values: white, black, red and lime.
  assert.equal(toHex(fromOklch({ l: 1, c: 0, h: 0 })), '#ffffff')
  assert.equal(toHex(fromOklch({ l: 0, c: 0, h: 0 })), '#000000')
  assert.equal(toHex(fromOklch({ l: 0.627955, c: 0.257683, h: 29.2339 })), '#ff0000')
  assert.equal(toHex(fromOklch({ l: 0.86644, c: 0.294827, h: 142.4953 })), '#00ff00')
})

test('text on every accent reaches 4.5:1, and so does every accent as text, in light and in dark', () => {
  fc.assert(
    fc.property(hex, (accent) => {
      const ground = colour(accent)
      assert.ok(contrast(textOn(ground), ground) >= 4.5)
      for (const scheme of ['light', 'dark'] as const) {
        const shades = shadesOf(ground, scheme)
        const paper = colour(paperColours[scheme])
        assert.ok(contrast(colour(shades.accentText), paper) >= 4.5)
        assert.ok(contrast(colour(shades.accentEdge), paper) >= 3)
        assert.ok(contrast(colour(shades.onAccent), colour(shades.accent)) >= 4.5)
      }
    }),
    { numRuns: 300 },
  )
})

test('a colour that can be read already stays as it is', () => {
  const blue = colour('#1d4ed8')
  assert.equal(readableOn(blue, [colour('#ffffff')], 4.5), blue)
})

test('a style sheet is found by its address alone, and no text of a merchant becomes style', () => {
  const sheet = stylesheetOf({ accent: '#1D4ED8', radius: 8, font: 'serif', theme: 'auto' })
  assert.match(sheet.path, /^\/t\/[0-9a-f]{12}\.1d4ed8\.8\.serif\.auto\.css$/)
  assert.deepEqual(readStylesheetName(sheet.path.slice('/t/'.length)), sheet)
  assert.match(sheet.css, /--accent: #1d4ed8; --on-accent: #ffffff;/)
  const hostile = stylesheetOf({
    accent: 'red; } body { background: url(//x)',
    radius: 1e9,
    font: 'system',
    theme: 'dark',
  })
  assert.ok(!hostile.css.includes('url('))
  assert.match(hostile.css, /--radius: 24px/)
  for (const name of [
    'x.css',
    '0123456789ab.zzzzzz.8.serif.auto.css',
    '0123456789ab.1d4ed8.99.serif.auto.css',
    '0123456789ab.1d4ed8.8.comic.auto.css',
  ])
    assert.equal(readStylesheetName(name), undefined, name)
})
