// Builds the browser's part of the payer's pages, of the dashboard and of the documentation site, where it is older than its sources:
// `./vintem dev scripts/web.ts [dashboard | docs …]`. `npm start` and the tests do it by themselves.
import { join } from 'node:path'
import { buildDashboardIfStale } from '../web/build-dashboard.ts'
import { buildDocsIfStale } from '../web/build-docs.ts'
import { buildWebIfStale } from '../web/build.ts'

const root = join(import.meta.dirname, '..')
const builds = [
  ['checkout', 'web/dist', buildWebIfStale],
  ['dashboard', 'web/dist-dashboard', buildDashboardIfStale],
  ['docs', 'web/dist-docs', buildDocsIfStale],
] as const

const names = process.argv.slice(2)
const unknown = names.filter((name) => !builds.some(([known]) => known === name))
if (unknown.length > 0) throw new Error(`no pages are called ${unknown.join(' or ')}`)
for (const [name, place, build] of builds) {
  if (names.length > 0 && !names.includes(name)) continue
  const startedAt = performance.now()
  await build(root)
  console.log(`${place} is up to date (${Math.round(performance.now() - startedAt)} ms)`)
}
