// Which passwords are accepted: long ones that are not among those that everyone tries first. No rule about kinds of characters, as
// NIST SP 800-63B asks.
import { readFileSync } from 'node:fs'
import { refusal } from './refusal.ts'

const passwordMin = 12
const passwordMax = 256

const list = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
const common: ReadonlySet<string> = new Set(
  list
    .slice(list.indexOf('\n\n') + 2)
    .split('\n')
    .filter(Boolean),
)

/** Words that a guesser tries first at this service. */
const ownWords = ['vintem', 'vintém']

/** A password with fewer characters than this, besides words that a guesser knows, is no secret. */
const ownCharactersMin = 6
const differentCharactersMin = 5

/** What is wrong with a password. `known`: words that a guesser knows, such as the email and the name. */
export type PasswordFault = 'too_short' | 'too_long' | 'too_common' | 'too_simple' | 'names_you'

/** Why a password is not accepted; undefined when it is. */
export function faultOfPassword(password: string, known: readonly string[]): PasswordFault | undefined {
  const text = password.normalize('NFKC').toLowerCase()
  const length = Array.from(password).length
  if (length < passwordMin) return 'too_short'
  if (length > passwordMax) return 'too_long'
  if (new Set(text).size < differentCharactersMin) return 'too_simple'
  // `Password12345!` is `password` to everyone who guesses.
  const stem = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (common.has(text) || common.has(stem) || isRepeated(text)) return 'too_common'
  const rest = wordsOf(known).reduce((remaining, word) => remaining.replaceAll(word, ''), text)
  if (rest !== text && Array.from(rest.replaceAll(/[^\p{L}]/gu, '')).length < ownCharactersMin)
    return 'names_you'
  return undefined
}

/** Throws what is wrong with a new password, as a fault of the field `password`. */
export function requireGoodPassword(password: string, known: readonly string[]): void {
  const fault = faultOfPassword(password, known)
  if (fault === undefined) return
  const message = messages[fault]
  throw refusal('bad_password', `The password ${message}.`, {
    faults: [{ pointer: '/password', code: fault, message }],
  })
}

const messages: Readonly<Record<PasswordFault, string>> = {
  too_short: `must have at least ${passwordMin} characters`,
  too_long: `must have at most ${passwordMax} characters`,
  too_common: 'is one of those that are tried first: choose another',
  too_simple: `must have at least ${differentCharactersMin} different characters`,
  names_you: 'contains little more than your name, your email or the name of this product',
}

/** Whether it is a common password, repeated twice or more. */
function isRepeated(text: string): boolean {
  for (let times = 2; times <= 4; times += 1) {
    const part = text.slice(0, text.length / times)
    if (part.repeat(times) === text && common.has(part)) return true
  }
  return false
}

/** The longest first, so that a part of a word does not leave its rest behind. */
function wordsOf(known: readonly string[]): readonly string[] {
  const words = known.flatMap((each) => [each.toLowerCase(), ...each.toLowerCase().split(/[^\p{L}\p{N}]+/u)])
  return [...ownWords, ...words].filter((word) => word.length >= 3).toSorted((a, b) => b.length - a.length)
}
