// Which files are pages of the documentation site, and where its links lead.
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** The page of each file, by the file's path from the root: `docs/webhooks.md` is `webhooks.html`. */
export type PageMap = ReadonlyMap<string, string>

/** Where the API's host serves the site. */
export const base = '/docs/'

/** Pages outside docs/ that the site has in any case. */
const besides: PageMap = new Map([
  ['SECURITY.md', 'security.html'],
  ['GLOSSARY.md', 'glossary.html'],
  ['CHANGELOG.md', 'changelog.html'],
  ['sdk/typescript/README.md', 'sdk.html'],
  ['examples/shop/README.md', 'example-shop.html'],
])

/** All of docs/, the pages beside it, and the decisions that a page of docs/ links to. */
export async function findPages(root: string): Promise<PageMap> {
  const names = globSync('**/*.md', { cwd: join(root, 'docs') }).map((name) => name.replaceAll('\\', '/'))
  const pages = new Map<string, string>()
  for (const name of names.toSorted())
    pages.set(`docs/${name}`, name === 'README.md' ? 'index.html' : name.replace(/\.md$/, '.html'))
  for (const [file, page] of besides) pages.set(file, page)
  for (const name of names) {
    const text = await readFile(join(root, 'docs', name), 'utf8')
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
 * Where the link `href` of the file `from` leads. Undefined: to a file that is neither a page of the site nor served, such as a source.
 * Throws when it leads to a page of docs/ that is not there.
 * README's part for newcomers is the site's first page.
 */
export function resolveLink(pages: PageMap, from: string, href: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const path = posix.join(posix.dirname(from), decodeURIComponent(file))
  if (path === 'openapi.json') return '/openapi.json'
  if (path === 'README.md') return anchor === 'two-commands' ? addressOf('start.html') : undefined
  if (path.startsWith('docs/screens/')) return `/${path}`
  const page = pages.get(path)
  if (page === undefined && path.startsWith('docs/')) throw new Error(`${from}: there is no ${href}`)
  if (page === undefined) return undefined
  return anchor === undefined ? addressOf(page) : `${addressOf(page)}#${anchor}`
}
