// Records the hashes of new migrations in migrations/hashes.json. A migration in the last commit has landed; if it was
// changed, it is refused.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { differences, hashesOf, hashesPath, landedHashes } from './migrations.ts'
import { readTree } from './tree.ts'

const root = join(import.meta.dirname, '../..')
const present = hashesOf(readTree(root))
const faults = differences(landedHashes(root), present)
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
} else {
  writeFileSync(join(root, hashesPath), `${JSON.stringify(present, undefined, 2)}\n`)
  console.log(`${Object.keys(present).length} migrations recorded in ${hashesPath}`)
}
