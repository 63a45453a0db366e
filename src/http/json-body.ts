// Turns bytes into a value that later steps can use without checks: UTF-8, well-formed JSON of bounded depth, with text that can be
// stored and numbers that keep their value. Anything else is the caller's fault, and the answer says where it is.
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { escapePointer, findUncleanText, parseJson } from '#/kernel/json.ts'

/** Deeper than any real request needs, and far below the depth at which parsing would exhaust the stack. */
const depthMax = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The media type that we read. JSON is always UTF-8 (RFC 8259 §8.1). */
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i

export function isJsonType(contentType: string): boolean {
  return jsonType.test(contentType)
}

/**
 * The value of the bytes; undefined for no bytes. Fields of the body that are null become absent, and numbers in its `metadata` are
 * kept as they were written.
 */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  const names = countNames(text)
  const exact = parse(text)
  const found = { fields: 0, isPlain: true }
  inspect(exact, found)
  if (names !== found.fields) checkRepeated(text)
  const value = found.isPlain ? exact : fieldsOf(exact)
  // Only an escape can carry text that UTF-8 cannot.
  const escaped = text.includes('\\u')
  const pointer = escaped ? findUncleanText(value) : undefined
  if (pointer !== undefined) refuse(pointer, 'unclean_text', 'holds a NUL or half a surrogate pair')
  if (escaped || text.includes('__proto__')) checkKeys(value, '')
  return value
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return refuse('', 'malformed', 'is not UTF-8')
  }
}

const [quote, colon, comma, backslash] = [0x22, 0x3a, 0x2c, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Scans the text before it is parsed, and refuses it when it is nested too deep. Returns the number of names in it. */
function countNames(text: string): number {
  let depth = 0
  let names = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === quote) {
      index = endOfString(text, index) - 1
      if (isName(text, index + 1)) names += 1
    } else if (unit === openBrace || unit === openBracket) depth += 1
    else if (unit === closeBrace || unit === closeBracket) depth -= 1
    if (depth > depthMax) refuse('', 'too_deep', `is nested deeper than ${depthMax}`)
  }
  return names
}

/** `fields`: the number of names in the text, if no object has a name twice. `isPlain`: nothing in it needs conversion. */
type Found = { fields: number; isPlain: boolean }

/** Counts its fields, and finds out whether it holds null or a number that JavaScript would write differently. */
function inspect(value: unknown, found: Found): void {
  if (typeof value !== 'object') return
  if (value === null || JSON.isRawJSON(value)) found.isPlain = false
  else if (Array.isArray(value)) for (const each of value) inspect(each, found)
  else {
    const fields: unknown[] = Object.values(value)
    found.fields += fields.length
    for (const each of fields) inspect(each, found)
  }
}

type Open = { readonly names: Set<string> | undefined; name: string; index: number }

/** Refuses a name that its object has twice: parsers differ on which of the two counts (RFC 8259 §4). */
function checkRepeated(text: string): void {
  const open: Open[] = []
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const inner = open.at(-1)
    if (unit === quote) {
      const end = endOfString(text, index)
      if (inner?.names !== undefined && isName(text, end)) {
        inner.name = String(JSON.parse(text.slice(index, end)))
        if (inner.names.has(inner.name)) refuse(pointerTo(open), 'repeated', 'is there twice')
        inner.names.add(inner.name)
      }
      index = end - 1
    } else if (unit === openBrace || unit === openBracket)
      open.push({ names: unit === openBrace ? new Set() : undefined, name: '', index: 0 })
    else if (unit === closeBrace || unit === closeBracket) open.pop()
    else if (unit === comma && inner !== undefined) inner.index += 1
  }
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  let end = start + 1
  for (;;) {
    const unit = text.charCodeAt(end)
    if (unit === quote || Number.isNaN(unit)) return end + 1
    end += unit === backslash ? 2 : 1
  }
}

function isName(text: string, end: number): boolean {
  let next = end
  while (isSpace(text.charCodeAt(next))) next += 1
  return text.charCodeAt(next) === colon
}

/** Space, tab, line feed, carriage return (RFC 8259 §2). */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d
}

function pointerTo(open: readonly Open[]): string {
  const names = open.map(({ names, name, index }) => (names === undefined ? String(index) : name))
  return `/${names.map(escapePointer).join('/')}`
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    return refuse('', 'malformed', `is not JSON${error instanceof SyntaxError ? reasonOf(error) : ''}`)
  }
}

/** The parser's own words without the piece of the body that they may quote: `: unexpected token 'b'`. */
function reasonOf({ message }: SyntaxError): string {
  const said = message
    .replace(/, ".*$/s, '')
    .replace(/ in JSON at position \d+/, '')
    .replace(/ (?:of|in) JSON(?: input)?/, '')
  return `: ${said.slice(0, 1).toLowerCase()}${said.slice(1, 200)}`
}

/** A key with this name is an attack on some reader of the value, ours or another's. */
function checkKeys(value: unknown, pointer: string): void {
  if (typeof value !== 'object' || value === null) return
  const entries: [string, unknown][] = Object.entries(value)
  for (const [key, each] of entries) {
    const here = `${pointer}/${escapePointer(key)}`
    if (key === '__proto__') refuse(here, 'not_allowed', 'is not a name that a field may have')
    checkKeys(each, here)
  }
}

/**
 * The body without its null fields, which some languages write for absent ones, and with numbers as JavaScript numbers. Its metadata
 * is the merchant's own and stays as it was written. Refuses an integer beyond 2^53 that is not exact, and a number that is too large.
 */
function fieldsOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || JSON.isRawJSON(body))
    return numbersOf(body, '')
  const entries: [string, unknown][] = Object.entries(body)
  const read = entries
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, unknown] => [
      name,
      name === 'metadata' ? value : numbersOf(value, `/${escapePointer(name)}`),
    ])
  return Object.fromEntries(read)
}

function numbersOf(value: unknown, pointer: string): unknown {
  if (JSON.isRawJSON(value)) return numberOf(value.rawJSON, pointer)
  if (Array.isArray(value)) return value.map((each, index) => numbersOf(each, `${pointer}/${index}`))
  if (typeof value !== 'object' || value === null) return value
  const entries: [string, unknown][] = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, each]) => [name, numbersOf(each, `${pointer}/${escapePointer(name)}`)]),
  )
}

function numberOf(source: string, pointer: string): number {
  const value = Number(source)
  if (!Number.isFinite(value)) refuse(pointer, 'too_large', 'is larger than any number we can keep')
  if (/^-?\d{16,}$/.test(source) && BigInt(source) !== BigInt(value))
    refuse(pointer, 'too_large', 'is an integer that cannot be kept exactly')
  return value
}

function refuse(pointer: string, code: string, message: string): never {
  const fault: FieldFault = { pointer, code, message }
  throw new AppError('invalid_request', `The body cannot be read: ${pointer || 'it'} ${message}.`, {
    faults: [fault],
  })
}
