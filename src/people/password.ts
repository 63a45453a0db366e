// Passwords, as they are stored: Argon2id (RFC 9106) in the PHC format, which keeps the parameters, so that they can be raised.
import { argon2, randomBytes, type Argon2Parameters } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AppError } from '#/kernel/error.ts'
import { equalSecrets } from '#/kernel/secret.ts'
import { secondMs } from '#/kernel/time.ts'
import { refusal } from './refusal.ts'

/** What a hash costs: `memory` in KiB. */
type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>

/** The same, and what computes it. */
export type PasswordCost = Cost & {
  /** Default: Node's. A test counts its calls. */
  readonly argon2id?: (parameters: Argon2Parameters) => Promise<Buffer>
}

/** OWASP's Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. */
const usualCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagBytes = 32
const saltBytes = 16

/** How many hashes are computed at once: each takes a core for tens of milliseconds, which other work then lacks. */
const atOnceMax = 2
/** How many may wait. A flood is refused at once instead of being answered minutes later. */
const waitingMax = 40

let running = 0
const waiting: (() => void)[] = []

/** The stored form of a password. */
export async function hashPassword(password: string, cost = usualCost): Promise<string> {
  const salt = randomBytes(saltBytes)
  return phcOf(cost, salt, await derive(password, salt, { ...cost, tagLength: tagBytes }, cost))
}

/** What a stored password says of a given one. `isOutdated`: it should be hashed again, with the present cost. */
type PasswordCheck = { readonly isRight: boolean; readonly isOutdated: boolean }

/**
 * Compares a password with a stored hash. `stored` is undefined when there is no such user or no password: then the answer is no after the
 * same work, so that its time does not reveal the reason.
 */
export async function checkPassword(
  stored: string | undefined,
  password: string,
  cost = usualCost,
): Promise<PasswordCheck> {
  const parsed = stored === undefined ? undefined : parse(stored)
  if (parsed === undefined) {
    await derive(password, randomBytes(saltBytes), { ...cost, tagLength: tagBytes }, cost)
    return { isRight: false, isOutdated: false }
  }
  const { parameters, salt, tag } = parsed
  const derived = await derive(password, salt, { ...parameters, tagLength: tag.length }, cost)
  const isRight = equalSecrets(tag, derived)
  return { isRight, isOutdated: phcOf(cost, salt, tag) !== phcOf(parameters, salt, tag) }
}

async function derive(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism, tagLength }: Cost & { readonly tagLength: number },
  { argon2id = ofNode }: PasswordCost,
): Promise<Buffer> {
  await enter()
  try {
    // One text has several encodings, and keyboards differ in which they make.
    const message = password.normalize('NFKC')
    return await argon2id({ message, nonce, tagLength, memory, passes, parallelism })
  } finally {
    leave()
  }
}

function ofNode(parameters: Argon2Parameters): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  argon2('argon2id', parameters, (error, key) => (error === null ? resolve(key) : reject(error)))
  return promise
}

async function enter(): Promise<void> {
  if (running < atOnceMax) {
    running += 1
    return
  }
  if (waiting.length >= waitingMax)
    throw new AppError('unavailable', 'Very many people sign in right now.', { retryAfterMs: secondMs })
  const turn = Promise.withResolvers<void>()
  waiting.push(turn.resolve)
  await turn.promise
}

/** Gives the place to the one that has waited longest. */
function leave(): void {
  const next = waiting.shift()
  if (next === undefined) running -= 1
  else next()
}

/** `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, as the reference implementation writes it. */
function phcOf({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

function parse(stored: string) {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (found === null) return undefined
  const [, memory = '', passes = '', parallelism = '', salt = '', tag = ''] = found
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

// Which passwords are accepted: long ones that are not among those that everyone tries first. No rule about kinds of characters, as
// NIST SP 800-63B asks.

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
type PasswordFault = 'too_short' | 'too_long' | 'too_common' | 'too_simple' | 'names_you'

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
