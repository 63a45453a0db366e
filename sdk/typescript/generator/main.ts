// Writes src/generated/ from openapi.json: `npm run sdk`. With --check it writes nothing and fails when a file differs.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document } from './document.ts'
import { writeOperations } from './operations.ts'
import { writeTypes } from './types.ts'

const root = join(import.meta.dirname, '../../..')
const folder = join(import.meta.dirname, '../src/generated')
const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as Document
const { text: operations, count } = writeOperations(document)
const files = { 'types.ts': writeTypes(document), 'operations.ts': operations }

const isCheck = process.argv.includes('--check')
for (const [name, text] of Object.entries(files)) {
  const path = join(folder, name)
  if (!isCheck) await writeFile(path, text)
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} is not what openapi.json says: run npm run sdk, look at the difference, commit it`)
    process.exitCode = 1
  }
}
console.log(`the SDK has ${count} methods`)
