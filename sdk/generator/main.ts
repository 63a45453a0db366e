// Writes the generated parts of the SDKs from openapi.json: `npm run sdk`. With --check it writes nothing and fails when a file differs.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeResources } from '../python/generator/resources.ts'
import { writePythonTypes } from '../python/generator/types.ts'
import { writeOperations } from '../typescript/generator/operations.ts'
import { writeTypes } from '../typescript/generator/types.ts'
import type { Document } from './document.ts'
import { methodsOf } from './methods.ts'

const root = join(import.meta.dirname, '../..')
const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as Document
const typescript = 'sdk/typescript/src/generated'
const python = 'sdk/python/src/vintem/generated'
const files = {
  [`${typescript}/types.ts`]: writeTypes(document),
  [`${typescript}/operations.ts`]: writeOperations(document),
  [`${python}/types.py`]: writePythonTypes(document),
  [`${python}/resources.py`]: writeResources(document, 'sync'),
  [`${python}/async_resources.py`]: writeResources(document, 'async'),
}

const isCheck = process.argv.includes('--check')
for (const [name, text] of Object.entries(files)) {
  const path = join(root, name)
  if (!isCheck) await writeFile(path, text)
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} is not what openapi.json says: run npm run sdk, look at the difference, commit it`)
    process.exitCode = 1
  }
}
const count = [...methodsOf(document).values()].flat().length
console.log(`each SDK has ${count} methods`)
