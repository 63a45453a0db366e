// Reads the XML of banks: bounded in size and depth, without entities, and with every value as the text that the bank wrote.
import { XMLParser } from 'fast-xml-parser'
import { textOfXml } from './encoding.ts'
import { kindOfBytes } from './kinds.ts'
import { UnreadableFile } from './unreadable.ts'

/** A statement of a busy account; a larger file is split by the bank. */
export const fileBytesMax = 16 * 1024 * 1024
/** ISO 20022 nests its deepest value about 15 levels deep. */
const depthMax = 40

/** An element: its children by name, always as lists, its text, and its attributes. */
export type Element = {
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyMap<string, readonly Element[]>
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: depthMax,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/** Returns the root element. Throws UnreadableFile, with the reason for a person. */
export function parseXml(bytes: Buffer): { readonly name: string; readonly root: Element } {
  if (bytes.length > fileBytesMax) throw new UnreadableFile(`it is larger than ${fileBytesMax} bytes`)
  const kind = kindOfBytes(bytes)
  if (kind !== undefined) throw new UnreadableFile(`it is no XML but ${kind}`)
  const text = textOfXml(bytes)
  // A document type can define entities that grow without end, or that name files of ours. No bank's file has one.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new UnreadableFile('it has a document type, which no bank sends')
  // The database keeps no such character, and a text with one was not written by a bank's program.
  if (forbidden.test(text)) throw new UnreadableFile('it is no XML: it has a character that XML forbids')
  const nodes = parse(text).filter((node) => nameOf(node) !== '#text')
  const [first, ...more] = nodes
  if (first === undefined || more.length > 0) throw new UnreadableFile('it is no XML document')
  return { name: nameOf(first), root: elementOf(first) }
}

/** XML 1.0 §2.2: of the controls below the space only tabulator, line feed and carriage return. */
const forbidden = /[^\P{Cc}\t\n\r\u007f-\u009f]/u

type Node = Readonly<Record<string, unknown>>

function parse(text: string): readonly Node[] {
  try {
    return parser.parse(text, true) as readonly Node[]
  } catch (error) {
    throw new UnreadableFile(
      `it is no XML: ${error instanceof Error ? error.message : 'it cannot be parsed'}`,
    )
  }
}

function keyOf(node: Node): string {
  return Object.keys(node).find((key) => key !== ':@') ?? '#text'
}

/** Without its prefix, which a bank may choose. The parser itself would drop the namespace with it. */
function nameOf(node: Node): string {
  return keyOf(node).replace(/^[^:]*:/, '')
}

function elementOf(node: Node): Element {
  const content = node[keyOf(node)] as readonly Node[]
  const children = new Map<string, Element[]>()
  let text = ''
  for (const each of content) {
    const name = nameOf(each)
    if (name === '#text') text += String(each['#text'])
    else if (children.get(name)?.push(elementOf(each)) === undefined) children.set(name, [elementOf(each)])
  }
  const attributes = Object.entries((node[':@'] ?? {}) as Readonly<Record<string, unknown>>)
  return {
    text: decoded(text.trim()),
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name, decoded(String(value))])),
    children,
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five entities of XML 1.0 §4.6 and references to characters; any other is left as it is. */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name)] ?? whole
    const code = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal)
    return code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : ''
  })
}

/** Returns the first element at the path, such as `Acct/Id/IBAN`. */
export function find(element: Element | undefined, path: string): Element | undefined {
  return path.split('/').reduce<Element | undefined>((at, name) => at?.children.get(name)?.[0], element)
}

/** Returns all elements of the name directly below. */
export function all(element: Element | undefined, name: string): readonly Element[] {
  return element?.children.get(name) ?? []
}

/** Returns the text at the first of these paths that has one. */
export function textAt(element: Element | undefined, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = find(element, path)?.text
    if (text !== undefined && text !== '') return text
  }
  return undefined
}
