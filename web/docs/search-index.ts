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

/**
 * Most searches are for instructions, so a guide comes before a reference page, both come before what tells or compares, and all come before a
 * decision.
 */
function weightsOf({ pages, sections }: { readonly pages: PageMap; readonly sections: readonly Section[] }) {
  const weights = new Map<string, number>()
  for (const [file, page] of pages)
    weights.set(page, file.startsWith('decisions/') ? 0.05 : (ofFile.get(file) ?? 1))
  for (const { title, entries } of sections)
    for (const { file } of entries) {
      const page = pages.get(file)
      if (page !== undefined) weights.set(page, ofFile.get(file) ?? ofSection.get(title) ?? 1)
    }
  return weights
}

const ofSection: ReadonlyMap<string, number> = new Map([
  ['Operate', 0.5],
  ['Security and words', 0.4],
])

const ofFile: ReadonlyMap<string, number> = new Map([
  // The guide of most calls.
  ['docs/integrating.md', 1.6],
  // A heading for each name: a short heading counts more than a long one.
  ['docs/problems.md', 0.4],
  ['docs/event-catalogue.md', 0.15],
  // They tell of many things that have pages of their own.
  ['docs/README.md', 0.3],
  ['docs/stripe.md', 0.3],
  ['docs/what-works.md', 0.3],
  ['docs/how-it-was-tested.md', 0.3],
  ['docs/measurements.md', 0.3],
  ['CHANGELOG.md', 0.1],
])
