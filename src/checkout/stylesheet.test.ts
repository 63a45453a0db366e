import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, parseColour, textOn, type Light } from '#/templates/colour.ts'
import { fc } from '../../test/chance.ts'
import { paperColours, readStylesheetName, shadesOf, stylesheetOf } from './stylesheet.ts'

const colour = (hex: string): Light => parseColour(hex) ?? assert.fail(hex)
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

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
