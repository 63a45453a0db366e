// Small rules that all rails share: limits of amounts and of texts, what is kept of a refusal, and whether money may leave.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceTexts } from '#/contract/dispute-evidence.ts'
import { errorOf } from '../../test/rails/rail.ts'
import { requireLeave } from './rail.ts'
import { refusedFor, wordsOf } from './refusal.ts'
import { beyondLimits } from './routing.ts'

test('an amount is taken from the smallest to the largest, both included', () => {
  const limits = { min: 50n, max: 500n }
  for (const [minor, code] of [
    [49n, 'too_small'],
    [50n, undefined],
    [51n, undefined],
    [499n, undefined],
    [500n, undefined],
    [501n, 'too_large'],
  ] as const)
    assert.equal(
      beyondLimits('MB_WAY', limits, { minor, currency: 'EUR' })?.fault?.code,
      code,
      `${minor} of 50 to 500`,
    )
})

test('of evidence, explanations and logs may have 20,000 characters, and other texts 5,000', () => {
  const long = Object.entries(evidenceTexts).filter(([, max]) => max === 20_000)
  const short = Object.entries(evidenceTexts).filter(([, max]) => max === 5_000)
  assert.equal(long.length + short.length, Object.keys(evidenceTexts).length)
  for (const [name] of long)
    assert.match(name, /Description$|Log$|Disclosure$|Rebuttal$|Explanation$|^statement$/)
  for (const [name] of short) assert.match(name, /Name$|Email$|Ip$|Address$|Date$|Carrier$|Number$|ChargeId$/)
})

test('of what a provider says to a refusal the first thousand characters are kept, whatever its form', () => {
  const said = `${'a'.repeat(999)}bc`
  const kept = `${'a'.repeat(999)}b`
  assert.equal(refusedFor('refused_by_provider', said).said, kept)
  assert.equal(wordsOf(Buffer.from(said)), kept)
  assert.equal(wordsOf(Buffer.from('no')), 'no')
})

test('money leaves when nothing forbids it, or when the one who is asked says so', async () => {
  await requireLeave({})
  await requireLeave({ mayLeave: async () => true })
  const error = await errorOf(requireLeave({ mayLeave: async () => false }))
  assert.equal(error.outcome, 'unavailable')
})
