import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { contrastOf, nearest, readColour } from './colour.ts'

test('contrast is that of WCAG 2.2, in either order of the two colours', () => {
  // Values of WebAIM's and other checkers.
  for (const [a, b, ratio] of [
    ['#000000', '#ffffff', '21.00'],
    ['#777777', '#ffffff', '4.48'],
    ['#767676', '#ffffff', '4.54'],
    ['#ff0000', '#ffffff', '4.00'],
    ['#123456', '#123456', '1.00'],
  ] as const) {
    assert.equal(contrastOf(a, b).toFixed(2), ratio)
    assert.equal(contrastOf(b, a).toFixed(2), ratio)
  }
})

test('colours are read as CSS Color 4 writes them, and no other text is a colour', () => {
  for (const [text, hex] of [
    ['#B55A2B', '#b55a2b'],
    ['oklch(0.627966 0.257704 29.2346)', '#ff0000'],
    ['oklch(86.644% 0.294803 142.4953)', '#00ff00'],
    ['oklch(0.452014 0.313214 264.052)', '#0000ff'],
    ['oklch(1 0 0)', '#ffffff'],
    ['oklch(0% 0 0deg)', '#000000'],
  ])
    assert.equal(readColour(text ?? ''), hex)
  for (const text of [
    'red',
    '#fff',
    '#b55a2',
    '#b55a2bff',
    ' #b55a2b',
    'oklch(2 0 0)',
    'oklch(0.5 0.1)',
    'rgb(0,0,0)',
    '',
  ])
    assert.equal(readColour(text), undefined, text)
})

test('the nearest shade reaches the required contrast, and a colour that reaches it stays as it is', () => {
  for (let n = 0; n < 200; n += 1) {
    const colour = `#${randomBytes(3).toString('hex')}`
    for (const ground of ['#ffffff', '#1e1a17']) {
      const shade = nearest(colour, ground, 4.5)
      assert.ok(contrastOf(shade, ground) >= 4.5, `${colour} on ${ground}`)
      if (contrastOf(colour, ground) >= 4.5) assert.equal(shade, colour)
    }
  }
})
