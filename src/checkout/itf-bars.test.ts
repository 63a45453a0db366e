// A reader of its own: it measures the drawn bars and spaces, and decodes them by the rule of the sum of weights 1, 2, 4, 7, 0.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf } from './itf-bars.ts'

/** The widths of bars and spaces in turn, from the first bar to the last. */
function widthsOf({ path }: ReturnType<typeof barsOf>): readonly number[] {
  const bars = [...path.matchAll(/M(\d+) 0h(\d+)/g)].map(
    ([, x, width]) => [Number(x), Number(width)] as const,
  )
  return bars.flatMap(([x, width], index) => {
    const next = bars[index + 1]
    return next === undefined ? [width] : [width, next[0] - x - width]
  })
}

function digitOf(elements: readonly number[]): number {
  const wide = elements.map((each) => each > 2)
  assert.equal(wide.filter(Boolean).length, 2)
  const sum = [1, 2, 4, 7, 0].reduce((total, weight, index) => total + (wide[index] === true ? weight : 0), 0)
  return sum === 11 ? 0 : sum
}

test('the bar code of a boleto is read back, between start, stop and quiet zones', () => {
  const code = '10499898100000214032006561000100040099726390'
  const bars = barsOf(code)
  const widths = widthsOf(bars)
  assert.deepEqual(widths.slice(0, 4), [1, 1, 1, 1])
  assert.deepEqual(widths.slice(-3), [3, 1, 1])
  const body = widths.slice(4, -3)
  let read = ''
  for (let at = 0; at < body.length; at += 10) {
    const pair = body.slice(at, at + 10)
    read += digitOf(pair.filter((_, index) => index % 2 === 0))
    read += digitOf(pair.filter((_, index) => index % 2 === 1))
  }
  assert.equal(read, code)
  assert.equal(bars.width, 20 + widths.reduce((sum, each) => sum + each, 0))
})
