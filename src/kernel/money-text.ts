// Amounts of money as people read them, formatted by Intl on the server.
import type { Locale } from './language.ts'
import { toDecimal, type Currency, type Money } from './money.ts'

/** Not in ISO 4217, so Intl does not know their names: the number, and the name behind it. */
const coins: ReadonlySet<string> = new Set(['USDT', 'BNB'])

const noBreak = '\u00a0'

/** An amount that a network knows to the last digit, where that is finer than minor units. */
export type ExactMoney = Money & { readonly exact?: string }

/** `R$ 1.234,50`, `10,00 USDT`, `9,995 USDT`. */
export function moneyText(locale: Locale, { minor, currency, exact: decimal }: ExactMoney): string {
  return amountText(locale, decimal ?? toDecimal({ minor, currency }), currency)
}

/** A decimal of this currency: `R$ 1.234,50`, `10,00 USDT`. Exact at any length. */
export function amountText(locale: Locale, value: string, currency: Currency): string {
  if (coins.has(currency)) return `${numberText(locale, value)}${noBreak}${currency}`
  const format = cached(
    `${locale} ${currency}`,
    () => new Intl.NumberFormat(homeOf(locale, currency), { style: 'currency', currency }),
  )
  return withMinus(format.format(exact(value)))
}

/** Spanish has no home for the real: it is written as the shops of Brazil write it, `R$ 49,90`, with the same signs between digits. */
function homeOf(locale: Locale, currency: Currency): Locale {
  return locale === 'es' && currency === 'BRL' ? 'pt-BR' : locale
}

/** As an amount of money without a name: XTS is ISO 4217's code for tests, and its part is left out. */
export function numberText(locale: Locale, value: string): string {
  const decimals = value.split('.')[1]?.length ?? 0
  const format = cached(
    `${locale} ${decimals}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: 'XTS',
        currencyDisplay: 'code',
        minimumFractionDigits: 2,
        maximumFractionDigits: Math.max(2, decimals),
      }),
  )
  const parts = format.formatToParts(exact(value)).filter(({ type }) => type !== 'currency')
  return withMinus(
    parts
      .map((part) => part.value)
      .join('')
      .trim(),
  )
}

/** A number of things: `1.234`. */
export function countText(locale: Locale, number: number | bigint): string {
  return cached(locale, () => new Intl.NumberFormat(locale)).format(number)
}

/** Replaces the hyphen by a minus sign. */
function withMinus(text: string): string {
  return text.replace('-', '\u2212')
}

/** A string of digits stays exact at any length (ECMA-402, Intl mathematical values); its type is narrower. */
function exact(value: string): Intl.StringNumericLiteral {
  return value as Intl.StringNumericLiteral
}

const formats = new Map<string, Intl.NumberFormat>()

/** Making a format takes a hundred times as long as using it; there are few of them. */
function cached(name: string, make: () => Intl.NumberFormat): Intl.NumberFormat {
  const existing = formats.get(name)
  if (existing !== undefined) return existing
  const made = make()
  formats.set(name, made)
  return made
}
