// Amounts, counts and instants as people read them, by Intl in the reader's language and time zone.
import type { Locale } from '#/kernel/language.ts'
import { amountText, countText, numberText } from '#/kernel/money-text.ts'
import { isCurrency, toDecimal } from '#/kernel/money.ts'

/** An integer of minor units as JSON carried it: a bigint where a number is not exact. */
export type Minor = number | bigint

export type Format = {
  /** `R$ 1.234,50`, `10,00 USDT`. */
  money(minor: Minor, currency: string): string
  /** The same without its currency. */
  figure(minor: Minor, currency: string): string
  count(number: Minor): string
  /** `93,4 %` of a share from 0 to 1. */
  share(share: number): string
  /** `+12,3 %`, `−4 %`: by how much something grew. */
  growth(share: number): string
  /** Day and time to the second, with the time zone: never ambiguous. */
  exact(at: string | Date): string
  /** Day and time in few letters. */
  short(at: string | Date): string
  day(at: string | Date): string
  /** A date without a time, `2026-11-23`: the same day in every time zone. */
  date(date: string): string
  time(at: string | Date): string
  /** `há 5 min` within a day, else as `short`. */
  relative(at: string | Date, now: number): string
  /** `3 s`, `2 min`. */
  span(ms: number): string
  list(items: readonly string[]): string
  /** A size of a file. */
  readonly bytes: (size: number) => string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const formats = new Map<string, Format>()

/** How amounts and instants are written in a language and a time zone (IANA name): the same object for all components of a page. */
export function formatFor(locale: Locale, timeZone: string): Format {
  const name = `${locale} ${timeZone}`
  const format = formats.get(name) ?? createFormat(locale, timeZone)
  formats.set(name, format)
  return format
}

/** Each formatter is made when it is first used: a browser takes a millisecond or more for one. */
function createFormat(locale: Locale, timeZone: string): Format {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }))
  const hm = { hour: '2-digit', minute: '2-digit' } as const
  const thisYear = dates({ day: 'numeric', month: 'short', ...hm })
  const otherYear = dates({ day: 'numeric', month: 'short', year: 'numeric' })
  const exact = dates({ dateStyle: 'long', timeStyle: 'long' })
  const dateOnly = once(
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  )
  const dayOnly = dates({ day: 'numeric', month: 'short' })
  const timeOnly = dates({ ...hm, second: '2-digit' })
  const year = dates({ year: 'numeric' })
  const ago = once(() => new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' }))
  const percent = { style: 'percent', maximumFractionDigits: 1 } as const
  const share = once(() => new Intl.NumberFormat(locale, percent))
  const growth = once(() => new Intl.NumberFormat(locale, { ...percent, signDisplay: 'exceptZero' }))
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  const short = (at: string | Date) => {
    const date = new Date(at)
    return (year().format(date) === year().format(new Date()) ? thisYear : otherYear)().format(date)
  }
  const unit = (value: number, name: 'second' | 'minute' | 'hour' | 'day' | 'millisecond') =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    }).format(value)
  return {
    money: (minor, currency) => amount(minor, currency, (value, of) => amountText(locale, value, of)),
    figure: (minor, currency) => amount(minor, currency, (value) => numberText(locale, value)),
    count: (number) => countText(locale, number),
    share: (value) => share().format(value),
    growth: (value) => growth().format(value).replace('-', '\u2212'),
    exact: (at) => exact().format(new Date(at)),
    short,
    day: (at) => dayOnly().format(new Date(at)),
    date: (date) => dateOnly().format(new Date(`${date}T00:00:00Z`)),
    time: (at) => timeOnly().format(new Date(at)),
    relative(at, now) {
      const ms = new Date(at).getTime() - now
      const size = Math.abs(ms)
      if (size < minute) return ago().format(0, 'second')
      if (size < hour) return ago().format(Math.trunc(ms / minute), 'minute')
      return size < day ? ago().format(Math.trunc(ms / hour), 'hour') : short(at)
    },
    span(ms) {
      if (ms < 1_000) return unit(Math.round(ms), 'millisecond')
      // Less than two of a unit is written in the next smaller unit: "1 min" for 89 seconds would be too imprecise.
      if (ms < 2 * minute) return unit(ms / 1_000, 'second')
      if (ms < 2 * hour) return unit(Math.round(ms / minute), 'minute')
      return ms < 2 * day ? unit(Math.round(ms / hour), 'hour') : unit(Math.round(ms / day), 'day')
    },
    list: (items) => list().format(items),
    bytes(size) {
      const name = size < 1_000 ? 'byte' : size < 1_000_000 ? 'kilobyte' : 'megabyte'
      const per = { byte: 1, kilobyte: 1_000, megabyte: 1_000_000 }[name]
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: name,
        unitDisplay: 'short',
        maximumFractionDigits: 1,
      }).format(size / per)
    },
  }
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

function amount(
  minor: Minor,
  currency: string,
  write: (value: string, currency: Parameters<typeof amountText>[2]) => string,
): string {
  // A currency that a later version knows.
  if (!isCurrency(currency)) return `${minor} ${currency}`
  const exact = BigInt(minor)
  // The sign stands before all else: Intl keeps a space behind it where the currency's name is left out.
  const text = write(toDecimal({ minor: exact < 0n ? -exact : exact, currency }), currency)
  return exact < 0n ? `\u2212${text}` : text
}

/** How numbers are written: the sign between groups of three, and the decimal one. */
const withComma = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/
const withPoint = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/

/**
 * A text such as `1.234,5` as minor units of a currency with two decimals; undefined when the text is not an amount. A text in the notation
 * of the other languages is accepted when it has only one meaning: `10.50` has, `1.234` has not.
 */
export function minorOf(text: string, locale: Locale): bigint | undefined {
  const plain = text.trim().replaceAll(/[\s\u00a0]/g, '')
  const [local, other] = locale === 'en' ? [withPoint, withComma] : [withComma, withPoint]
  const foreign = other.exec(plain)
  const [, whole, fraction = ''] = local.exec(plain) ?? (foreign?.[2] === undefined ? [] : foreign)
  if (whole === undefined) return undefined
  return BigInt(whole.replaceAll(/[.,]/g, '')) * 100n + BigInt(fraction.padEnd(2, '0'))
}

/** Minor units as the text of an input: `1234.50` with the reader's decimal sign. */
export function inputOf(minor: Minor, locale: Locale): string {
  const decimal = toDecimal({ minor: BigInt(minor), currency: 'USD' })
  return locale === 'en' ? decimal : decimal.replace('.', ',')
}

// The form of an address on an EVM chain, for a hint while somebody types. The server reads it, with its checksum, and decides.

export function hasAddressForm(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text.trim())
}
