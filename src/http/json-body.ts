// From bytes to a value that every later step can take as it is: UTF-8, well-formed JSON of bounded depth, with text
// that can be stored and numbers that survive. Whatever is not, is the caller's fault and says where.
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { findUncleanText } from '#/kernel/json.ts'

/** Beyond any honest body, and far below where walking it would exhaust the stack. */
const depthMax = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The media type that we read, in its one meaning: JSON is UTF-8 (RFC 8259 §8.1). */
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i

export function isJsonType(contentType: string): boolean {
  return jsonType.test(contentType)
}

/** The value that the bytes stand for; undefined for no bytes. */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  checkDepth(text)
  const value = parse(text)
  // Only an escape can smuggle in text that UTF-8 could not carry.
  const escaped = text.includes('\\u')
  const pointer = escaped ? findUncleanText(value) : undefined
  if (pointer !== undefined) refuse(pointer, 'unclean_text', 'holds a NUL or half a surrogate pair')
  if (escaped || text.includes('__proto__')) checkKeys(value, '')
  if (/\d{16}|\d[eE]\+?\d{3}/.test(text)) checkNumbers(text)
  return value
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return refuse('', 'malformed', 'is not UTF-8')
  }
}

/** Counts brackets outside of strings before anything walks the value. */
function checkDepth(text: string): void {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (inString) {
      if (unit === 0x5c) index += 1
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) depth += 1
    else if (unit === 0x7d || unit === 0x5d) depth -= 1
    if (depth > depthMax) refuse('', 'too_deep', `is nested deeper than ${depthMax}`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuse('', 'malformed', error instanceof SyntaxError ? error.message.slice(0, 200) : 'is not JSON')
  }
}

/** A key with this name is an attack on some reader of the value, ours or another's. */
function checkKeys(value: unknown, pointer: string): void {
  if (typeof value !== 'object' || value === null) return
  const entries: [string, unknown][] = Object.entries(value)
  for (const [key, each] of entries) {
    const here = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (key === '__proto__') refuse(here, 'not_allowed', 'is not a name that a field may have')
    checkKeys(each, here)
  }
}

/** Numbers are echoed, so one that JavaScript would change is refused: an integer beyond 2^53 that is not exact, or too large. */
function checkNumbers(text: string): void {
  JSON.parse(text, (key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value
    if (!Number.isFinite(value)) refuse(`/${key}`, 'too_large', 'is larger than any number we can keep')
    const source = context?.source ?? ''
    const changed = /^-?\d{16,}$/.test(source) && BigInt(source) !== BigInt(value)
    if (changed) refuse(`/${key}`, 'too_large', 'is an integer that cannot be kept exactly; send it as text')
    return value
  })
}

function refuse(pointer: string, code: string, message: string): never {
  const fault: FieldFault = { pointer, code, message }
  throw new AppError('invalid_request', `The body cannot be read: ${pointer || 'it'} ${message}.`, {
    errors: [fault],
  })
}
