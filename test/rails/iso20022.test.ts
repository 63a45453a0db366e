// What we write for banks, and what the simulated bank writes, is to the byte what a validator of others found valid (test/tools/iso20022.ts).
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isoFiles, ownFiles, type Named } from './iso20022-files.ts'

const kept = join(import.meta.dirname, 'iso20022')
const remedy =
  'the schemas of ISO 20022 have not been asked about it: run `npm run test:tools iso20022`, and commit test/rails/iso20022'

function assertKept([name, text]: Named): void {
  const validated = readFileSync(join(kept, `${name}.xml`), 'utf8')
  assert.equal(text, validated, `${name}.xml is written otherwise: ${remedy}`)
}

test('every file of payments that we write is one that was validated against the published schema', () => {
  for (const each of ownFiles()) assertKept(each)
})

test('so is every file that the simulated bank and the tests write, in each message and version', async () => {
  const { valid, broken } = await isoFiles()
  const names = valid.map(([name]) => `${name}.xml`)
  assert.deepEqual(names.toSorted(), readdirSync(kept).toSorted(), `other files are written: ${remedy}`)
  const statements = ['02', '08'].flatMap((version) => [`camt.053.001.${version}`, `camt.054.001.${version}`])
  for (const message of ['pain.001.001.09', 'pain.002.001.10', ...statements])
    assert.ok(
      valid.some(([, text]) => text.includes(`xsd:${message}"`)),
      `a ${message} is among them`,
    )
  for (const each of valid) assertKept(each)
  // What the validator must refuse is not what we write.
  assert.ok(broken.every(([, text]) => valid.every(([, other]) => other !== text)))
})
