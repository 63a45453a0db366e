// Writes openapi.json from the table of routes: `npm run openapi`. With --check it writes nothing and fails when the
// file differs, so that a change of the contract is noticed where it is made.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeApi } from '#/http/openapi.ts'
import { routes } from '#/http/routes.ts'
import { toJson } from '#/kernel/json.ts'

const path = join(import.meta.dirname, '..', 'openapi.json')
const text = `${toJson(describeApi(routes), 2)}\n`

if (process.argv.includes('--check')) {
  const committed = await readFile(path, 'utf8').catch(() => '')
  if (committed !== text) {
    console.error(
      'openapi.json is not what the code says: run npm run openapi, look at the difference, commit it',
    )
    process.exitCode = 1
  }
} else {
  await writeFile(path, text)
}
console.log(`openapi.json describes ${routes.length} routes`)
