// Keeps the page's live part current, and copies what a copy button says. Without this script the page is complete too:
// it is then as new as its last refresh.
'use strict'

const live = document.getElementById('live')
const link = document.getElementById('link')
const said = document.getElementById('said')

// What the server describes is data, [tag, attributes, ...children], and only ever becomes elements, attributes and
// text: no markup is parsed here.

function build(child, svg) {
  if (typeof child === 'string') return document.createTextNode(child)
  const [tag, attributes, ...children] = child
  const inSvg = svg || tag === 'svg'
  const element = inSvg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.map((each) => build(each, inSvg)))
  return element
}

/** Makes `element` what the description says and leaves alone what is so already: focus, selection and open details stay. */
function patch(element, [, attributes, ...children]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
  const known = new Map()
  for (const node of element.children) if (node.dataset?.key) known.set(node.dataset.key, node)
  for (const [index, child] of children.entries()) {
    const present = element.childNodes[index]
    const next = known.get(child[1]?.['data-key']) ?? (fits(present, child) ? present : build(child, false))
    if (next !== present) element.insertBefore(next, present ?? null)
    if (typeof child !== 'string') patch(next, child)
    else if (next.data !== child) next.data = child
  }
  while (element.childNodes.length > children.length) element.lastChild.remove()
}

function fits(node, child) {
  if (typeof child === 'string') return node?.nodeType === Node.TEXT_NODE
  return node?.localName === child[0] && node.dataset?.key === child[1]['data-key']
}

function show(text) {
  patch(live, JSON.parse(text))
}

function say(state, words) {
  link.dataset.state = state
  link.lastChild.textContent = words
}

// Server-sent events; where they cannot be had, a question every two seconds, and less often while nobody answers.

let pauseMs = 2_000

async function look() {
  try {
    const response = await fetch('/sandbox/state', { cache: 'no-store' })
    if (!response.ok) throw new Error(String(response.status))
    show(await response.text())
    pauseMs = 2_000
    say('live', 'Live')
  } catch {
    pauseMs = Math.min(pauseMs * 2, 30_000)
    say('away', 'The server does not answer')
  }
}

async function poll() {
  await look()
  setTimeout(poll, pauseMs)
}

function listen() {
  if (!('EventSource' in window)) return void poll()
  const source = new EventSource('/sandbox/live')
  source.onopen = () => say('live', 'Live')
  source.onmessage = (event) => show(event.data)
  source.onerror = () => {
    say('away', 'The server does not answer')
    if (source.readyState === EventSource.CLOSED) void poll()
  }
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && source.readyState !== EventSource.OPEN) void look()
  })
}

document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]')
  if (!button || button.dataset.done) return
  const label = button.querySelector('span')
  const words = label.textContent
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    label.textContent = 'Copied'
  } catch {
    // Without a secure connection the clipboard is closed to pages: the person's own command still works.
    getSelection().selectAllChildren(document.getElementById(button.getAttribute('aria-controls')))
    label.textContent = 'Selected'
  }
  said.textContent = label.textContent
  button.dataset.done = 'yes'
  setTimeout(() => {
    label.textContent = words
    said.textContent = ''
    delete button.dataset.done
  }, 1_600)
})

listen()
