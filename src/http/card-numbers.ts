// Card numbers never reach us (decision 57). A body that holds one by mistake is refused before any other code reads it.
import { findCardNumber, holdsCardNumber, holdsGroupedCardNumber, type Judge } from '#/kernel/card-number.ts'
import { AppError } from '#/kernel/error.ts'
import { escapePointer } from '#/kernel/json.ts'
import { parseTaxId } from '#/kernel/tax-id.ts'

/** Thirteen digits, with other characters between them or not: fewer digits cannot be a card number. */
const thirteenDigits = /\d(?:[^"A-Za-z\d]{0,6}\d){12}/

/** A digit and twelve characters without a letter or a quote: most bodies have none, and this check takes a fifth of the time. */
const longEnough = new RegExp(`\\d${'[^"A-Za-z]'.repeat(12)}`)

/** A character outside ASCII may stand for a digit, and a security code has fewer digits. */
const saysMore = /[^ -~\s]|cv[vc]/i

/** Whether a closer check is needed. An escape may stand for any character. */
function mayHold(text: string): boolean {
  if (text.includes('\\') || saysMore.test(text)) return true
  return longEnough.test(text) && thirteenDigits.test(text)
}

/**
 * Refuses a body that holds what looks like a card number (400, `card_number`). `text` is the body as it came, its bytes as
 * characters. These are not card numbers:
 * - bare digits in metadata and idempotency keys, which are the merchant's own: there only digits grouped as on a card are refused,
 *   and digits under a name that says card;
 * - an amount, which is a number;
 * - a whole text that is a CPF or CNPJ by its check digits.
 */
export function refuseCardNumbers(text: string, body: unknown): void {
  if (!mayHold(text)) return
  const pointer = isObject(body) ? findInBody(body) : findCardNumber(body)
  if (pointer !== undefined) throw cardNumberRefused(pointer)
}

/** The same for a key in the header. */
export function refuseCardNumberAsKey(key: string): void {
  if (holdsGroupedCardNumber(key)) throw cardNumberRefused('')
}

function cardNumberRefused(pointer: string): AppError {
  const fault = { pointer, code: 'card_number', message: 'looks like a card number or its security code' }
  return new AppError('invalid_request', 'Card numbers are never sent here. Nothing of the body was kept.', {
    faults: [fault],
  })
}

/**
 * Where the card number is. A list of records, such as the withdrawals of a batch, is judged record by record, as each record alone would
 * be.
 */
function findInBody(body: Readonly<Record<string, unknown>>, at = ''): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (holdsCardNumber(name)) return at
    if (name === 'amount' && typeof value === 'number') continue
    const here = `${at}/${escapePointer(name)}`
    const judge = judges.get(name)
    const found =
      judge === undefined && Array.isArray(value)
        ? findInList(value, here)
        : findCardNumber(value, here, judge ?? isAny)
    if (found !== undefined) return found
  }
  return undefined
}

function findInList(list: readonly unknown[], at: string): string | undefined {
  for (const [place, each] of list.entries()) {
    const here = `${at}/${place}`
    const found = isObject(each) ? findInBody(each, here) : findCardNumber(each, here, isAny)
    if (found !== undefined) return found
  }
  return undefined
}

const isAny: Judge = (text) => parseTaxId(text) === undefined && holdsCardNumber(text)

const isGrouped: Judge = (text) => parseTaxId(text) === undefined && holdsGroupedCardNumber(text)

const isInMetadata: Judge = (text, names) => {
  if (names.some(saysCode) && /^\D*\d{3,4}\D*$/.test(text)) return true
  return names.some(saysCard) ? isAny(text, names) : isGrouped(text, names)
}

/** A map, because a body may have a field called `valueOf`. */
const judges: ReadonlyMap<string, Judge> = new Map([
  ['metadata', isInMetadata],
  ['idempotencyKey', isGrouped],
])

/** `cardNumber`, `credit_card`, `PAN`; not `company`. */
function saysCard(name: string): boolean {
  return /card|cart[aã]o|tarjeta/i.test(name) || wordsOf(name).includes('pan') || saysCode(name)
}

/** The security code on a card. */
function saysCode(name: string): boolean {
  return wordsOf(name).some((word) => ['cvv', 'cvc'].includes(word))
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}
