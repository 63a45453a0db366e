// References against published ones, and as payers write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/chance.ts'
import { candidatesIn, inGroups, isReference, neighboursIn, newReference, referenceOf } from './reference.ts'

// ISO 11649's own example, and two that the Finnish and the Slovenian associations of banks publish.
const published = ['RF18539007547034', 'RF332348236', 'RF45SBO2010']

test('published references are valid, and no other two digits fit them', () => {
  for (const reference of published) {
    assert.ok(isReference(reference), reference)
    assert.equal(referenceOf(reference.slice(4)), reference)
    const others = Array.from(
      { length: 100 },
      (_, at) => `RF${String(at).padStart(2, '0')}${reference.slice(4)}`,
    )
    // 97 divides 100 once: two pairs of digits may fit, and the standard computes the one from 02 to 98.
    assert.ok(others.filter(isReference).length <= 2)
    // It is valid, but none of ours, which have another length.
    assert.deepEqual(candidatesIn(reference), [])
  }
  assert.deepEqual(
    [21, 22].map((size) => isReference(referenceOf('1'.repeat(size)))),
    [true, false],
  )
})

test('a new reference is valid, and no two are the same', () => {
  const made = new Set(Array.from({ length: 1_000 }, newReference))
  assert.equal(made.size, 1_000)
  for (const each of made) assert.match(each, /^RF\d{2}[0-9A-HJKMNP-TV-Z]{16}$/)
  for (const each of made) assert.ok(isReference(each), each)
})

test('a reference is found whatever its spaces, case and hyphens, and among other words', () => {
  const reference = newReference()
  for (const written of [
    reference,
    inGroups(reference),
    reference.toLowerCase(),
    `Invoice 12 ${inGroups(reference).toLowerCase()} thank you`,
    `Surf${reference}end`,
    inGroups(reference).replaceAll(' ', '-'),
    `${reference.slice(0, 11)}\n${reference.slice(11)}`,
  ])
    assert.deepEqual(candidatesIn(written), [reference], written)
  for (const nothing of ['', 'RF', 'RF18 5390', 'rent of October', 'x'.repeat(10_000)])
    assert.deepEqual(candidatesIn(nothing), [])
})

const reference = fc.array(fc.constantFrom(...Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')), {
  minLength: 16,
  maxLength: 16,
})

test('every typo of one character or one transposition is near its reference, and never it', () => {
  const typo = fc.record({
    code: reference.map((signs) => referenceOf(signs.join(''))),
    at: fc.integer({ min: 4, max: 18 }),
    sign: fc.constantFrom(...Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')),
    how: fc.constantFrom('another', 'missing', 'extra', 'swapped'),
  })
  fc.assert(
    fc.property(typo, ({ code, at, sign, how }) => {
      const [before, after] = [code.slice(0, at), code.slice(at)]
      const written = {
        another: before + sign + after.slice(1),
        missing: before + after.slice(1),
        extra: before + sign + after,
        swapped: before + after.charAt(1) + after.charAt(0) + after.slice(2),
      }[how]
      fc.pre(written !== code && !candidatesIn(written).includes(code))
      assert.ok(neighboursIn(`for ${written.toLowerCase()} thanks`).includes(code), `${how}: ${written}`)
    }),
  )
})

test('the typo may be anywhere, and the reference at either end of the text', () => {
  const code = referenceOf('7K3M9RFP2X4B6D8N')
  for (let at = 0; at < code.length; at++) {
    const [before, after] = [code.slice(0, at), code.slice(at)]
    const typos = [
      `${before}5${after.slice(1)}`,
      before + after.slice(1),
      `${before}5${after}`,
      before + after.charAt(1) + after.charAt(0) + after.slice(2),
    ].filter((each) => each !== code && !candidatesIn(each).includes(code))
    for (const typo of typos) assert.ok(neighboursIn(typo).includes(code), typo)
  }
})

test('what is near is a reference of our length, also where one more sign would fit its check digits', () => {
  const near = Array.from({ length: 20 }, (_, at) => referenceOf(String(at).padStart(16, '7'))).flatMap(
    neighboursIn,
  )
  assert.deepEqual([...new Set(near.map((each) => [isReference(each), each.length].join()))], ['true,20'])
})

test('a text is searched to a bound, in length and in places where a reference can begin', () => {
  const code = referenceOf('7K3M9RFP2X4B6D8N')
  const far = (length: number) => candidatesIn('x'.repeat(length - code.length) + code)
  assert.deepEqual([far(20_000), far(20_001)], [[code], []])
  const typo = code.replace('K', 'J')
  const behind = (places: number) => neighboursIn('R1'.repeat(places) + typo).includes(code)
  assert.deepEqual([behind(11), behind(12)], [true, false])
})

test('a long text costs no more than a bounded search', () => {
  assert.ok(neighboursIn('RF'.repeat(5_000)).length < 10_000)
})
