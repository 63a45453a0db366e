// The index of the site's search, which the browser loads when somebody types: there is no server of searches.
import MiniSearch from 'minisearch'
import { addressOf } from './pages.ts'
import { searchOptions, type Found } from './search-options.ts'
import type { RenderedPage } from './render.ts'

/** The index as JSON. `rendered`: by the page, such as `methods/pix.html`. */
export function indexOf(rendered: ReadonlyMap<string, RenderedPage>): string {
  const index = new MiniSearch<Found & { readonly id: number; readonly text: string }>(searchOptions)
  let id = 0
  for (const [page, { title, parts }] of rendered)
    for (const { heading, text } of parts) {
      const address = addressOf(page)
      const href = heading.depth === 1 ? address : `${address}#${heading.id}`
      index.add({ id: id++, title, heading: heading.text, href, text })
    }
  return JSON.stringify(index)
}
