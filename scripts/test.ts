// Runs the tests: `npm test [part of a path …]`, with --stories the stories alone, with --soak everything at its full counts,
// with --soak --part 10 at a tenth of them: each soak draws other cases, so ten of them see what one whole sees. One PostgreSQL cluster serves all files. The quick run keeps all its files in memory if possible, and lets small test files share a process.
// The run fails if no test ran, if a test was left out, or if a process outlives the run.
import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { run, type EventData, type TestsStream } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { unpackBrowser } from '../test/browser/chromium.ts'
import { prepareDatabase } from '../test/journeys/prepared-database.ts'
import { startTestCluster } from '../test/postgres.ts'
import { buildDashboardIfStale } from '../web/build-dashboard.ts'
import { buildDocsIfStale } from '../web/build-docs.ts'
import { buildWebIfStale } from '../web/build.ts'
import { alone, isStory, together, type Batch } from './test-batches.ts'
import { endLeftovers } from './test-leftovers.ts'
import { openScratch } from './test-scratch.ts'

const root = join(import.meta.dirname, '..')
const marker = 'VINTEM_TEST_RUN'

/** No test fails because the machine stands still for seconds. A test of the limits themselves sets its own. */
const patience = '20'

/** `npm run check` runs the house rules. */
const elsewhere = new Set(['scripts/tidy.test.ts'])

type Totals = {
  tests: number
  passed: number
  failed: number
  cancelled: number
  skipped: number
  todo: number
}
type Outcome = {
  readonly totals: Totals
  /** The milliseconds of each file; a file without any test is missing. */
  readonly files: ReadonlyMap<string, number>
  /** Files and suites that failed outside of their tests: the totals count tests alone. */
  readonly hooks: readonly string[]
}

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      soak: { type: 'boolean' },
      part: { type: 'string', default: '1' },
      stories: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const files = testFiles(positionals, values)
  if (files.length === 0) {
    console.error(`no test file matches ${positionals.join(' ') || 'anything'}`)
    return 1
  }
  const soak = values.soak === true
  const runId = randomUUID()
  const stopping = stopOnSignal()
  process.env[marker] = runId
  using scratch = openScratch(soak ? 'disk' : 'memory')
  process.env.TMPDIR = scratch.folder
  // Unpacked here, not by every file at once. The first file that uses the browser reports an error.
  if (process.env['CHROMIUM_PATH'] === undefined) await unpackBrowser().catch(() => {})
  const cluster = await startTestCluster()
  const startedAt = performance.now()
  let outcome: Outcome
  try {
    const env = {
      ...process.env,
      VINTEM_TEST_DATABASE: cluster.url,
      ...(soak ? { VINTEM_SOAK: values.part } : {}),
      VINTEM_DATABASE_PATIENCE: patience,
      ...(files.some(isJourney) ? await prepareJourneys(join(scratch.folder, 'prepared')) : {}),
    }
    const batches = soak ? alone(files, root, scratch.folder) : together(files, root, scratch.folder)
    outcome = await runBatches(batches, env, { soak, signal: stopping.signal })
  } finally {
    await cluster.stop()
  }
  const left = await endLeftovers({ marker: `${marker}=${runId}`, folder: scratch.folder })
  const faults = faultsOf(files, outcome, left)
  report({ soak, files, outcome, spanMs: performance.now() - startedAt, faults })
  if (stopping.signal.aborted) return 130
  return faults.length === 0 ? 0 : 1
}

/**
 * Journeys first: they are slowest, and short files fill the gaps. A filter finds every file; without one the soak alone runs all of them.
 */
