// Builds the dashboard's pages. They are built again only when one of their sources has changed.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfStale, isStale, loadVite, packAll } from './stale-build.ts'

/** What the server reads: the page, whose text names the files, and the files, as paths from the built folder and from the origin. */
export type DashboardManifest = {
  readonly html: string
  readonly files: readonly string[]
  /** The file of each source that begins a chunk, by its path in web/dashboard. */
  readonly chunks: Readonly<Record<string, string>>
  /** What a first view loads besides: the sign-in, the frame of a merchant's screens alone, and with these screens. */
  readonly preloads: Readonly<Record<keyof typeof views, readonly string[]>>
}

/** The sources of the pages, from the root. */
export const dashboardSources = [
  'web/build-dashboard.ts',
  'web/stale-build.ts',
  'web/dashboard',
  'src/checkout/compression.ts',
  'src/kernel/check.ts',
  'src/kernel/common-words.ts',
  'src/kernel/dictionary.ts',
  'src/kernel/error.ts',
  'src/kernel/given.ts',
  'src/kernel/language.ts',
  'src/kernel/money-text.ts',
  'src/kernel/money.ts',
  'src/kernel/status-words.ts',
  'src/kernel/tax-id.ts',
]

/** Another version of these makes another bundle. */
const makers = [
  'vite',
  'tailwindcss',
  '@tailwindcss/vite',
  'react',
  'react-dom',
  '@base-ui/react',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@simplewebauthn/browser',
  'lean-qr',
  'cpf-cnpj-validator',
]

/** The first browsers with light-dark() and the cascade that Tailwind 4 needs. */
const targets = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

/**
 * Builds `web/dist-dashboard` unless it exists and matches the present sources: `assets/*`, each also as `.br` and `.gz`, and `manifest.json`,
 * a DashboardManifest. It replaces the folder as a whole. Throws NoBuilder where Vite is needed and not installed, as in production.
 */
export function buildDashboardIfStale(root: string): Promise<void> {
  return buildIfStale(root, { ...made, make: (folder) => build(root, folder) })
}

/** Whether `buildDashboardIfStale` would build. */
export function isDashboardStale(root: string): Promise<boolean> {
  return isStale(root, made)
}

const made = { place: 'web/dist-dashboard', sources: dashboardSources, makers } as const

/**
 * Modules that many screens share go into few files, because over HTTP/1.1 a browser fetches six files at a time. A module goes into the
 * first group whose `test` it passes. The entry module of a chunk must stay out of the groups: the manifest names the chunk by that module.
 */
const groups = [
  { name: 'start', tags: ['$initial' as const], test: (id: string) => !id.endsWith('/dashboard/main.tsx') },
  // Not what only some screens show and is large.
  {
    name: 'kit',
    test: /\/web\/dashboard\/(?:api|kit|words)\/(?!operator|developers|tabs|link-tabs|table|record-list|filters|charts)/,
    minShareCount: 12,
  },
  { name: 'lists', test: /\/web\/dashboard\/kit\/(?:table|record-list|filters)\.tsx$/ },
  { name: 'tabs', test: /\/web\/dashboard\/kit\/tabs\.tsx$/ },
  { name: 'frame', test: /\/shell\/logo\.tsx$|\/react-router\/dist\/esm\/useLocation\.js$/ },
]

async function build(root: string, folder: string): Promise<void> {
  const vite = await loadVite()
  const { default: tailwind } = await import('@tailwindcss/vite')
  const output = await vite.build({
    root: join(root, 'web/dashboard'),
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    plugins: [tailwind()],
    build: {
      outDir: folder,
      assetsDir: 'assets',
      emptyOutDir: false,
      target: targets,
      cssTarget: targets,
      cssCodeSplit: false,
      // As data: URLs they would need more of the policy, and no file of ours is small.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        output: { codeSplitting: { groups } },
        onLog(level, log, show) {
          // React's packages mark modules for servers that render React. Nothing renders these pages on a server.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log)
        },
      },
    },
  })
  const page = join(folder, 'index.html')
  const html = await readFile(page, 'utf8')
  await rm(page)
  const names = await readdir(join(folder, 'assets'))
  await packAll(join(folder, 'assets'))
  const chunks = chunksOf(outputOf(output), `${join(root, 'web/dashboard')}/`)
  const manifest: DashboardManifest = {
    html,
    files: names.toSorted().map((name) => `assets/${name}`),
    chunks,
    preloads: preloadsOf(outputOf(output), chunks, html),
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
}

type Chunk = {
  readonly fileName: string
  readonly facadeModuleId?: string | null
  /** Other chunks that it loads at once. */
  readonly imports?: readonly string[]
}

function outputOf(built: unknown): readonly Chunk[] {
  return ((Array.isArray(built) ? built[0] : built) as { readonly output: readonly Chunk[] }).output
}

/** Only their own part of the path, so that the manifest is the same on every machine. */
function chunksOf(output: readonly Chunk[], from: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    output.flatMap(({ fileName, facadeModuleId }) =>
      facadeModuleId?.startsWith(from) === true ? [[facadeModuleId.slice(from.length), fileName]] : [],
    ),
  )
}

/**
 * The chunks that a first view would load one after another. The page names all of them at once, so that the browser loads them together.
 */
const frame = ['shell/shell.tsx', 'shell/merchant-frame.tsx'] as const
const views = {
  door: ['screens/sign-in/sign-in.tsx'],
  frame,
  overview: [...frame, 'screens/overview/overview.tsx', 'screens/overview/currencies.tsx'],
  payments: [...frame, 'screens/payments/list.tsx'],
  payment: [...frame, 'screens/payments/payment.tsx'],
} as const

/** The chunks of each view with all that they import, without those that the page names anyway. */
function preloadsOf(
  output: readonly Chunk[],
  chunks: Readonly<Record<string, string>>,
  html: string,
): DashboardManifest['preloads'] {
  const byName = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const closure = (file: string | undefined, found: Set<string>): Set<string> => {
    if (file === undefined || found.has(file)) return found
    found.add(file)
    for (const each of byName.get(file)?.imports ?? []) closure(each, found)
    return found
  }
  const of = (sources: readonly string[]) => {
    const found = new Set<string>()
    for (const source of sources) closure(chunks[source], found)
    return [...found].filter((file) => !html.includes(file))
  }
  return {
    door: of(views.door),
    frame: of(views.frame),
    overview: of(views.overview),
    payments: of(views.payments),
    payment: of(views.payment),
  }
}
