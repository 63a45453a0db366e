// The payment provider for Medusa in a real Medusa from npm: `npm run test:tools medusa`. Its packed file is installed into a tree of its own,
// on PostgreSQL, beside a sandbox. Carts are paid and orders refunded over Medusa's own HTTP API. Not part of npm test, because Medusa is
// downloaded and takes 700 MB on disk. Only the cache of the downloads stays afterwards.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstallation } from '../journeys/installation.ts'
import { processesOf } from '../journeys/processes.ts'
import { startTestCluster } from '../postgres.ts'
import { run } from './clients/tool.ts'
import { price, providers, stories, type Scene } from './medusa/journey.ts'
import { openShop } from './medusa/shop.ts'
import { installMedusa, login, startMedusa, type MedusaTree } from './medusa/start.ts'

const root = join(import.meta.dirname, '..', '..')
const tailLength = 6_000

/** Prints a line for each story. Returns what failed. `cache` keeps the downloads. */
export async function tryMedusa(cache: string): Promise<readonly string[]> {
  // Outside of the repository, whose packages Node would find from a folder inside it.
  const folder = await mkdtemp(join(tmpdir(), 'vintem-medusa-'))
  try {
    const tree = await timed('installed Medusa', () => installMedusa(folder, cache, root))
    await timed('it has the types that Medusa demands', () => compileAgainst(tree))
    const failed = await tellAll(tree)
    const left = processesOf(folder).map(({ command }) => `${command} was left behind`)
    return [...failed, ...left]
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function tellAll(tree: MedusaTree): Promise<readonly string[]> {
  const cluster = await startTestCluster()
  try {
    await using installation = await createInstallation()
    await installation.start()
    const sandbox = installation.sandbox()
    await using medusa = await timed('started Medusa', () =>
      startMedusa(tree, { cluster: cluster.url, sandbox }),
    )
    const terms = { url: medusa.url, login, providers: Object.values(providers), price }
    const shop = await openShop({ ...terms, currency: 'brl', country: 'br' })
    const dollars = await openShop({ ...terms, currency: 'usdt', country: 'pt' })
    return await tell({ shop, dollars, sandbox }, medusa.output)
  } finally {
    await cluster.stop()
  }
}

async function tell(scene: Scene, output: () => string): Promise<readonly string[]> {
  const failed: string[] = []
  for (const [name, story] of Object.entries(stories))
    try {
      await timed(name, () => story(scene))
    } catch (error) {
      failed.push(name)
      console.log(error instanceof Error ? error.stack : error)
    }
  if (failed.length > 0) console.log(output().slice(-tailLength))
  return failed
}

/** The provider is written without Medusa's types, so the compiler compares it with them here. */
async function compileAgainst({ folder }: MedusaTree): Promise<void> {
  const source = join(root, 'integrations', 'medusa', 'src')
  await writeFile(
    join(folder, 'conforms.ts'),
    `import type { IPaymentProvider, ModuleProviderExports } from '@medusajs/framework/types'
import { services } from '${join(source, 'medusa.ts')}'
import { VintemProvider } from '${join(source, 'provider.ts')}'
export const provider = (...args: ConstructorParameters<typeof VintemProvider>): IPaymentProvider => new VintemProvider(...args)
export const exported: ModuleProviderExports = { module: 'payment', services }
`,
  )
  const settings = {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    files: ['conforms.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings, null, 2))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run([process.execPath, compiler, '-p', folder], { cwd: folder })
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const line = (sign: string) =>
    console.log(
      `${sign} medusa ${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${what}`,
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