function testFiles(
  filters: readonly string[],
  { soak = false, stories = false }: { readonly soak?: boolean; readonly stories?: boolean },
): readonly string[] {
  const found = globSync('{test,src,simulators,contracts,scripts,sdk,integrations,examples}/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.endsWith('node_modules'),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !elsewhere.has(path))
    .filter((path) => soak || filters.length > 0 || !path.endsWith('.soak.test.ts'))
    .filter((path) => soak || filters.length > 0 || isStory(path) === stories)
    .filter(
      (path) => filters.length === 0 || filters.some((filter) => path.includes(filter.replace(/^\.\//, ''))),
    )
  return found.sort(
    (a, b) => Number(b.startsWith('test/')) - Number(a.startsWith('test/')) || (a < b ? -1 : 1),
  )
}

/** Whether the file starts installations, or reads their pages. */
function isJourney(path: string): boolean {
  return /^test\/(?:browser|docs|journeys)\//.test(path)
}

/** Does once what each installation would do by itself. Returns the environment of the test files. */
async function prepareJourneys(folder: string): Promise<Readonly<Record<string, string>>> {
  await Promise.all([buildWebIfStale(root), buildDashboardIfStale(root), buildDocsIfStale(root)])
  return prepareDatabase(folder)
}

function stopOnSignal(): AbortController {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  return stopping
}

async function runBatches(
  batches: readonly Batch[],
  env: NodeJS.ProcessEnv,
  { soak, signal }: { readonly soak: boolean; readonly signal: AbortSignal },
): Promise<Outcome> {
  // These limits end what hangs. They are long enough for the slowest machine: no test fails because it is slow.
  const minuteMs = 60_000
  const processMs = (soak ? 60 : 25) * minuteMs
  const lingerMs = (soak ? 90 : 26) * minuteMs
  const runMs = (soak ? 360 : 30) * minuteMs
  const events = run({
    cwd: root,
    files: batches.map(({ entry }) => entry),
    // In the quick run journeys mostly wait; in the soak they mostly compute.
    concurrency: soak ? 3 : 6,
    timeout: processMs,
    signal: AbortSignal.any([signal, AbortSignal.timeout(runMs)]),
    execArgv: ['--import', new URL(`test-deadline.ts?ms=${lingerMs}`, import.meta.url).href],
    env: { ...env, PATH: [dirname(process.execPath), env.PATH].join(delimiter) },
  })
  const watched = watchFiles(events, batches)
  const hooks = watchHooks(events)
  let totals: Totals = { tests: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 }
  events.on('test:summary', ({ file, counts }) => {
    if (file === undefined) totals = { ...totals, ...counts }
  })
  for await (const chunk of events.compose(spec)) process.stdout.write(String(chunk))
  return { totals, files: watched, hooks }
}

/** Returns the suites whose `before` or `after` failed; filled while the tests run. */
function watchHooks(events: TestsStream): readonly string[] {
  const failed: string[] = []
  events.on('test:fail', ({ name, details }) => {
    const { cause, failureType } = details.error as Error & { readonly failureType?: string }
    if (failureType === 'hookFailed')
      failed.push(`${name}: ${cause instanceof Error ? cause.message : 'a hook'}`)
  })
  return failed
}

/** Returns the milliseconds of each file that ran a test; filled while the tests run. */
function watchFiles(events: TestsStream, batches: readonly Batch[]): ReadonlyMap<string, number> {
  const spans = new Map<string, number>()
  const single = new Map(
    batches.flatMap(({ entry, files }) => (files.length === 1 ? [[entry, files[0] ?? '']] : [])),
  )
  const shared = new Set(batches.flatMap(({ files }) => (files.length === 1 ? [] : files)))
  events.on('test:summary', ({ file, counts, duration_ms: spanMs }) => {
    const path = single.get(file ?? '')
    if (path !== undefined && counts.tests > 0) spans.set(path, spanMs)
  })
  // A test's event comes before its suite's event, and events of two processes are not mixed.
  let tests = 0
  const onEnd = ({ name, nesting, details }: EventData.TestPass | EventData.TestFail) => {
    if (details.type !== 'suite') tests += 1
    if (nesting > 0) return
    if (details.type === 'suite' && shared.has(name) && tests > 0) spans.set(name, details.duration_ms)
    tests = 0
  }
  events.on('test:pass', onEnd)
  events.on('test:fail', onEnd)
  return spans
}

function faultsOf(
  files: readonly string[],
  { totals, files: spans, hooks }: Outcome,
  left: readonly string[],
): readonly string[] {
  const empty = files.filter((path) => !spans.has(path))
  return [
    ...(totals.tests === 0 ? ['no test ran'] : []),
    ...(totals.failed + totals.cancelled > 0
      ? [`${totals.failed} failed, ${totals.cancelled} cancelled`]
      : []),
    ...(totals.skipped + totals.todo > 0
      ? [`${totals.skipped + totals.todo} left out: every test has to run`]
      : []),
    ...hooks.map((each) => `failed before or after its tests: ${each}`),
    ...empty.map((path) => `${path} ran no test to its end`),
    ...left.map((each) => `left running, and ended now: ${each}`),
  ]
}

function report(of: {
  readonly soak: boolean
  readonly files: readonly string[]
  readonly outcome: Outcome
  readonly spanMs: number
  readonly faults: readonly string[]
}): void {
  const { totals, files: spans } = of.outcome
  const slowest = [...spans].sort((a, b) => b[1] - a[1]).slice(0, 10)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  console.log('\nthe slowest files:')
  for (const [path, ms] of slowest) console.log(`${seconds(ms).padStart(9)}  ${path}`)
  for (const fault of of.faults) console.log(`✖ ${fault}`)
  console.log(
    `${of.faults.length === 0 ? '✔' : '✖'} ${of.soak ? 'soak' : 'quick'} run: ${of.files.length} files, ` +
      `${totals.tests} tests, ${totals.passed} passed, ${totals.failed} failed, ${totals.cancelled} cancelled, ` +
      `${totals.skipped + totals.todo} left out, ${seconds(of.spanMs)}`,
  )
}
