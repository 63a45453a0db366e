// The index of the site's search, which the browser loads when somebody types: there is no server of searches.
import MiniSearch from 'minisearch'
import { addressOf, type PageMap } from '../../src/reference/links.ts'
import type { Section } from '../../src/reference/sections.ts'
import type { RenderedPage } from './render.ts'
import { searchOptions, type Stored } from './search-options.ts'

type Indexed = Stored & { readonly id: number; readonly lead: string; readonly text: string }

/** How many letters of a part are kept to be shown: all of them would double what a search loads. */
const excerptMax = 320

/** The index as JSON. `rendered`: by the page, such as `methods/pix.html`. */
export function indexOf(
  rendered: ReadonlyMap<string, RenderedPage>,
  menu: { readonly pages: PageMap; readonly sections: readonly Section[] },
): string {
  const index = new MiniSearch<Indexed>(searchOptions)
  const weights = weightsOf(menu)
  let id = 0
  for (const [page, { title, parts }] of rendered)
    for (const { heading, lead, text } of parts) {
      const address = addressOf(page)
      const href = heading.depth === 1 ? address : `${address}#${heading.id}`
      const weight = weights.get(page) ?? 1
      index.add({
        id: id++,
        title,
        heading: heading.text,
        href,
        weight,
        lead,
        text,
        excerpt: text.slice(0, excerptMax),
      })
    }
  return JSON.stringify(index)
}

/** Most searches are for instructions, so a guide comes before a reference page, and both come before a decision. */
function weightsOf({ pages, sections }: { readonly pages: PageMap; readonly sections: readonly Section[] }) {
  const weights = new Map<string, number>()
  for (const [file, page] of pages) if (file.startsWith('decisions/')) weights.set(page, 0.2)
  for (const { title, entries } of sections)
    for (const { file } of entries) {
      const page = pages.get(file)
      if (page !== undefined) weights.set(page, weightInMenu(title, file))
    }
  return weights
}

function weightInMenu(section: string, file: string): number {
  if (section === 'Security and words' || lists.has(file)) return 0.4
  return section === 'Operate' ? 0.7 : 1
}

/** Pages with a heading for each name: a short heading counts more than a long one. */
const lists: ReadonlySet<string> = new Set(['docs/problems.md', 'docs/event-catalogue.md'])
