// Writes openapi.json from the table of routes, docs/event-catalogue.md from the table of events, the facts in docs/methods/ from the rails, and
// the calls of the dashboard's pages from both tables of routes: `npm run openapi`. With --check it writes nothing and fails when a file differs,
// so that a change of the contract is noticed where it is made.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeApi } from '#/http/openapi.ts'
import { routes } from '#/http/routes.ts'
import { toJson } from '#/kernel/json.ts'
import { writeCalls } from './dashboard-calls.ts'
import { eventPage } from './event-page.ts'
import { methodPages } from './method-facts.ts'

const files = [
  { name: 'openapi.json', text: `${toJson(describeApi(routes), 2)}\n` },
  { name: 'docs/event-catalogue.md', text: eventPage() },
  ...methodPages(),
  { name: 'web/dashboard/api/generated.ts', text: writeCalls() },
]

for (const { name, text } of files) {
  const path = join(import.meta.dirname, '..', name)
  if (!process.argv.includes('--check')) {
    await writeFile(path, text)
    continue
  }
  const committed = await readFile(path, 'utf8').catch(() => '')
  if (committed === text) continue
  console.error(`${name} is not what the code says: run npm run openapi, look at the difference, commit it`)
  process.exitCode = 1
}
console.log(`openapi.json describes ${routes.length} routes`)
