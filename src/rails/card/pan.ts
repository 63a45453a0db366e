// Card numbers never reach us. What a caller sends is searched for them, so that one that comes by mistake is refused
// before it is kept anywhere.

/**
 * The JSON pointer (RFC 6901) of the first text, number or key in `value` that holds what looks like a card number: 13 to
 * 19 digits, with single spaces or hyphens between them, of a card network's range and length, whose check digit holds
 * (ISO/IEC 7812-1, Annex B). Other numbers of that form are one in a few hundred. UUIDs are never taken for one.
 */
export function findCardNumber(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return holdsCardNumber(value) ? pointer : undefined
  if (typeof value === 'number' || typeof value === 'bigint')
    return holdsCardNumber(String(value)) ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const entries: [string, unknown][] = Object.entries(value)
  for (const [key, each] of entries) {
    const here = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    // The pointer to a key that is one would repeat it.
    if (holdsCardNumber(key)) return pointer
    const found = findCardNumber(each, here)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether the text holds what looks like a card number, alone or among other words and numbers. */
export function holdsCardNumber(text: string): boolean {
  const runs = text.replaceAll(uuids, '').match(digitRuns) ?? []
  return runs.some((run) => {
    const groups = run.split(/[ -]/)
    return groups.some((_, first) => startsCardNumber(groups, first))
  })
}

const uuids = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Groups of digits, not part of a word, as in the name of a transaction. */
const digitRuns = /(?<![0-9A-Za-z])\d+(?:[ -]\d+)*(?![0-9A-Za-z])/g

/** Whether groups from the first on, put together, are one. An expiry date may follow. */
function startsCardNumber(groups: readonly string[], first: number): boolean {
  let digits = ''
  for (const group of groups.slice(first, first + 19)) {
    digits += group
    if (digits.length > 19) return false
    if (digits.length >= 13 && ranges.test(digits) && hasCheckDigit(digits)) return true
  }
  return false
}

/** First digits and lengths that the networks give out. */
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
