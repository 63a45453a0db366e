// The documents as Markdown, and llms.txt, which lists them (llmstxt.org). They are read once, at the start of the process.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPages, withServedLinks } from './links.ts'
import { readSections } from './sections.ts'

export type Pages = {
  /** By the path below `/docs/`, such as `rails/pix.md`. */
  readonly pages: ReadonlyMap<string, Buffer>
  readonly llms: string
}

/**
 * Reads the pages of the site, as far as this installation has their files: an image has those of docs/ alone. `baseUrl`: where they are
 * served.
 */
export function readPages(root: string, baseUrl: string): Pages {
  const names = new Map(
    [...findPages(root)]
      .filter(([file]) => existsSync(join(root, file)))
      .map(([file, page]) => [file, nameOf(page)] as const),
  )
  const pages = new Map(
    [...names].map(([file, name]) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [name, Buffer.from(withOwnAddress(withServedLinks(text, file, names), baseUrl))] as const
    }),
  )
  const menu = readFileSync(join(root, 'docs', 'README.md'), 'utf8')
  return { pages, llms: listPages({ menu, names, pages }, baseUrl) }
}

/** The blocks of code with the address of this installation instead of the usual one of a sandbox. */
function withOwnAddress(text: string, baseUrl: string): string {
  return text.replaceAll(/^ *```[^]*?^ *```$/gm, (block) =>
    block.replaceAll(/http:\/\/127\.0\.0\.1:4000(?!\d)/g, () => baseUrl),
  )
}

function nameOf(page: string): string {
  return page === 'index.html' ? 'README.md' : page.replace(/\.html$/, '.md')
}

const about = [
  '# Vintem',
  '',
  '> Self-hosted payments and wallets: PIX, card, USDT and wallet app behind one JSON API.',
  '',
  'Amounts are integers of minor units (cents). Every request to `/v1` carries the header `apikey`. Errors are application/problem+json: decide by `code`.',
]

type Listed = {
  /** docs/README.md. */
  readonly menu: string
  /** By the file. */
  readonly names: ReadonlyMap<string, string>
  readonly pages: Pages['pages']
}

/**
 * The lists of the menu as sections, with whole URLs. A page that it does not name is listed at the end; decisions are reached by links.
 */
function listPages({ menu, names, pages }: Listed, baseUrl: string): string {
  const lines = [
    ...about,
    '',
    '## The API',
    '',
    `- [openapi.json](${baseUrl}/openapi.json): the whole contract`,
  ]
  const remaining = new Set([...pages.keys()].filter((name) => !name.startsWith('decisions/')))
  remaining.delete('README.md')
  for (const { title, entries } of readSections(menu)) {
    const served = entries.flatMap(({ text, file, about: rest }) => {
      const name = names.get(file)
      return name !== undefined && remaining.delete(name)
        ? [`- [${text}](${baseUrl}/docs/${name})${rest}`]
        : []
    })
    if (served.length > 0) lines.push('', `## ${title}`, '', ...served)
  }
  if (remaining.size > 0) lines.push('', '## Further pages', '')
  for (const name of remaining) lines.push(`- [${titleOf(pages.get(name))}](${baseUrl}/docs/${name})`)
  return `${lines.join('\n')}\n`
}

function titleOf(page: Buffer | undefined): string {
  return /^# (.+)$/m.exec(page?.toString() ?? '')?.[1] ?? ''
}
