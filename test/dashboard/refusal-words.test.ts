// What the dashboard says when the server refuses, a job fails, or a chain stands still: a sentence in each language for each code there is.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { haltKeys } from '#/coins/halt-reasons.ts'
import { validationCodes } from '#/http/errors.ts'
import { fill } from '#/kernel/dictionary.ts'
import { problems } from '#/kernel/error.ts'
import { jobFailures } from '#/operator-jobs/operator-job.ts'
import { fieldFaultWords } from '../../web/dashboard/words/field-faults.ts'
import { operatorChainWords } from '../../web/dashboard/words/operator-chains.ts'
import { operatorJobFailureWords } from '../../web/dashboard/words/operator-job-failures.ts'
import { problemWords } from '../../web/dashboard/words/problems.ts'

const root = join(import.meta.dirname, '..', '..')

test('every problem has one sentence in each language', () => {
  for (const [language, { codes, general }] of Object.entries(problemWords)) {
    const known = [...Object.keys(codes), ...Object.keys(general)].filter((code) => code !== 'offline')
    assert.deepEqual(known.toSorted(), Object.keys(problems).toSorted(), language)
  }
})

test('every failure of a job and every halt has a sentence that takes its values', () => {
  for (const { failures } of Object.values(operatorJobFailureWords))
    assert.deepEqual(Object.keys(failures).toSorted(), jobFailures.toSorted())
  for (const { halts } of Object.values(operatorChainWords)) {
    assert.deepEqual(Object.keys(halts).toSorted(), haltKeys.toSorted())
    assert.match(fill(halts.finality_changed, { block: '<block>' }), /<block>/)
    assert.match(fill(halts.nonce_taken, { nonce: '<nonce>' }), /<nonce>/)
    assert.match(fill(halts.nonce_unknown, { nonce: '<nonce>' }), /<nonce>/)
  }
})

test('every fault of a field has a sentence; a template’s faults have their own', () => {
  const codes = new Set(Object.values(validationCodes))
  for (const path of globSync('src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|^src\/(?:templates|cli|checkout)\/|template-/.test(path)) continue
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, code] of text.matchAll(/pointer: [^{}]*?code: '([a-z_]+)'/g)) codes.add(code ?? '')
  }
  assert.ok(codes.size > 15, `${codes.size} codes`)
  for (const { codes: exact, general } of Object.values(fieldFaultWords))
    assert.deepEqual(
      [...codes].filter((code) => !(code in exact) && !(code in general)),
      [],
    )
})
