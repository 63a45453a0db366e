// Makes the page's buttons work and keeps the page current. The server describes it as data, [tag, attributes, ...children],
// from which only elements, attributes and text are made.

/** @typedef {[tag: string, attributes: Record<string, string>, ...children: Child[]]} Markup */
/** @typedef {Markup | string} Child */

const live = /** @type {HTMLElement} */ (document.getElementById('live'))
const status = /** @type {HTMLElement} */ (document.getElementById('status'))

/** @type {(child: Child, svg?: boolean) => ChildNode} */
function build(child, svg = false) {
  if (typeof child === 'string') return document.createTextNode(child)
  const [tag, attributes, ...children] = child
  const inSvg = svg || tag === 'svg'
  const element = document.createElementNS(`http://www.w3.org/${inSvg ? '2000/svg' : '1999/xhtml'}`, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.map((each) => build(each, inSvg)))
  return element
}

/**
 * Makes the children of `element` as described. Equal parts stay, and with them focus, typed text and opened sections.
 * @type {(element: Element, children: Child[]) => void}
 */
function patch(element, children) {
  const existing = new Map([...element.children].map((each) => [each.getAttribute('data-key'), each]))
  for (const [index, child] of children.entries()) {
    const present = element.childNodes[index]
    const next =
      existing.get(keyOf(child) ?? '') ?? (present && fits(present, child) ? present : build(child))
    if (next !== present) element.insertBefore(next, present ?? null)
    if (typeof child === 'string') {
      if (next.textContent !== child) next.textContent = child
      continue
    }
    const [, attributes, ...inner] = child
    const made = /** @type {Element} */ (next)
    for (const [name, value] of Object.entries(attributes))
      if (made.getAttribute(name) !== value) made.setAttribute(name, value)
    patch(made, inner)
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

let last = 0

async function refresh() {
  const response = await fetch('/live')
  const described = /** @type {{ last: number, children: Child[] }} */ (await response.json())
  last = described.last
  patch(live, described.children)
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
