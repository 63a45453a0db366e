// Which files are pages of the documentation, as a site and as Markdown, and where their links lead.
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The page of each file, by the file's path from the root: `docs/webhooks.md` is `webhooks.html`. */
export type PageMap = ReadonlyMap<string, string>

/** Where the API's host serves the site. */
export const base = '/docs/'

/** Leads to the dashboard of the installation, wherever that is. */
export const dashboard = `${base}open/dashboard`

/** Pages outside docs/ that the site has in any case. */
const besides: PageMap = new Map([
  ['SECURITY.md', 'security.html'],
  ['GLOSSARY.md', 'glossary.html'],
  ['CHANGELOG.md', 'changelog.html'],
  ['sdk/typescript/README.md', 'sdk.html'],
  ['sdk/python/README.md', 'sdk-python.html'],
  ['examples/shop/README.md', 'example-shop.html'],
  ['examples/shop-python/README.md', 'example-shop-python.html'],
])

/** All of docs/, the pages beside it, and the decisions that a page of docs/ links to. */
export function findPages(root: string): PageMap {
  const names = globSync('**/*.md', { cwd: join(root, 'docs') }).map((name) => name.replaceAll('\\', '/'))
  const pages = new Map<string, string>()
  for (const name of names.toSorted())
    pages.set(`docs/${name}`, name === 'README.md' ? 'index.html' : name.replace(/\.md$/, '.html'))
  for (const [file, page] of besides) pages.set(file, page)
  for (const name of names) {
    const text = readFileSync(join(root, 'docs', name), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)/g)) {
      const path = posix.join('docs', posix.dirname(name), target)
      if (/^decisions\/\d{4}-.*\.md$/.test(path)) pages.set(path, path.replace(/\.md$/, '.html'))
    }
  }
  return pages
}

/** The address of a page, such as `/docs/methods/pix`. */
export function addressOf(page: string): string {
  return base + page.replace(/(?:^index)?\.html$/, '')
}

/**
 * The address to which the link `href` in the file `from` leads. Undefined: it leads to a file that is neither a page of the site nor
 * served, such as a source file. Throws when it leads to a page of docs/ that does not exist.
 */
export function resolveLink(pages: PageMap, from: string, href: string): string | undefined {
  if (isWhole(href)) return href
  const { path, anchor } = targetOf(from, href)
  if (path === 'openapi.json') return '/openapi.json'
  if (path.startsWith('docs/screens/')) return `/${path}`
  const page = pages.get(path)
  if (page === undefined && path.startsWith('docs/')) throw new Error(`${from}: there is no ${href}`)
  return page === undefined ? undefined : addressOf(page) + anchor
}

/**
 * The Markdown of the file `from`, for readers who have only the files of `served`, each under a name below `/docs/`. Links between these
 * files lead there. Of a link to any other file only the words remain, as on the site.
 */
export function withServedLinks(text: string, from: string, served: ReadonlyMap<string, string>): string {
  const folder = posix.dirname(served.get(from) ?? '')
  const relink = (link: string, words: string, href: string) => {
    if (isWhole(href)) return link
    const { path, anchor } = targetOf(from, href)
    if (path === 'openapi.json') return `[${words}](/openapi.json)`
    const name = path.startsWith('docs/screens/') ? path.slice('docs/'.length) : served.get(path)
    return name === undefined ? words : `[${words}](${posix.relative(folder, name)}${anchor})`
  }
  // Between the fences of blocks of code, which stay letter by letter.
  return text
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/\[([^[\]]*)\]\(([^)\s]+)\)/g, relink)))
    .join('')
}

/** An address that needs no file: of another host, of this page, or from the host's root. */
function isWhole(href: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)
}

/** The file from the root, and `#…` or nothing. README's part for newcomers is the page for them. */
function targetOf(from: string, href: string): { readonly path: string; readonly anchor: string } {
  const [file = '', anchor] = href.split('#')
  const path = posix.join(posix.dirname(from), decodeURIComponent(file))
  if (path === 'README.md' && anchor === 'two-commands') return { path: 'docs/start.md', anchor: '' }
  return { path, anchor: anchor === undefined ? '' : `#${anchor}` }
}
