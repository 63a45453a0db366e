// Makes the page's buttons work and keeps the page current.

import { patch } from './live.js'

/** Of web/live: it is served beside this script, and lies elsewhere. */
const show = /** @type {(element: Element, children: unknown[]) => void} */ (/** @type {unknown} */ (patch))

const live = /** @type {HTMLElement} */ (document.getElementById('live'))
const status = /** @type {HTMLElement} */ (document.getElementById('status'))

let last = 0

async function refresh() {
  const response = await fetch('/live')
  const described = /** @type {{ last: number, children: unknown[] }} */ (await response.json())
  last = described.last
  show(live, described.children)
}

/** Whether it was done. @type {(path: string, body: string) => Promise<boolean>} */
async function call(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    status.textContent = response.ok ? 'Done.' : await refusalOf(response)
    await refresh()
    return response.ok
  } catch {
    status.textContent = 'The simulator does not answer. Is it still running?'
    return false
  }
}

/** @type {(response: Response) => Promise<string>} */
async function refusalOf(response) {
  const { title } = /** @type {{ title?: string }} */ (await response.json())
  return title ?? `It was answered ${response.status}.`
}

document.addEventListener('click', (event) => {
  const target = /** @type {Element} */ (event.target).closest('button')
  if (target === null) return
  const { call: path, body = '{}', copy } = target.dataset
  if (path !== undefined) void call(path, body)
  if (copy === undefined) return
  navigator.clipboard.writeText(copy).then(
    () => (status.textContent = 'Code copied.'),
    () => (status.textContent = 'The browser did not let us copy.'),
  )
})

document.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = /** @type {HTMLFormElement} */ (event.target)
  const { call: path = '', body = '{}' } = form.dataset
  const fields = /** @type {Record<string, unknown>} */ (JSON.parse(body))
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string' || value.trim() === '') continue
    fields[name] = name === 'amount' ? value.trim().replace(',', '.') : value.trim()
  }
  // What was refused stays, so that it can be corrected.
  void call(path, JSON.stringify(fields)).then((done) => done && form.reset())
})

async function follow() {
  for (;;) {
    try {
      await refresh()
      // Answers at the first event, or after 15 s, when the times on the page are out of date.
      await fetch(`/_sim/events?after=${last}&limit=1&waitMs=15000`)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2_000))
    }
  }
}

void follow()
