// Builds the browser's part of the pages, when it is older than its sources: `./vintem dev scripts/web.ts`.
// `npm start` and the tests do it by themselves.
import { join } from 'node:path'
import { buildWebIfStale } from '../web/build.ts'

const startedAt = performance.now()
await buildWebIfStale(join(import.meta.dirname, '..'))
console.log(`web/dist is up to date (${Math.round(performance.now() - startedAt)} ms)`)
