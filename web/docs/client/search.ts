// The search: an index that is loaded when the reader goes to the search field, and a list of links below the field.
import MiniSearch from 'minisearch'
import { excerptAround, queryOf, searchOptions, type Found } from '../search-options.ts'

const resultsMax = 12

/** Shows the field and answers it. */
export function openSearch(): void {
  const place = document.querySelector<HTMLElement>('search')
  const input = document.querySelector<HTMLInputElement>('#search')
  const found = document.querySelector<HTMLElement>('#found')
  if (place === null || input === null || found === null) return
  const field = { input, found, load: loaderOf(place.dataset['index'] ?? '') }
  input.addEventListener('focus', () => void field.load().catch(() => {}))
  input.addEventListener('input', () => void answer(field))
  place.addEventListener('keydown', (event) => moveIn(event, field))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  document.addEventListener('click', (event) => {
    if (!place.contains(event.target as Node)) found.hidden = true
  })
  place.hidden = false
}

type Field = {
  readonly input: HTMLInputElement
  readonly found: HTMLElement
  readonly load: () => Promise<MiniSearch>
}

/** Loads the index once. A load that failed is tried again with the next letter. */
function loaderOf(url: string): () => Promise<MiniSearch> {
  let loading: Promise<MiniSearch> | undefined
  return () => {
    loading ??= fetch(url)
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status)))))
      .then((text) => MiniSearch.loadJSON(text, searchOptions))
    loading.catch(() => (loading = undefined))
    return loading
  }
}

async function answer({ input, found, load }: Field): Promise<void> {
  const words = input.value.trim()
  if (words === '') {
    found.hidden = true
    return
  }
  const index = await load().catch(() => undefined)
  // Somebody typed on meanwhile.
  if (input.value.trim() !== words) return
  const results = (index?.search(queryOf(words)).slice(0, resultsMax) ??
    []) as readonly unknown[] as readonly Result[]
  const status = found.querySelector('p')
  if (status !== null)
    status.textContent = index === undefined ? 'The search could not be loaded' : countOf(results.length)
  found.querySelector('ul')?.replaceChildren(...results.map(itemOf))
  found.hidden = false
}

function countOf(results: number): string {
  if (results === 0) return 'Nothing found'
  return results === 1 ? '1 result' : `${results === resultsMax ? 'First ' : ''}${results} results`
}

/** `terms`: the words of the documents that were found. */
type Result = Found & { readonly terms: readonly string[] }

function itemOf({ title, heading, href, excerpt, terms }: Result): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = href
  link.append(heading)
  if (title !== heading) {
    const page = document.createElement('small')
    page.textContent = title
    link.append(' ', page)
  }
  if (excerpt !== '') {
    const text = document.createElement('span')
    text.textContent = excerptAround(excerpt, terms)
    link.append(text)
  }
  item.append(link)
  return item
}

/** The arrow keys go through the results, Escape closes them. */
function moveIn(event: KeyboardEvent, { input, found }: Field): void {
  if (event.key === 'Escape') {
    found.hidden = true
    input.focus()
    return
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || found.hidden) return
  event.preventDefault()
  const stops: HTMLElement[] = [input, ...found.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[(at + step + stops.length) % stops.length]?.focus()
}
