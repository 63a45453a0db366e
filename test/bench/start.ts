// `./vintem dev test/bench/start.ts`: how long a new user waits. Three copies of the tree with everything installed and nothing built. In
// each, `npm start` is run twice and measured from the call until the API is ready and until the dashboard's pages are there. On Linux
// also the processor time of all processes until the API is ready: unlike the elapsed time, it does not grow on a busy machine.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '#/kernel/check.ts'
import { freePorts } from '../ports.ts'
import { installationWorkedMs } from './processor.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const rounds = 3
/** The aim for the first start. */
const readyWithinMs = 6_000

type Waited = { readonly readyMs: number; readonly pagesMs: number; readonly processorMs: number }

const [first, again]: [Waited[], Waited[]] = [[], []]
const load = loadavg()[0] ?? 0
for (let round = 0; round < rounds; round += 1) {
  const folder = await mkdtemp(path.join(tmpdir(), 'vintem-bench-start-'))
  try {
    const tree = await copyTree(folder)
    first.push(await start(tree, folder))
    again.push(await start(tree, folder))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
const [processor] = cpus()
const machine = `${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`
console.log(
  `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC · ${machine} · Node ${process.versions.node} · load before the start: ${load.toFixed(1)}\n`,
)
console.log(
  '| npm start, once installed | API ready, s | processor time until then, s | dashboard there, s | aim |\n|---|--:|--:|--:|---|',
)
const isMet = median(first.map(({ readyMs }) => readyMs)) <= readyWithinMs
console.log(
  row(
    '**the first time: nothing is built, no database**',
    first,
    isMet ? 'ready ≤ 6 s: met' : 'ready ≤ 6 s: missed',
  ),
)
console.log(row('again', again, ''))
console.log(`\nmedians of ${rounds} copies, with the least and the most`)

/** The files of the repository, with the packages that are installed here. */
async function copyTree(folder: string): Promise<string> {
  const tree = path.join(folder, 'tree')
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 2 ** 26 }).toString('utf8')
  for (const name of files.split('\0').filter((each) => each !== ''))
    await cp(path.join(root, name), path.join(tree, name), { recursive: true })
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  return tree
}

/** Starts, waits, and stops again. */
async function start(tree: string, folder: string): Promise<Waited> {
  const port = await freePorts([0, 1, 2, 3, 4, 10, 11, 12, 13, 20, 21])
  const data = path.join(folder, 'data')
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: tree,
    env: {
      ...process.env,
      PORT: String(port),
      VINTEM_DATA_DIR: data,
      // Nothing is compiled before the first start.
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      BROWSER: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const gone = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed = (printed + part.toString('utf8')).slice(-4_000)))
  try {
    const since = async (url: string) => {
      while (!(await isThere(url))) {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${printed}`)
        await sleep(20)
      }
      return performance.now() - began
    }
    const ready = since(`http://127.0.0.1:${port}/health/ready`)
    const [readyMs, pagesMs, processorMs] = await Promise.all([
      ready,
      since(`http://127.0.0.1:${port + 4}/`),
      ready.then(() => installationWorkedMs(data)),
    ])
    return { readyMs, pagesMs, processorMs }
  } finally {
    // npm leads a group of its own.
    process.kill(-must(child.pid, 'it was started'), 'SIGINT')
    await gone
  }
}

async function isThere(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}

function row(what: string, waited: readonly Waited[], aim: string): string {
  const cell = (values: readonly number[]) => {
    const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)]
    return `${seconds(middle)} (${seconds(least)}–${seconds(most)})`
  }
  const [ready, processor, pages] = (['readyMs', 'processorMs', 'pagesMs'] as const).map((name) =>
    cell(waited.map((each) => each[name])),
  )
  return `| ${[what, ready, processor, pages, aim].join(' | ')} |`
}

function median(values: readonly number[]): number {
  return must(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)], 'values')
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
