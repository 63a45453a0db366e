// The content of a page as plain data: a server writes it as HTML, and a browser's script can build elements from it.

/** `[tag, attributes, ...children]`. A child that is text is escaped, so no text from outside becomes markup. */
export type Markup = readonly [tag: string, attributes: Attributes, ...children: Child[]]
export type Child = Markup | string
export type Attributes = Readonly<Record<string, string>>

/** Elements that have no end tag (HTML, 13.1.2). */
const voids = new Set(['base', 'meta', 'link', 'br', 'hr', 'img', 'input'])

/** The markup as HTML. */
export function toHtml(child: Child): string {
  if (typeof child === 'string') return escape(child)
  const [tag, attributes, ...children] = child
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`)
  const start = `<${tag}${written.join('')}>`
  return voids.has(tag) ? start : `${start}${children.map(toHtml).join('')}</${tag}>`
}

/** Escapes `text` for HTML, between tags or within quotes. */
export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
