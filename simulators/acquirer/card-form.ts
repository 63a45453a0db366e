// Reads the card form. Errors are given for each field, in the payer's language.
import type { CardEntry } from './attempts.ts'
import { brandOf, isCardNumber } from './cards.ts'
import { say, type Words } from './page-words.ts'

export const cardFields = ['number', 'expiry', 'cvc', 'name'] as const
export type CardField = (typeof cardFields)[number]

export type FormErrors = Partial<Readonly<Record<CardField, string>>>
export type Typed = Partial<Readonly<Record<CardField, string>>>

export type ReadForm =
  | { readonly ok: true; readonly entry: CardEntry }
  /** `typed`: what may be shown again; never the security code. */
  | { readonly ok: false; readonly errors: FormErrors; readonly typed: Typed }

/** `at`: now, in milliseconds. */
export function readForm(form: URLSearchParams, words: Words, at: number): ReadForm {
  const typed = (name: CardField) => (form.get(name) ?? '').trim()
  const number = typed('number').replaceAll(/[\s-]/g, '')
  const expiry = expiryOf(typed('expiry'))
  const digits = brandOf(number) === 'amex' ? 4 : 3
  const name = typed('name').slice(0, 100)
  const errors: FormErrors = {
    ...(number === '' ? { number: words.numberMissing } : {}),
    ...(number !== '' && !isCardNumber(number) ? { number: words.numberWrong } : {}),
    ...(expiry === undefined ? { expiry: words.expiryWrong } : {}),
    ...(expiry !== undefined && isPast(expiry, at) ? { expiry: words.expiryPast } : {}),
    ...(/^\d+$/.test(typed('cvc')) && typed('cvc').length === digits
      ? {}
      : { cvc: say(words.cvcWrong, { digits: `${digits}` }) }),
    ...(name === '' ? { name: words.nameMissing } : {}),
  }
  if (expiry === undefined || Object.keys(errors).length > 0)
    return {
      ok: false,
      errors,
      typed: { number: typed('number').slice(0, 40), expiry: typed('expiry').slice(0, 10), name },
    }
  return { ok: true, entry: { number, expMonth: expiry.month, expYear: expiry.year, name } }
}

type Expiry = { readonly month: number; readonly year: number }

/** "12/30", "12 / 2030", "1230". */
function expiryOf(text: string): Expiry | undefined {
  const match = /^(\d{1,2})\s*[/.-]\s*(\d{2}|\d{4})$/.exec(text) ?? /^(\d{2})\s*(\d{2})$/.exec(text)
  const month = Number.parseInt(match?.[1] ?? '0', 10)
  const year = Number.parseInt(match?.[2] ?? '0', 10)
  if (match === null || month < 1 || month > 12) return undefined
  return { month, year: year < 100 ? 2000 + year : year }
}

/** A card is valid until the end of its month. */
function isPast({ month, year }: Expiry, at: number): boolean {
  return Date.UTC(year, month, 1) <= at
}
