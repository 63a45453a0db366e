// Builds the documentation site from docs/ (decision 141). It is built again only when one of its sources has changed.
import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { packFile } from '../src/checkout/compression.ts'
import { addressOf, base, findPages } from '../src/reference/links.ts'
import { readSections } from '../src/reference/sections.ts'
import type { Assets } from './docs/layout.ts'
import type { RenderedPage } from './docs/render.ts'
import { buildIfStale, isStale, loadVite } from './stale-build.ts'

/** What the server reads: the texts of the site, as paths from `site/` in the built folder. Pictures it takes from docs/screens. */
export type DocsManifest = { readonly files: readonly string[] }

/** The sources of the site, from the root. An installation has all of them: it compares them with what it has built. */
export const docsSources = [
  'web/build-docs.ts',
  'web/stale-build.ts',
  'web/docs',
  'web/dashboard/styles/tokens.css',
  'web/dashboard/styles/icon.svg',
  'docs',
  'decisions',
  'sdk/typescript/README.md',
  'sdk/python/README.md',
  'examples/shop/README.md',
  'examples/shop-python/README.md',
  'SECURITY.md',
  'GLOSSARY.md',
  'CHANGELOG.md',
  'src/checkout/compression.ts',
  'src/reference/links.ts',
  'src/reference/sections.ts',
]

const made = {
  place: 'web/dist-docs',
  sources: docsSources,
  makers: ['vite', 'marked', 'minisearch', '@speed-highlight/core', '@tailwindcss/vite', 'tailwindcss'],
} as const

/** As the dashboard, whose colours it has. */
const targets = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

/**
 * Builds `web/dist-docs` unless it exists and matches the present sources: `site/*`, each file only as `.br` and `.gz`, and
 * `manifest.json`, a DocsManifest. Throws NoBuilder where Vite is needed and not installed, as in production; throws for a dead link.
 */
export function buildDocsIfStale(root: string): Promise<void> {
  return buildIfStale(root, { ...made, make: (folder) => build(root, folder) })
}

/** Whether `buildDocsIfStale` would build. */
export function isDocsStale(root: string): Promise<boolean> {
  return isStale(root, made)
}

async function build(root: string, folder: string): Promise<void> {
  const site = join(folder, 'site')
  const bundled = await bundle(root, site)
  // These need packages that are not there in production, as Vite is not.
  const [{ renderPage }, { layOut }, { indexOf }] = await Promise.all([
    import('./docs/render.ts'),
    import('./docs/layout.ts'),
    import('./docs/search-index.ts'),
  ])
  const pages = findPages(root)
  const rendered = new Map<string, RenderedPage>()
  for (const [file, page] of pages)
    rendered.set(
      page,
      await withDrawings(root, await renderPage(file, await readFile(join(root, file), 'utf8'), pages)),
    )
  refuseDeadLinks(rendered)

  const sections = readSections(await readFile(join(root, 'docs', 'README.md'), 'utf8'))
  const index = indexOf(rendered, { pages, sections })
  // The name of the index does not change with its text, so the server lets browsers keep it only with a check for changes.
  const mark = (await readFile(join(root, 'web', 'dashboard', 'styles', 'icon.svg'), 'utf8')).trim()
  const assets = { ...bundled, searchIndex: `${base}search.json`, mark }
  await writeFile(join(site, 'search.json'), index)
  for (const [page, each] of [...rendered, ['404.html', missing] as const]) {
    await mkdir(dirname(join(site, page)), { recursive: true })
    await writeFile(join(site, page), layOut(page, each, { pages, sections, assets }))
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(await pack(site)))
}

/** A drawing stands in the page itself, so that it has the colours of the theme that the reader chose; its own style is for code hosts. */
async function withDrawings(root: string, page: RenderedPage): Promise<RenderedPage> {
  let { html } = page
  for (const [image, name = '', alt = ''] of html.matchAll(
    /<img src="\/docs\/screens\/([\w-]+\.svg)" alt="([^"]*)"[^>]*>/g,
  )) {
    const drawn = await readFile(join(root, 'docs', 'screens', name), 'utf8')
    const bare = drawn.trim().replace(/<style>[^]*?<\/style>\n?/, '')
    html = html.replace(image, () =>
      bare.replace(/aria-label="[^"]*"/, `class="drawing" aria-label="${alt}"`),
    )
  }
  return { ...page, html }
}

const missing: RenderedPage = {
  title: 'There is no such page',
  html: `<h1>There is no such page</h1>\n<p>The <a href="${base}">list of all pages</a>, or the search.</p>\n`,
  headings: [],
  parts: [],
  links: [],
}

/** The style and the scripts. */
async function bundle(root: string, site: string): Promise<Omit<Assets, 'searchIndex' | 'mark'>> {
  const vite = await loadVite()
  const { default: tailwind } = await import('@tailwindcss/vite')
  const from = (name: string) => join(root, 'web', 'docs', 'client', name)
  const built = await vite.build({
    root: join(root, 'web', 'docs', 'client'),
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [tailwind()],
    build: {
      outDir: site,
      assetsDir: 'assets',
      emptyOutDir: false,
      target: targets,
      cssTarget: targets,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { client: from('client.ts'), theme: from('theme.ts'), style: from('page.css') },
      },
    },
  })
  const { output } = (Array.isArray(built) ? built[0] : built) as {
    readonly output: readonly { readonly fileName: string }[]
  }
  const addressFor = (pattern: RegExp) => {
    const name = output.map(({ fileName }) => fileName).find((each) => pattern.test(each))
    if (name === undefined) throw new Error(`the bundle has no file like ${String(pattern)}`)
    return base + name
  }
  return {
    client: addressFor(/^assets\/client-.*\.js$/),
    theme: addressFor(/^assets\/theme-.*\.js$/),
    style: addressFor(/\.css$/),
  }
}

/** Throws for a link to a page that does not exist, or to an anchor that no heading of the page has. */
function refuseDeadLinks(rendered: ReadonlyMap<string, RenderedPage>): void {
  const anchors = new Map(
    [...rendered].map(([page, { headings }]) => [addressOf(page), new Set(headings.map(({ id }) => id))]),
  )
  const dead = [...rendered].flatMap(([page, { links }]) =>
    links
      .filter((link) => link.startsWith('#') || link.startsWith(base))
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const there = anchors.get(path === '' ? addressOf(page) : path)
        return there === undefined || (anchor !== undefined && !there.has(anchor))
      })
      .map((link) => `${page}: ${link}`),
  )
  if (dead.length > 0) throw new Error(`links that lead nowhere:\n${dead.join('\n')}`)
}

async function pack(site: string): Promise<DocsManifest> {
  const files = globSync('**/*.*', { cwd: site }).map((name) => name.replaceAll('\\', '/'))
  for (const name of files) {
    const { br, gzip } = packFile(await readFile(join(site, name)))
    await writeFile(join(site, `${name}.br`), br)
    await writeFile(join(site, `${name}.gz`), gzip)
    // The server unpacks it: three copies would be most of what the site takes on a disk.
    await rm(join(site, name))
  }
  return { files: files.toSorted() }
}
