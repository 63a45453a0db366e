// Keeps the page's live part current, and serves the copy buttons. Without this script the page is complete too: it is then as new as
// its last reload.

/** @typedef {[tag: string, attributes: Record<string, string>, ...children: Child[]]} Markup */
/** @typedef {Markup | string} Child */

const live = byId('live')
const link = byId('link')
const said = byId('said')

// The server describes the page as data, [tag, attributes, ...children], which becomes elements, attributes and text only: no markup
// is parsed here.

/** @type {(child: Child, svg?: boolean) => ChildNode} */
function build(child, svg = false) {
  if (typeof child === 'string') return document.createTextNode(child)
  const [tag, attributes, ...children] = child
  const inSvg = svg || tag === 'svg'
  const namespace = inSvg ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml'
  const element = document.createElementNS(namespace, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.map((each) => build(each, inSvg)))
  return element
}

/**
 * Makes `element` match the description and leaves equal parts alone: focus, selection and opened details stay. A row is found by its
 * key, wherever it moves.
 * @type {(element: Element, markup: Markup) => void}
 */
function patch(element, [, attributes, ...children]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
  const byKey = new Map([...element.children].map((each) => [each.getAttribute('data-key'), each]))
  for (const [index, child] of children.entries()) {
    const present = element.childNodes[index]
    const next = byKey.get(keyOf(child) ?? '') ?? (present && fits(present, child) ? present : build(child))
    if (next !== present) element.insertBefore(next, present ?? null)
    if (typeof child !== 'string') patch(/** @type {Element} */ (next), child)
    else if (next.textContent !== child) next.textContent = child
  }
  while (element.childNodes.length > children.length) element.lastChild?.remove()
}

/** @type {(child: Child) => string | null} */
function keyOf(child) {
  return typeof child === 'string' ? null : (child[1]['data-key'] ?? null)
}

/** @type {(node: Node, child: Child) => boolean} */
function fits(node, child) {
  if (typeof child === 'string') return node instanceof Text
  return (
    node instanceof Element && node.localName === child[0] && node.getAttribute('data-key') === keyOf(child)
  )
}

/** @type {(text: string) => void} */
function show(text) {
  patch(live, /** @type {Markup} */ (JSON.parse(text)))
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
