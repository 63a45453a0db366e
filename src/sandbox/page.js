// Keeps the page's live part current, and serves the copy buttons. Without this script the page is complete too: it is then as new as
// its last reload.

import { patch } from './live.js'

/** Of web/live: it is served beside this script, and lies elsewhere. */
const draw = /** @type {(element: Element, children: unknown[]) => void} */ (/** @type {unknown} */ (patch))

const live = byId('live')
const link = byId('link')
const said = byId('said')

/** @type {(text: string) => void} */
function show(text) {
  const [, , ...parts] = /** @type {unknown[]} */ (JSON.parse(text))
  draw(live, parts)
}

/** @type {(state: 'live' | 'away', words: string) => void} */
function showLink(state, words) {
  link.dataset['state'] = state
  const label = link.lastElementChild
  if (label && label.textContent !== words) label.textContent = words
}

// Server-sent events; where they are not available, a poll every two seconds, and less often while there is no answer.

let pauseMs = 2_000

async function refresh() {
  try {
    const response = await fetch('/sandbox/state', { cache: 'no-store' })
    if (!response.ok) throw new Error(`answered ${response.status}`)
    show(await response.text())
    pauseMs = 2_000
    showLink('live', 'Live')
  } catch {
    pauseMs = Math.min(pauseMs * 2, 30_000)
    showLink('away', 'The server does not answer')
  }
}

async function poll() {
  await refresh()
  setTimeout(() => void poll(), pauseMs)
}

function listen() {
  const source = new EventSource('/sandbox/live')
  source.addEventListener('open', () => showLink('live', 'Live'))
  source.addEventListener('message', ({ data }) => show(String(data)))
  source.addEventListener('error', () => {
    showLink('away', 'The server does not answer')
    if (source.readyState === EventSource.CLOSED) void poll()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && source.readyState !== EventSource.OPEN) void refresh()
  })
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null
  if (button?.dataset['copy'] !== undefined && button.dataset['done'] === undefined) void copy(button)
})

/** @type {(button: HTMLButtonElement) => Promise<void>} */
async function copy(button) {
  const label = button.querySelector('span')
  const words = label?.textContent ?? ''
  const done = await navigator.clipboard?.writeText(button.dataset['copy'] ?? '').then(
    () => 'Copied',
    () => undefined,
  )
  // Without a secure connection pages may not use the clipboard: the person's own copy command still works.
  if (done === undefined) getSelection()?.selectAllChildren(byId(button.getAttribute('aria-controls') ?? ''))
  const answer = done ?? 'Selected'
  button.dataset['done'] = 'yes'
  said.textContent = answer
  if (label) label.textContent = answer
  setTimeout(() => {
    delete button.dataset['done']
    said.textContent = ''
    if (label) label.textContent = words
  }, 1_600)
}

/** @type {(id: string) => HTMLElement} */
function byId(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`there is no ${id}`)
  return element
}

listen()
