// Money and instants as people read them, formatted by Intl on the server alone: a browser's own Intl may format differently.
import { toDecimal, type Currency } from '#/kernel/money.ts'
import type { Locale } from './language.ts'
import type { ShownAmount, ShownInstant } from './page-values.ts'

export type Format = {
  /** `R$ 1.234,50`, `10,00 USDT`. */
  money(minor: bigint, currency: Currency): ShownAmount
  /** The same without its currency, where the currency has just been named. */
  figure(minor: bigint, currency: Currency): string
  /** A number of things: `1.000`. */
  count(number: number): string
  /** An amount in the units of a token on its chain: two decimals, or more if it has more. */
  units(units: bigint, decimals: number, currency: Currency): ShownAmount
  /** The time, with the day when that is not the day of `now`. */
  instant(at: Date, now: Date): ShownInstant & { readonly isToday: boolean }
  /** Day and time, also on the same day. */
  moment(at: Date): ShownInstant
}

/** Not in ISO 4217, so Intl does not know their names: the number, and the name behind it. */
const coins: ReadonlySet<string> = new Set(['USDT', 'BNB'])

/** The usual time zone of a language's readers, which the page need not name. */
const homeZones: Partial<Readonly<Record<Locale, string>>> = { 'pt-BR': 'America/Sao_Paulo' }

/** How a language writes a day, and joins a time to it: `23/11 às 02:56`. Intl puts a comma there, which no one says. */
const joints: Readonly<
  Record<Locale, { readonly days: Intl.DateTimeFormatOptions; join(day: string, time: string): string }>
> = {
  'pt-BR': { days: { day: '2-digit', month: '2-digit' }, join: (day, time) => `${day} às ${time}` },
  en: { days: { day: 'numeric', month: 'short' }, join: (day, time) => `${day}, ${time}` },
  es: { days: { day: '2-digit', month: '2-digit' }, join: (day, time) => `${day} a ${timeInSpanish(time)}` },
}

/** `las 15:40`, `la 1:40`. */
export function timeInSpanish(time: string): string {
  return `${/^0?1:/.test(time) ? 'la' : 'las'} ${time}`
}

const noBreak = '\u00a0'

/** How amounts and instants are written in a language and a time zone (IANA name). */
export function formatFor(locale: Locale, timeZone: string): Format {
  const zone = homeZones[locale] === timeZone ? {} : ({ timeZoneName: 'short' } as const)
  const time = { hour: 'numeric', minute: '2-digit', timeZone, ...zone } as const
  const timeOnly = new Intl.DateTimeFormat(locale, time)
  const { days, join } = joints[locale]
  const dayOnly = new Intl.DateTimeFormat(locale, { ...days, timeZone })
  const fullDay = new Intl.DateTimeFormat(locale, { ...days, year: 'numeric', timeZone })
  const day = new Intl.DateTimeFormat('en-CA', { timeZone })
  return {
    money: (minor, currency) => amountOf(locale, toDecimal({ minor, currency }), currency),
    figure: (minor, currency) => numberOf(locale, toDecimal({ minor, currency })),
    count: (number) => cached(locale, () => new Intl.NumberFormat(locale)).format(number),
    units: (units, decimals, currency) => amountOf(locale, decimalOf(units, decimals), currency),
    instant(at, now) {
      const isToday = day.format(at) === day.format(now)
      const text = timeOnly.format(at)
      return { text: isToday ? text : join(dayOnly.format(at), text), at: at.toISOString(), isToday }
    },
    moment: (at) => ({ text: join(fullDay.format(at), timeOnly.format(at)), at: at.toISOString() }),
  }
}

function amountOf(locale: Locale, value: string, currency: Currency): ShownAmount {
  if (coins.has(currency)) return { text: `${numberOf(locale, value)}${noBreak}${currency}`, value }
  const format = cached(
    `${locale} ${currency}`,
    () => new Intl.NumberFormat(locale, { style: 'currency', currency }),
  )
  return { text: withMinus(format.format(exact(value))), value }
}

/** As an amount of money without a name: XTS is ISO 4217's code for tests, and its part is left out. */
function numberOf(locale: Locale, value: string): string {
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

/** Replaces the hyphen by a minus sign. */
function withMinus(text: string): string {
  return text.replace('-', '\u2212')
}

/** A string of digits stays exact at any length (ECMA-402, Intl mathematical values); its type is narrower. */
function exact(value: string): Intl.StringNumericLiteral {
  return value as Intl.StringNumericLiteral
}

/** `units` of a token with this number of decimals, at least two of them written. */
function decimalOf(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0')
  return `${digits.slice(0, -decimals)}.${fraction}`
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
