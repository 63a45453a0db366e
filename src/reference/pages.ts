// The documents as Markdown, and llms.txt, which lists them (llmstxt.org): what is served is what was in docs/ at the start.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSections } from './sections.ts'

export type Pages = {
  /** By the path from docs/, such as `rails/pix.md`. */
  readonly pages: ReadonlyMap<string, Buffer>
  readonly llms: string
}

/** Reads `docs` of the folder. `baseUrl`: where the pages are served. */
export function readPages(root: string, baseUrl: string): Pages {
  const folder = join(root, 'docs')
  const names = globSync('**/*.md', { cwd: folder }).toSorted()
  const pages = new Map(
    names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name))] as const),
  )
  return { pages, llms: listPages(pages, baseUrl) }
}

const about = [
  '# Vintem',
  '',
  '> Self-hosted payments and wallets: PIX, card, USDT and wallet app behind one JSON API.',
  '',
  'Amounts are integers of minor units (cents). Every request to `/v1` carries the header `apikey`. Errors are application/problem+json: decide by `code`.',
]

/** The lists of docs/README.md as sections, with whole URLs. A page that it does not name is listed at the end. */
function listPages(pages: ReadonlyMap<string, Buffer>, baseUrl: string): string {
  const lines = [
    ...about,
    '',
    '## The API',
    '',
    `- [openapi.json](${baseUrl}/openapi.json): the whole contract`,
  ]
  const left = new Set(pages.keys())
  left.delete('README.md')
  for (const { title, entries } of readSections((pages.get('README.md') ?? '').toString())) {
    const served = entries.filter(({ file }) => left.delete(file.replace(/^docs\//, '')))
    if (served.length > 0) lines.push('', `## ${title}`, '')
    for (const { text, file, about: rest } of served) lines.push(`- [${text}](${baseUrl}/${file})${rest}`)
  }
  if (left.size > 0) lines.push('', '## Further pages', '')
  for (const name of left) lines.push(`- [${titleOf(pages.get(name))}](${baseUrl}/docs/${name})`)
  return `${lines.join('\n')}\n`
}

function titleOf(page: Buffer | undefined): string {
  return /^# (.+)$/m.exec(page?.toString() ?? '')?.[1] ?? ''
}
