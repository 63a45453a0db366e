// Builds the live part of a page, and changes only what differs. The server describes it as data, [tag, attributes, ...children], which
// becomes elements, attributes and text only: no markup is parsed here.

/** @typedef {[tag: string, attributes: Record<string, string>, ...children: Child[]]} Markup */
/** @typedef {Markup | string} Child */

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
 * Makes the children of `element` as described, and leaves equal parts alone: focus, typed text, selection and opened details stay. A part
 * with a key is found by it, wherever it moves.
 * @type {(element: Element, children: Child[]) => void}
 */
export function patch(element, children) {
  const byKey = new Map([...element.children].map((each) => [each.getAttribute('data-key'), each]))
  for (const [index, child] of children.entries()) {
    const present = element.childNodes[index]
    const next = byKey.get(keyOf(child) ?? '') ?? (present && fits(present, child) ? present : build(child))
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
