// JSON, exactly: integers of any size out, one canonical form in.

declare global {
  // Not yet in TypeScript's own library; ECMAScript proposal-json-parse-with-source.
  interface JSON {
    rawJSON(text: string): unknown
    isRawJSON(value: unknown): value is { readonly rawJSON: string }
  }
}

/**
 * A number that JavaScript would write in another way than this may stand in the text. Numbers follow a member's name and its
 * colon, a comma, a bracket, or nothing (RFC 8259 §2); identifiers and times within strings, which look alike, do not.
 */
const mayChange = /(?:^|"\s*:|[[,])\s*(?:-0|-?\d+[.eE]|-?\d{16})/

/**
 * The value of a JSON text in which no number is changed: one that JavaScript writes as it stands there is a number, any
 * other a `JSON.rawJSON` of its text, which `JSON.stringify` writes as it was. Throws a SyntaxError when it is no JSON.
 */
export function parseJson(text: string): unknown {
  if (!mayChange.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    return typeof value !== 'number' || source === undefined || String(value) === source
      ? value
      : JSON.rawJSON(source)
  })
}

/** JSON text in which a bigint is written as the integer it is. Absent fields stay absent. `indent`: blanks of each level. */
export function toJson(value: unknown, indent?: number): string {
  try {
    // Five times as fast, and right as long as there is no bigint: then it throws.
    return JSON.stringify(value, undefined, indent)
  } catch {
    const exact = (_key: string, each: unknown) =>
      typeof each === 'bigint' ? JSON.rawJSON(each.toString()) : each
    return JSON.stringify(value, exact, indent)
  }
}

/**
 * The one text that stands for all JSON texts of the same value: keys sorted by UTF-16 units (RFC 8785 §3.2.3), and numbers
 * by their exact value, whatever the digits.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return canonicalNumber(value.toString())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (JSON.isRawJSON(value)) return canonicalNumber(value.rawJSON)
  const fields = value as Readonly<Record<string, unknown>>
  const members: string[] = []
  for (const name of Object.keys(value).toSorted()) {
    const field = fields[name]
    if (field !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(field)}`)
  }
  return `{${members.join(',')}}`
}

/** As JavaScript writes the number, when that is the same value; else its digits and the power of ten behind them. */
function canonicalNumber(source: string): string {
  const rounded = Number(source)
  const exact = exactNumber(source)
  return Number.isFinite(rounded) && exactNumber(String(rounded)) === exact ? JSON.stringify(rounded) : exact
}

function exactNumber(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = whole + fraction
  let [start, end] = [0, digits.length]
  while (start < end && digits[start] === '0') start += 1
  while (start < end && digits[end - 1] === '0') end -= 1
  if (start === end) return '0'
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end)
  return `${sign}${digits.slice(start, end)}e${power}`
}

/** The name as a JSON pointer has it (RFC 6901 §3). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/**
 * Whether every string and key in `value` can be stored: no NUL, which PostgreSQL has no place for, and no lone
 * surrogate, which UTF-8 has none for. Answers the JSON pointer of the first that cannot.
 */
export function findUncleanText(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const entries: [string, unknown][] = Object.entries(value)
  for (const [key, each] of entries) {
    const here = `${pointer}/${escapePointer(key)}`
    const unclean = findUncleanText(key, here) ?? findUncleanText(each, here)
    if (unclean !== undefined) return unclean
  }
  return undefined
}
