// Card numbers must never reach us. Request bodies are searched for them, so that a card number that was sent by mistake is
// refused before it is stored. In logs, texts that look like one are masked.
import { escapePointer } from './json.ts'

/** Whether a text or a name counts as a card number. `names`: the names of the fields around it. */
export type Judge = (text: string, names: readonly string[]) => boolean

/**
 * Returns the JSON pointer (RFC 6901) of the first text, number or name in `value` that counts as a card number. Default of
 * `isCard`: a text that contains one in any notation.
 */
export function findCardNumber(
  value: unknown,
  pointer = '',
  isCard: Judge = holdsCardNumber,
  names: readonly string[] = [],
): string | undefined {
  const text = textOf(value)
  if (text !== undefined) return isCard(text, names) ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const entries: [string, unknown][] = Object.entries(value)
  for (const [name, each] of entries) {
    // Not the pointer of the name itself, because it would contain the card number.
    if (isCard(name, names)) return pointer
    const found = findCardNumber(each, `${pointer}/${escapePointer(name)}`, isCard, [...names, name])
    if (found !== undefined) return found
  }
  return undefined
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (!JSON.isRawJSON(value)) return undefined
  // The original text, and the number that a parser makes of it.
  return `${value.rawJSON} ${Number(value.rawJSON)}`
}

/**
 * Whether the text contains digits that look like a card number, alone or among other words and numbers: 13 to 19 digits, also
 * full-width ones, with spaces, dots or hyphens between them, in the range and length of a card network, with a valid check
 * digit (ISO/IEC 7812-1, Annex B). Of other numbers with so many digits, one in a few hundred matches. UUIDs never match.
 */
export function holdsCardNumber(text: string): boolean {
  return holds(text, () => true)
}

/** The same, if the digits are grouped as on a printed card: 4-4-4-4, 4-6-5 and the like. */
export function holdsGroupedCardNumber(text: string): boolean {
  return holds(text, isPrintedSo)
}

function isPrintedSo(groups: readonly string[]): boolean {
  const [first = '', ...others] = groups
  if (others.length === 1) return first.length === 6 && others[0]?.length === 13
  return (
    first.length === 4 &&
    others.length >= 2 &&
    others.length <= 4 &&
    others.every(({ length }) => length <= 6)
  )
}

/** Replaces each digit but the last four of texts that look like card numbers by an asterisk. */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(uuidOrRun, (found: string, uuid: string | undefined) =>
    uuid !== undefined || !holdsCardNumber(found) ? found : found.replaceAll(maskable, '*'),
  )
}

function holds(text: string, isSo: (groups: readonly string[]) => boolean): boolean {
  const runs = plain(text).replaceAll(uuids, '').match(digitRuns) ?? []
  return runs.some((run) => {
    const groups = run.split(betweenGroups)
    return groups.some((_, first) => startsCardNumber(groups, first, isSo))
  })
}

/** Replaces full-width characters by the usual ones, and removes invisible characters. */
function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
}

const between = String.raw`[\s.·\u2212\p{Pd}]{1,3}`
const betweenGroups = new RegExp(between, 'u')
const uuid = String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`
const uuids = new RegExp(uuid, 'giu')
/** Groups of digits that are not part of a word, such as the hash of a transaction. */
const digitRuns = new RegExp(String.raw`(?<![0-9A-Za-z])\d+(?:${between}\d+)*(?![0-9A-Za-z])`, 'gu')

/** The same in the original text. */
const digit = '[0-9\uff10-\uff19]'
const gap = String.raw`[\s.·\uff0e\u2212\p{Pd}\p{Cf}]{0,9}`
const uuidOrRun = new RegExp(
  String.raw`(${uuid})|(?<![0-9A-Za-z])${digit}(?:${gap}${digit})*(?![0-9A-Za-z])`,
  'giu',
)
/** A digit with at least four more after it. */
const maskable = new RegExp(`${digit}(?=(?:${gap}${digit}){4})`, 'gu')

/** Whether the groups from `first` on, joined, are a card number. An expiry date may follow. */
function startsCardNumber(
  groups: readonly string[],
  first: number,
  isSo: (groups: readonly string[]) => boolean,
): boolean {
  let digits = ''
  for (let last = first; last < groups.length; last += 1) {
    digits += groups[last] ?? ''
    if (digits.length > 19) return false
    if (digits.length < 13 || !ranges.test(digits) || !hasCheckDigit(digits)) continue
    if (isSo(groups.slice(first, last + 1))) return true
  }
  return false
}

/** First digits and lengths of the networks' card numbers. */
const ranges = new RegExp(
  [
    // Visa.
    String.raw`4(?:\d{12}|\d{15}|\d{18})`,
    // Mastercard.
    String.raw`(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})`,
    // American Express; Diners; JCB.
    String.raw`3[47]\d{13}`,
    String.raw`3(?:0[0-59]|[689]\d)\d{11,16}`,
    String.raw`35\d{14,17}`,
    // Maestro, Discover, UnionPay, Elo, Hipercard.
    String.raw`(?:50|5[6-8]|6\d)\d{11,17}`,
  ]
    .map((range) => `^${range}$`)
    .join('|'),
)

/** The Luhn formula: from the right, every second digit counts twice. */
function hasCheckDigit(digits: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const counted = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (counted > 9 ? counted - 9 : counted)
    }, 0)
  return sum % 10 === 0
}
