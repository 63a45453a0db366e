// Tests Vintem under the programs of a real installation: `npm run test:cluster [part of a path …]`. PostgreSQL's replication, Patroni,
// PgBouncer and HAProxy come from Debian's packages. Not part of npm test, because the packages are downloaded. Files run one after
// another, because each starts servers of its own. A missing package is a failure, not a pass.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { unpackPackages } from './debian.ts'

const root = join(import.meta.dirname, '..', '..')
const fileMs = 30 * 60_000

process.exitCode = await main(process.argv.slice(2))

async function main(filters: readonly string[]): Promise<number> {
  const files = globSync('test/cluster/**/*.cluster.ts', { cwd: root })
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .sort((a, b) => (a < b ? -1 : 1))
  if (files.length === 0) {
    console.error(`no test file matches ${filters.join(' ') || 'anything'}`)
    return 1
  }
  await unpackPackages()
  const events = run({
    cwd: root,
    files: files.map((path) => join(root, path)),
    concurrency: 1,
    timeout: fileMs,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
  })
  let counts = { tests: 0, passed: 0 }
  events.on('test:summary', ({ file, counts: totals }) => {
    if (file === undefined) counts = totals
  })
  for await (const chunk of events.compose(spec)) process.stdout.write(String(chunk))
  return counts.tests > 0 && counts.passed === counts.tests ? 0 : 1
}
