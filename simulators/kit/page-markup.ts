// A page as data: [tag, attributes, ...children]. The server writes it as HTML. The browser fetches the live part as JSON and
// changes only what differs.

export type Attributes = Readonly<Record<string, string>>
export type Markup = readonly [tag: string, attributes: Attributes, ...children: Child[]]
export type Child = Markup | string

const empty: ReadonlySet<string> = new Set(['meta', 'link', 'input'])

export function toHtml(child: Child): string {
  if (typeof child === 'string') return escape(child)
  const [tag, attributes, ...children] = child
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`)
  const start = `<${tag}${written.join('')}>`
  return empty.has(tag) ? start : `${start}${children.map(toHtml).join('')}</${tag}>`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
