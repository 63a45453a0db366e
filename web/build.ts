// Builds the code for the payer's browser, and the code that renders the same page on the server. Both are built again only when one of
// their sources has changed.
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { buildIfStale, loadVite, packAll } from './stale-build.ts'

export { NoBuilder } from './stale-build.ts'

/** The files of `client/` that the pages name. Their names change with their content, so they can be cached for ever. */
export type WebManifest = { readonly script: string; readonly style: string }

/** The sources of the bundles, from the root. */
export const checkoutSources = [
  'web/build.ts',
  'web/stale-build.ts',
  'web/checkout',
  'src/checkout/compression.ts',
  'src/checkout/page-state.ts',
  'src/checkout/labels.ts',
  'src/kernel/dictionary.ts',
  'src/kernel/language.ts',
]
/** Another version of these makes another bundle. */
const makers = ['vite', 'preact', 'preact-render-to-string', '@scalar/fastify-api-reference']

/** Browsers from about 2021 on; the style has fallbacks for those without OKLCH. */
const targets = ['chrome92', 'edge92', 'firefox91', 'safari15']

/**
 * Builds `web/dist` unless it exists and matches the present sources: `client/*`, each also as `.br` and `.gz`, `server/checkout.js`, `reference.js.gz`
 * and `manifest.json`.
 * It replaces the folder as a whole, so that processes that start at the same time never read half a build; a process that serves the build
 * reads it once.
 * Throws NoBuilder where Vite is needed and not installed, as in production.
 */
export function buildWebIfStale(root: string): Promise<void> {
  return buildIfStale(root, {
    place: 'web/dist',
    sources: checkoutSources,
    makers,
    make: (folder) => build(root, folder),
  })
}

async function build(root: string, folder: string): Promise<void> {
  const vite = await loadVite()
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

/** The renderer of the API reference as one script. Its package contains the script, but exports only a route that serves it. */
async function rendererOfReference(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(reference, { routePrefix: '/reference', configuration: { content: {} } })
  const { statusCode, rawPayload } = await server.inject('/reference/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`the package has no renderer: ${statusCode}`)
  return rawPayload
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
