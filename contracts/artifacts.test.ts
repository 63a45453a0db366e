import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compileContracts, toArtifactsText } from '../scripts/contracts.ts'

test('the committed artifacts are what the committed sources compile to, byte for byte', () => {
  const committed = readFileSync(new URL('artifacts.json', import.meta.url), 'utf8')
  assert.ok(
    committed === toArtifactsText(compileContracts()),
    'run `npm run contracts` and commit contracts/artifacts.json',
  )
})
