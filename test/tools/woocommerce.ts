// The plug-in for WooCommerce in a real shop: `WOOCOMMERCE=<its folder> npm run test:tools woocommerce`. PHP, MariaDB and WordPress are
// Debian's packages, unpacked and not installed; WORDPRESS names another WordPress, unpacked. WooCommerce itself is in no package
// registry: unpack its release, and name the folder. Orders are paid on a sandbox, over the shop's own pages and APIs.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstallation } from '../journeys/installation.ts'
import { processesOf } from '../journeys/processes.ts'
import { openLossyLine } from '../lossy-line.ts'
import { run } from './clients/tool.ts'
import { stories } from './woocommerce/journey.ts'
import { openShop } from './woocommerce/shop.ts'
import { prepareTools, startShop, type Tools } from './woocommerce/start.ts'
import type { ShopWorld } from './woocommerce/world.ts'

const root = join(import.meta.dirname, '..', '..')
const plugin = join(root, 'integrations', 'woocommerce')
/** What PHP prints about a fault of the plug-in. */
const faultOfPhp = /PHP (?:Fatal|Parse|Warning|Notice|Deprecated)[^\n]*vintem-woocommerce[^\n]*/g

/** Prints a line for each story. Returns what failed. `cache` keeps Debian's packages. */
export async function tryWooCommerce(cache: string): Promise<readonly string[]> {
  const woocommerce = process.env['WOOCOMMERCE'] ?? ''
  if (!existsSync(join(woocommerce, 'woocommerce.php')))
    return ['WOOCOMMERCE has to name the folder of an unpacked WooCommerce, which no package registry has']
  const wordpress = process.env['WORDPRESS']
  const tools = await timed("unpacked Debian's packages", () =>
    prepareTools(cache, { wordpress, woocommerce }),
  )
  await timed('each file is PHP, and the parts that need no shop hold', () => checkPhp(tools))
  const folder = await mkdtemp(join(tmpdir(), 'vintem-woocommerce-'))
  try {
    const failed = await tellAll(tools, folder)
    const left = processesOf(folder).map(({ command }) => `${command} was left behind`)
    return [...failed, ...left]
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function checkPhp({ php, env }: Tools): Promise<void> {
  for (const name of await readdir(plugin, { recursive: true }))
    if (name.endsWith('.php')) await run([...php, '-l', join(plugin, name)], { cwd: root, env })
  const unit = join(import.meta.dirname, 'woocommerce', 'unit.php')
  await run([...php, unit, plugin, join(root, 'sdk', 'webhook-vectors.json')], { cwd: root, env })
}

async function tellAll(tools: Tools, folder: string): Promise<readonly string[]> {
  await using installation = await createInstallation()
  await installation.start()
  const sandbox = installation.sandbox()
  await using line = await openLossyLine(() => sandbox.apiUrl)
  await using running = await timed('started the shop', () =>
    startShop(tools, folder, { ...sandbox, apiUrl: line.url }),
  )
  console.log(`  ${running.versions}`)
  const failed = await tell({ shop: openShop(running), sandbox, line })
  const faults = running.output().match(faultOfPhp) ?? []
  if (failed.length > 0)
    console.log(
      running
        .output()
        .split('\n')
        .filter((text) => text.includes('PHP '))
        .slice(-20)
        .join('\n'),
    )
  return [...failed, ...faults]
}

async function tell(world: ShopWorld): Promise<readonly string[]> {
  const failed: string[] = []
  for (const [name, story] of Object.entries(stories))
    try {
      await timed(name, () => story(world))
    } catch (error) {
      failed.push(name)
      world.line.mend()
      console.log(error instanceof Error ? error.stack : error)
    }
  return failed
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const line = (sign: string) =>
    console.log(
      `${sign} woocommerce ${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${what}`,
    )
  try {
    const result = await work()
    line('✔')
    return result
  } catch (error) {
    line('✖')
    throw error
  }
}
