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
  }
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

test('a long text costs no more than a bounded search', () => {
  assert.ok(neighboursIn('RF'.repeat(5_000)).length < 10_000)
})
