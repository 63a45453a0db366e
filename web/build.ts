// Builds the code of the payer's browser, and the code that renders the same page on the server. Both are built again only when one of
// their sources has changed.
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Fastify from 'fastify'
import { gzipSync } from 'node:zlib'
import { packFile } from '../src/checkout/compression.ts'

/** The files of `client/` that the pages name. Their names change with their content, so they can be cached for ever. */
export type WebManifest = { readonly script: string; readonly style: string }

/** The sources of the bundles, from the root. */
const sources = [
  'web',
  'src/checkout/compression.ts',
  'src/checkout/page-state.ts',
  'src/checkout/texts/labels.ts',
]
/** Another version of these makes another bundle. */
const makers = ['vite', 'preact', 'preact-render-to-string', '@scalar/fastify-api-reference']

/** How often to try to replace the present build: each try fails only when another process replaces it at that moment. */
const triesMax = 20

/** Browsers from about 2021 on; the style has fallbacks for those without OKLCH. */
const targets = ['chrome92', 'edge92', 'firefox91', 'safari15']

/** The pages have to be built, and Vite is not installed. */
export class NoBuilder extends Error {
  override name = 'NoBuilder'
}

/**
 * Builds `web/dist` unless it exists and matches the present sources: `client/*`, each also as `.br` and `.gz`, `server/checkout.js`, `reference.js.gz`
 * and `manifest.json`.
 * It replaces the folder as a whole, so processes that start at once never read half of it; a process that serves it reads it once.
 * Throws NoBuilder where Vite is needed and not installed, as in production.
 */
export async function buildWebIfStale(root: string): Promise<void> {
  const wanted = await fingerprint(root)
  if ((await builtFrom(root)) === wanted) return
  const fresh = join(root, 'web', `dist-${randomUUID()}`)
  try {
    await build(root, fresh)
    await writeFile(join(fresh, 'built-from'), wanted)
    await putInPlace(root, fresh, wanted)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256')
  // As package.json pins them: the build tools are not installed where the pages are only served.
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>
  const pinned = { ...dependencies, ...devDependencies }
  for (const maker of makers) hash.update(`${maker} ${pinned[maker] ?? ''}\n`)
  for (const source of sources) {
    for (const path of await filesUnder(root, source)) {
      const text = await readFile(join(root, path))
      hash.update(`${path} ${text.length}\n`).update(text)
    }
  }
  return hash.digest('hex')
}

/** The file itself, or the files below the folder, in a fixed order. */
async function filesUnder(root: string, path: string): Promise<readonly string[]> {
  if (path.includes('.')) return [path]
  const entries = await readdir(join(root, path), { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isFile()) found.push(`${path}/${entry.name}`)
    else if (!/^dist(?:-|$)/.test(entry.name))
      found.push(...(await filesUnder(root, `${path}/${entry.name}`)))
  }
  return found
}

function builtFrom(root: string): Promise<string | undefined> {
  return readFile(join(root, 'web', 'dist', 'built-from'), 'utf8').catch(() => undefined)
}

async function build(root: string, folder: string): Promise<void> {
  // Imported here because it takes a while to load, and is seldom needed.
  const vite = await import('vite').catch((cause: unknown) => {
    throw new NoBuilder('Vite is not installed', { cause })
  })
  const common = {
    root: join(root, 'web'),
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  } as const
  const client = await vite.build({
    ...common,
    base: './',
    build: {
      outDir: join(folder, 'client'),
      assetsDir: '.',
      emptyOutDir: false,
      target: targets,
      cssTarget: targets,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: {
          checkout: join(root, 'web/checkout/client.tsx'),
          style: join(root, 'web/checkout/styles/page.css'),
        },
      },
    },
  })
  await vite.build({
    ...common,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: join(folder, 'server'),
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: { input: { checkout: join(root, 'web/checkout/server.tsx') } },
    },
  })
  await writeFile(join(folder, 'reference.js.gz'), gzipSync(await rendererOfReference(), { level: 9 }))
  await packAll(join(folder, 'client'))
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifestOf(client)))
}

/** The renderer of the API reference as one script. The package has it inside, and gives it out only as a route. */
async function rendererOfReference(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(reference, { routePrefix: '/reference', configuration: { content: {} } })
  const { statusCode, rawPayload } = await server.inject('/reference/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`the package has no renderer: ${statusCode}`)
  return rawPayload
}

/** Compresses each file with brotli and gzip in advance, so that no request waits for that. */
async function packAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { br, gzip } = packFile(await readFile(join(folder, name)))
    await writeFile(join(folder, `${name}.br`), br)
    await writeFile(join(folder, `${name}.gz`), gzip)
  }
}

function manifestOf(built: unknown): WebManifest {
  const { output } = (Array.isArray(built) ? built[0] : built) as {
    readonly output: readonly { readonly fileName: string }[]
  }
  const names = output.map(({ fileName }) => basename(fileName))
  const script = names.find((name) => /^checkout-.*\.js$/.test(name))
  const style = names.find((name) => name.endsWith('.css'))
  if (script === undefined || style === undefined)
    throw new Error(`the bundle lacks a file: ${names.join(', ')}`)
  return { script, style }
}

/** Another process may have put a build in place before or between these steps: that build is as good. */
async function putInPlace(root: string, fresh: string, wanted: string): Promise<void> {
  const place = join(root, 'web', 'dist')
  const old = `${fresh}-old`
  for (let tries = 1; (await builtFrom(root)) !== wanted; tries += 1) {
    await rename(place, old).catch(() => undefined)
    try {
      return await rename(fresh, place)
    } catch (error) {
      if (tries === triesMax) throw error
    } finally {
      await rm(old, { recursive: true, force: true })
    }
  }
}
