// The creditor reference of ISO 11649: RF, two check digits and a code of ours. The code is random and stored, and not derived from
// an id: it reveals nothing to a payer, and two payments never share one.
import { randomBytes } from 'node:crypto'

/** Without I, L, O and U, which are mistaken for other signs when they are typed. 32 signs: five bits each, all equally likely. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const signs = Array.from(alphabet)
/** ISO 11649 allows 21. With 16, a reference is five groups of four; 80 random bits never meet twice. */
const codeLength = 16
const length = 4 + codeLength

/** Returns a new reference, without spaces. */
export function newReference(): string {
  return referenceOf([...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join(''))
}

/** Returns the reference with this code: the check digits are 98 − (code + RF00 mod 97), letters counted as 10 to 35 (ISO 7064). */
export function referenceOf(code: string): string {
  return `RF${String(98n - remainder(`${code}RF00`)).padStart(2, '0')}${code}`
}

/** Whether the check digits of a reference without spaces fit. Of anybody's reference, not only of ours. */
export function isReference(text: string): boolean {
  return /^RF\d{2}[0-9A-Z]{1,21}$/.test(text) && remainder(`${text.slice(4)}${text.slice(0, 4)}`) === 1n
}

function remainder(text: string): bigint {
  return BigInt(text.replaceAll(/[A-Z]/g, (letter) => String(parseInt(letter, 36)))) % 97n
}

/** Returns the reference in the groups of four in which it is printed. */
export function inGroups(reference: string): string {
  return reference.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** The longest text that is searched: banks join every line of a message into one text, and put the reference behind it. */
const searchedMax = 20_000

/**
 * Returns every text that may be a reference of ours in what a payer wrote, whatever its spaces, case and hyphens, and also where
 * a bank cut it between subfields. Nothing marks the end of a reference among other words, so ours are found by their length.
 */
export function candidatesIn(text: string): readonly string[] {
  const found = writingsOf(text).flatMap((written) =>
    [...written.matchAll(/RF/g)].map(({ index }) => written.slice(index, index + length)),
  )
  return [...new Set(found.filter((each) => each.length === length && isReference(each)))]
}

/**
 * Returns the references that differ from what the payer wrote by one character (wrong, added or missing) or by two neighbours in
 * the wrong order. About one in a hundred of such texts has correct check digits; only those are returned.
 */
export function neighboursIn(text: string): readonly string[] {
  const near = new Set<string>()
  for (const written of writingsOf(text))
    for (const piece of piecesOf(written)) for (const each of editsOf(piece)) if (isOurs(each)) near.add(each)
  return [...near]
}

/** The parts of a text that may be a reference with a character too few or too many. */
function piecesOf(written: string): readonly string[] {
  return [...startsIn(written)].flatMap((start) =>
    [length - 1, length, length + 1]
      .filter((size) => start + size <= written.length)
      .map((size) => written.slice(start, start + size)),
  )
}

/** A normal text has few places where a reference can begin. A text that has more of them is not searched further. */
const startsMax = 12

/** Where a reference with one typo can begin: an R or F, or the place before it, and a check digit soon after. */
function startsIn(written: string): Iterable<number> {
  const letters = [...written.matchAll(/[RF]/g)].map(({ index }) => index)
  const starts = new Set(letters.flatMap((at) => [at - 1, at]))
  // At least one of the two check digits is there, within the first five signs.
  return [...starts].filter((at) => /\d/.test(written.slice(at, at + 5))).slice(0, 2 * startsMax)
}

function isOurs(text: string): boolean {
  return text.length === length && isReference(text)
}

/** The texts as long as a reference that one edit makes: a sign added to a short text, taken from a long one, or another or moved in one that is as long. */
function* editsOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)]
    switch (text.length) {
      case length - 1:
        for (const sign of signs) yield before + sign + after
        break
      case length:
        for (const sign of signs) yield before + sign + after.slice(1)
        yield before + after.charAt(1) + after.charAt(0) + after.slice(2)
        break
      case length + 1:
        yield before + after.slice(1)
    }
  }
}

/** The text without spaces and marks. A text in subfields (`?20`, `?21` and so on, as in MT940) also without their numbers. */
function writingsOf(text: string): readonly string[] {
  const searched = text.slice(0, searchedMax)
  const whole = squeezed(searched)
  const isInFields = /\?[2-6]\d/.test(searched)
  return isInFields ? [whole, squeezed(searched.replaceAll(/\?[2-6]\d/g, ''))] : [whole]
}

function squeezed(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}
