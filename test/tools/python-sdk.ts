// The Python SDK as a wheel, on each Python of its `requires-python` that is on the machine: `npm run test:tools python-sdk`. In an empty
// environment with the wheel run its tests, mypy over the package and all that uses it, the samples of its README, a merchant's program at a
// running sandbox, and the example shop as its README starts it. A Python that is not there is named; without any the test fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { blocksOf, root } from '../docs/page.ts'
import { eventually } from '../eventually.ts'
import { createInstallation } from '../journeys/installation.ts'
import { freePort } from '../ports.ts'
import { run } from './clients/tool.ts'

const versions = ['3.10', '3.11', '3.12', '3.13', '3.14']
const packager = ['build==1.6.1']
const testers = ['pytest==9.2.0', 'mypy==2.4.1']
const programs = join(import.meta.dirname, 'python-sdk')
const isSource = (path: string) => !/(?:\.venv|__pycache__|\.db.*|dist|\.\w+_cache)$/.test(path)

type Env = Readonly<Record<string, string>>
type Where = {
  readonly folder: string
  /** The programs of the environment. */
  readonly bin: string
  readonly env: Env
}

/** Prints a line for each Python. Returns what failed. */
export async function tryPythonSdk(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vintem-python-'))
  try {
    const found = await pythons()
    if (found.length === 0) return [`none of Python ${versions.join(', ')} is here`]
    await using installation = await createInstallation()
    await installation.start()
    const { apiUrl, apiKey, webhookSecret } = installation.sandbox()
    const env = {
      API_URL: apiUrl,
      VINTEM_API_KEY: apiKey,
      VINTEM_WEBHOOK_SECRET: webhookSecret,
      VINTEM_DATA_DIR: installation.dataDir,
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const failed: string[] = []
    for (const { version, program } of found) {
      const startedAt = performance.now()
      const place = join(folder, version)
      await mkdir(place)
      const fault = await tryOn(program, place, env).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)
      console.log(`${fault === undefined ? '✔' : '✖'} SDK ${seconds} s  Python ${version}`)
      if (fault !== undefined) failed.push(`Python ${version}: ${fault}`)
    }
    const missing = versions.filter((version) => !found.some((each) => each.version === version))
    if (missing.length > 0) console.log(`  not here: Python ${missing.join(', ')}`)
    return failed
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of each version the program on the path, by its own name or as `python3`. */
async function pythons(): Promise<readonly { readonly version: string; readonly program: string }[]> {
  const names = [...versions.map((version) => `python${version}`), 'python3']
  const asked = names.map(async (program) => {
    const code = 'import sys; print("%d.%d" % sys.version_info[:2])'
    const version = await run([program, '-c', code], { cwd: tmpdir() }).catch(() => '')
    return [version.trim(), program] as const
  })
  const programs = new Map((await Promise.all(asked)).toReversed())
  return versions.flatMap((version) => {
    const program = programs.get(version)
    return program === undefined ? [] : [{ version, program }]
  })
}

async function tryOn(python: string, folder: string, env: Env): Promise<void> {
  // The folders as in the repository, because the shop's list of packages names the SDK beside it.
  const tree = join(folder, 'tree')
  for (const name of ['sdk/python', 'examples/shop-python'])
    await cp(join(root, name), join(tree, name), { recursive: true, filter: isSource })
  const wheel = await buildWheel(python, folder, join(tree, 'sdk/python'))
  const bin = await environmentIn(python, join(folder, 'venv'), [
    wheel,
    ...testers,
    ...(await shopPackages()),
  ])
  const where = { folder, bin, env }
  await runTests(where, wheel, tree)
  const samples = await writeSamples(folder)
  await checkTypes(where, wheel, tree, samples)
  await run([join(bin, 'python'), join(programs, 'journey.py')], { cwd: folder, env })
  // The test client of Starlette, which plays the web server for a sample, warns of nothing of ours.
  await run([join(bin, 'python'), join(programs, 'samples.py'), ...samples], { cwd: folder, env })
  await tryShop(python, where, join(tree, 'examples/shop-python'))
}

/** An environment with these packages, installed from `cwd`. Returns the folder of its programs. */
async function environmentIn(
  python: string,
  place: string,
  wanted: readonly string[],
  cwd = tmpdir(),
): Promise<string> {
  await run([python, '-m', 'venv', place], { cwd })
  const bin = join(place, 'bin')
  await run([join(bin, 'pip'), 'install', '--quiet', '--disable-pip-version-check', ...wanted], { cwd })
  return bin
}

/** What the example shop needs beside the SDK. */
async function shopPackages(): Promise<readonly string[]> {
  const listed = await readFile(join(root, 'examples/shop-python/requirements.txt'), 'utf8')
  return listed.split('\n').filter((line) => line.includes('=='))
}

/** As the README builds it. Returns the wheel's path. */
async function buildWheel(python: string, folder: string, source: string): Promise<string> {
  const bin = await environmentIn(python, join(folder, 'builder'), packager)
  await run([join(bin, 'python'), '-m', 'build', '--wheel', source], { cwd: folder })
  const dist = join(source, 'dist')
  const [name, ...others] = await readdir(dist)
  if (name === undefined || others.length > 0) throw new Error(`dist has ${[name, ...others].join(', ')}`)
  return join(dist, name)
}

async function runTests({ folder, bin, env }: Where, wheel: string, tree: string): Promise<void> {
  const pytest = [join(bin, 'python'), '-W', 'error::DeprecationWarning:vintem', '-m', 'pytest', '-q']
  const options = ['-p', 'no:cacheprovider']
  const vectors = { VINTEM_WEBHOOK_VECTORS: join(root, 'sdk/webhook-vectors.json') }
  await run([...pytest, ...options, join(tree, 'sdk/python/tests')], {
    cwd: folder,
    env: { ...env, ...vectors },
  })
  await run([...pytest, ...options, '.'], { cwd: join(tree, 'examples/shop-python'), env })
  const from = await run([join(bin, 'python'), '-c', 'import vintem; print(vintem.__file__)'], {
    cwd: folder,
    env,
  })
  if (!from.includes('site-packages')) throw new Error(`the tests ran on ${from.trim()}, not on ${wheel}`)
}

/** The Python blocks of the README, each as a file, at this sandbox. */
async function writeSamples(folder: string): Promise<readonly string[]> {
  const blocks = blocksOf('sdk/python/README.md').filter(({ language }) => language === 'python')
  const names = ['create', 'receive', 'follow']
  if (blocks.length !== names.length) throw new Error(`the README has ${blocks.length} samples`)
  const files: string[] = []
  for (const [nth, { text }] of blocks.entries()) {
    const file = join(folder, `${names[nth]}.py`)
    await writeFile(file, `${text.replace('"http://127.0.0.1:4000"', 'os.environ["API_URL"]')}\n`)
    files.push(file)
  }
  return files
}

/** mypy with its strictest settings: the package as it is in the wheel, its tests, the samples, the programs here and the shop. */
async function checkTypes(
  where: Where,
  wheel: string,
  tree: string,
  samples: readonly string[],
): Promise<void> {
  const { folder, bin, env } = where
  const unpacked = join(folder, 'unpacked')
  await run([join(bin, 'python'), '-m', 'zipfile', '-e', wheel, unpacked], { cwd: folder })
  const mypy = [join(bin, 'mypy'), '--strict', '--cache-dir', join(folder, 'mypy')]
  await run([...mypy, 'vintem'], { cwd: unpacked, env })
  for (const file of [
    ...samples,
    ...['journey', 'samples', 'shopping'].map((name) => join(programs, `${name}.py`)),
  ])
    await run([...mypy, file], { cwd: folder, env })
  await run([...mypy, '.'], { cwd: join(tree, 'sdk/python/tests'), env })
  await run([...mypy, '.'], { cwd: join(tree, 'examples/shop-python'), env })
}

/** Starts the shop by the commands of its README, and buys there. */
async function tryShop(python: string, { folder, bin, env }: Where, shop: string): Promise<void> {
  const own = await environmentIn(python, join(shop, '.venv'), ['-r', 'requirements.txt'], shop)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { VINTEM_DATA_DIR = '' } = env
  const server = spawn(join(own, 'python'), ['shop.py'], {
    cwd: shop,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: [own, process.env['PATH']].join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      VINTEM_DATA_DIR,
      SHOP_PORT: String(port),
    },
  })
  const ended = once(server, 'exit')
  try {
    const isOpen = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    await eventually('the shop is open', isOpen, 60_000)
    await run([join(bin, 'python'), join(programs, 'shopping.py')], {
      cwd: folder,
      env: { ...env, SHOP_URL: url },
    })
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}
