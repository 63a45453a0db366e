// Card numbers never reach us (decision 57). A body that holds one by mistake is refused before anything looks at it.
import { AppError } from '#/kernel/error.ts'
import { findCardNumber } from '#/rails/card/pan.ts'
import { parseTaxId } from '#/rails/pix/tax-id.ts'

/** Thirteen digits, whatever stands between them: less cannot be a card number, and most bodies have less. */
const mayHold = /\d(?:[ -]?\d){12}/

/**
 * Refuses a body that holds what looks like a card number (400, `card_number`). `text` is the body as it came. An amount is
 * a number and no card number; nor is a whole text that is somebody's CPF or CNPJ by its check digits.
 */
export function refuseCardNumbers(text: string, body: unknown): void {
  // An escape may stand for a digit.
  if (!mayHold.test(text) && !text.includes('\\u')) return
  const pointer = findCardNumber(harmlessOut(body, true))
  if (pointer === undefined) return
  const fault = { pointer, code: 'card_number', message: 'looks like a card number' }
  throw new AppError('invalid_request', 'Card numbers are never sent here. Nothing of the body was kept.', {
    errors: [fault],
  })
}

/** The body without what is known to be something else. */
function harmlessOut(value: unknown, isBody = false): unknown {
  if (typeof value === 'string') return parseTaxId(value) === undefined ? value : ''
  if (Array.isArray(value)) return value.map((each) => harmlessOut(each))
  if (typeof value !== 'object' || value === null) return value
  const entries: [string, unknown][] = Object.entries(value)
  return Object.fromEntries(
    entries
      .filter(([name, each]) => !(isBody && name === 'amount' && typeof each === 'number'))
      .map(([name, each]) => [name, harmlessOut(each)]),
  )
}
