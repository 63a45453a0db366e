import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { parseJson } from './json.ts'

/** Numbers in the notations of other programs; JavaScript would write many of them differently. */
const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '1.0',
    '0.10',
    '1e2',
    '1E+400',
    '-2.5e-3',
    '12345678901234567',
    '1234567890123456',
  ),
  fc.bigInt().map(String),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
)
/** Strings that look like numbers, or like the start of one. */
const string = fc
  .oneof(
    fc.string(),
    fc.uuid(),
    fc.constantFrom('":1.50', ',1.0', '[-0', '2026-11-22T17:00:00.120Z', '0x1e5'),
  )
  .map((text) => JSON.stringify(text))
const blank = fc.constantFrom('', ' ', '\n', '\t \r\n')

type Text = { readonly plain: string; readonly spaced: string }

const { value } = fc.letrec<{ value: Text }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, string, fc.constantFrom('true', 'null')).map((text) => ({ plain: text, spaced: text })),
    fc.tuple(fc.array(tie('value'), { maxLength: 3 }), blank).map(([items, gap]) => ({
      plain: `[${items.map(({ plain }) => plain).join(',')}]`,
      spaced: `[${gap}${items.map(({ spaced }) => spaced).join(`${gap},${gap}`)}${gap}]`,
    })),
    fc.tuple(fc.array(tie('value'), { maxLength: 3 }), blank).map(([items, gap]) => ({
      plain: `{${items.map(({ plain }, index) => `"k${index}":${plain}`).join(',')}}`,
      spaced: `{${items.map(({ spaced }, index) => `"k${index}"${gap}:${gap}${spaced}`).join(`${gap},${gap}`)}}`,
    })),
  ),
}))

test('no number is changed by parsing and writing, at any place and beside any other value', () => {
  fc.assert(
    fc.property(value, blank, ({ plain, spaced }, gap) => {
      assert.equal(JSON.stringify(parseJson(`${gap}${spaced}${gap}`)), plain)
    }),
    { numRuns: 3_000 },
  )
})

test('a number that JavaScript writes in the same way is parsed as a number', () => {
  assert.deepEqual(parseJson('{"a":12,"b":[-7,"1e5"],"c":"0-0"}'), { a: 12, b: [-7, '1e5'], c: '0-0' })
})
