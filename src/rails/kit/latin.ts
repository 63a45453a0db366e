// Writes a text in the letters that banks' files and codes take. Names come in every alphabet of Europe, and a recipient whose name is
// replaced by full stops is refused by the bank that compares it (verification of payee).
import anyAscii from 'any-ascii'

/** Signs that only change the sound before them: written out, they would be apostrophes inside a name. */
const silent = /[ЪЬъь]/g

/**
 * Alphabets that are written letter by letter. Scripts without vowels, and those whose signs are read in several ways, would make another
 * name of it.
 */
const written =
  /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}\p{sc=Common}\p{sc=Inherited}]/u

/** In printable ASCII, on one line. Other alphabets become the letters that sound alike; what has no such form is left out. */
export function inAscii(text: string): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(silent, '')
    .replaceAll(/\P{ASCII}/gu, asciiOf)
  return plain
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^ -~]/g, '')
    .trim()
}

function asciiOf(sign: string): string {
  const ascii = written.test(sign) ? anyAscii(sign) : ''
  // A picture has a name, such as `:grinning:`, which is no part of anybody's name.
  return /^:.+:$/.test(ascii) ? '' : ascii
}

/** What the EPC's conversion table (EPC217-08) and its users make of signs that are ASCII and not of SEPA. */
const signs: ReadonlyMap<string, string> = new Map([
  ['&', '+'],
  ['@', '(at)'],
  ['_', '-'],
  ['~', '-'],
  ['"', "'"],
  ['`', "'"],
  [';', ','],
  ['[', '('],
  ['{', '('],
  [']', ')'],
  ['}', ')'],
  ['<', '('],
  ['>', ')'],
  ['|', '/'],
  ['\\', '/'],
])

/**
 * In the characters that every bank of SEPA takes (EPC217-08), at most `max` of them. A slash is neither first nor last, and there are
 * no two together: they divide parts of a field between banks (EPC132-08 §1.4).
 */
export function inSepaLatin(text: string, max: number): string {
  const plain = inAscii(text).replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, (sign) => signs.get(sign) ?? '.')
  return withoutEdges(withoutEdges(plain.replaceAll(/\/(?:\s*\/)+/g, '/')).slice(0, max))
}

function withoutEdges(text: string): string {
  return text.replaceAll(/^[/\s]+|[/\s]+$/g, '')
}

/** Whether a letter is left of a name in the characters of SEPA: a name without one names nobody. */
export function hasLetters(name: string, max: number): boolean {
  return /[A-Za-z]/.test(inSepaLatin(name, max))
}
