// Builds the browser's part of the payer's pages and of the dashboard, when it is older than its sources: `./vintem dev scripts/web.ts`.
// `npm start` and the tests do it by themselves.
import { join } from 'node:path'
import { buildDashboardIfStale } from '../web/build-dashboard.ts'
import { buildWebIfStale } from '../web/build.ts'

const root = join(import.meta.dirname, '..')
for (const [place, build] of [
  ['web/dist', buildWebIfStale],
  ['web/dist-dashboard', buildDashboardIfStale],
] as const) {
  const startedAt = performance.now()
  await build(root)
  console.log(`${place} is up to date (${Math.round(performance.now() - startedAt)} ms)`)
}
