// The image, laid out in folders by the lines of the Dockerfile, and its roles started as a container starts them. No Docker, no other user
// and no read-only file system: that a container writes nowhere else is compared afterwards.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdtempSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { eventually } from '../eventually.ts'
import { offsets, openPlace } from '../journeys/place.ts'
import { freePorts } from '../ports.ts'
import { startTestCluster } from '../postgres.ts'
import { copyContext, layOut, readStages, type Stage } from './docker-files.ts'

/** Of a busy machine. */
const startMs = 300_000
/** The site and the dashboard are read once the API is ready, not built. */
const servedMs = 60_000

/**
 * Builds the image from the tree, starts its roles on an empty database, and reads what they serve. `packages`: a `node_modules` as the
 * stage of packages installs it. Returns what is wrong.
 */
export async function startImage(root: string, packages: string): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-image-'))
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { image, last } = await buildImage(root, folder, packages)
  const before = filesOf(image)

  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const { databases } = await openPlace({ folder, adminUrl: cluster.url }, stack)
  const container = containerOf(image, last, { ...databases, ...keys() })
  const migrated = container(['migrate'], {})
  const [code] = (await once(migrated.child, 'close')) as [number | null]
  if (code !== 0) return [`migrate ended with ${code}: ${migrated.output()}`]

  const port = await freePorts(offsets)
  const workerPort = await freePorts(offsets)
  const started = [
    container(last.command.slice(-1), { PORT: String(port), VINTEM_REFERENCE: 'on' }),
    container(['worker'], { PORT: String(workerPort) }),
  ]
  stack.defer(async () => {
    for (const { child } of started) await end(child)
  })
  const [api] = started
  await eventually(
    () => `the API of the image is ready: ${api?.output()}`,
    async () => {
      const ended = started.find(({ child }) => child.exitCode !== null)
      if (ended !== undefined) throw new Error(`a role of the image ended: ${ended.output()}`)
      return (await statusOf(`http://127.0.0.1:${port}/health/ready`)) === 200
    },
    startMs,
  )
  const faults = [...(await unserved(join(image, 'vintem'), port)), ...(await badEnds(started))]
  const lines = started.flatMap(({ output }) => output().split('\n'))
  const complaints = lines.filter((line) => /is not built|are not built|"level":(?:50|60)/.test(line))
  const written = [...filesOf(image)].filter(
    (name) => !before.has(name) && !name.startsWith('var/lib/vintem/'),
  )
  return [...faults, ...complaints, ...written.map((name) => `a container would write /${name}`)]
}

async function buildImage(root: string, folder: string, packages: string) {
  const context = join(folder, 'context')
  await copyContext(root, await readFile(join(root, '.dockerignore'), 'utf8'), context)
  const stages = readStages(await readFile(join(root, 'Dockerfile'), 'utf8'))
  const laid = new Map<string, string>()
  const packagesOf = (command: string) =>
    command.includes('--omit=dev') ? packages : join(root, 'node_modules')
  for (const stage of stages) {
    const place = join(folder, stage.name === '' ? 'image' : stage.name)
    await mkdir(place)
    await layOut(stage, place, { context, stages: laid, packagesOf })
    laid.set(stage.name, place)
  }
  const last = stages.at(-1)
  if (last?.name !== '') throw new Error('the last stage has a name')
  console.log(`the image has ${filesOf(join(folder, 'image')).size} files beside packages`)
  return { image: join(folder, 'image'), last }
}

/** Starts processes of an image, with its environment and nothing else of this machine's. */
function containerOf(image: string, { env, command }: Stage, settings: Readonly<Record<string, string>>) {
  const inside = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, isAbsolute(value) ? join(image, value) : value]),
  )
  const [program, ...entry] = command.slice(0, -1)
  if (program !== 'node') throw new Error(`the image runs ${program}`)
  return (args: readonly string[], more: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [...entry, ...args], {
      cwd: join(image, 'vintem'),
      env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...inside, ...settings, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
    return { child, output: () => printed }
  }
}

function keys() {
  const key = () => randomBytes(32).toString('hex')
  return {
    VINTEM_MASTER_KEY: key(),
    VINTEM_WORKER_KEY: key(),
    VINTEM_AUDIT_KEY: key(),
    VINTEM_DRAIN_SECONDS: '0',
  }
}

/** What of the site, the payer's pages and the dashboard is not there. */
async function unserved(app: string, port: number): Promise<readonly string[]> {
  const { script, style } = JSON.parse(
    await readFile(join(app, 'web/dist/manifest.json'), 'utf8'),
  ) as Readonly<Record<string, string>>
  const paths = [
    [port, '/docs/'],
    [port, '/docs/containers'],
    [port, '/docs/sdk'],
    [port, '/docs/example-shop'],
    [port, '/docs/decisions/0149-how-a-process-leaves'],
    [port, '/openapi.json'],
    [port + 1, `/assets/${script}`],
    [port + 1, `/assets/${style}`],
    [port + 4, '/'],
  ] as const
  const found = await Promise.all(
    paths.map(async ([at, path]) => {
      const address = `http://127.0.0.1:${at}${path}`
      const isServed = await eventually(
        `${path} is served`,
        async () => (await statusOf(address)) === 200,
        servedMs,
      ).catch(() => false)
      return isServed ? [] : [`${path} of port +${at - port} answers ${await statusOf(address)}`]
    }),
  )
  return found.flat()
}

async function badEnds(started: readonly { readonly child: ChildProcess; output(): string }[]) {
  const faults: string[] = []
  for (const { child, output } of started) {
    const code = await end(child)
    if (code !== 0) faults.push(`a role of the image ended with ${code}: ${output().slice(-2_000)}`)
  }
  return faults
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
  return child.exitCode
}

async function statusOf(url: string): Promise<number | undefined> {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status
}

function filesOf(image: string): ReadonlySet<string> {
  return new Set(globSync('**/*', { cwd: image, exclude: (name) => name === 'node_modules' }))
}
