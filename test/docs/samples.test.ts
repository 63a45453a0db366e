// The samples in four languages: the documents have what the table says, and the checks of signatures in curl and TypeScript are right. Their
// calls run in commands.test.ts; Python and PHP run in `npm run test:tools samples`.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { samples } from '../../scripts/samples/calls.ts'
import { languages } from '../../scripts/samples/languages.ts'
import { samplePages, withSamples } from '../../scripts/samples/write.ts'
import { blocksOf, root } from './page.ts'
import { tryVerification } from './samples.ts'

test('the documents show each sample in each language, as the table of calls has it', () => {
  const shown: string[] = []
  for (const page of samplePages) {
    const text = readFileSync(join(root, page), 'utf8')
    assert.equal(text, withSamples(text), `${page} is not what npm run samples writes`)
    shown.push(...blocksOf(page).flatMap(({ notes }) => notes.get('sample') ?? []))
    for (const language of languages)
      assert.equal(
        blocksOf(page).filter((block) => block.language === language).length,
        blocksOf(page).filter(({ notes }) => notes.has('sample')).length,
        `${page}: ${language}`,
      )
  }
  assert.deepEqual(shown.toSorted(), Object.keys(samples).toSorted())
})

for (const language of ['sh', 'ts'] as const)
  test(`${language}: the sample takes webhooks that are signed and fresh, and no other ones`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'vintem-samples-'))
    try {
      tryVerification(folder, language)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
