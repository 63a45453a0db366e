// Money and instants as people read them, formatted by Intl on the server alone: a browser's own Intl may format differently.
import type { Locale } from '#/kernel/language.ts'
import { amountText, countText, numberText } from '#/kernel/money-text.ts'
import { toDecimal, unitsToDecimal, type Currency } from '#/kernel/money.ts'
import type { ShownAmount, ShownInstant } from './page-values.ts'

export type Format = {
  /** `R$ 1.234,50`, `10,00 USDT`. */
  money(minor: bigint, currency: Currency): ShownAmount
  /** The same without its currency, where the currency has just been named. */
  figure(minor: bigint, currency: Currency): string
  /** An exact decimal without its currency. */
  decimal(value: string): string
  /** A number of things: `1.000`. */
  count(number: number): string
  /** An amount in the units of a token on its chain: two decimals, or more if it has more. */
  units(units: bigint, decimals: number, currency: Currency): ShownAmount
  /** The time, with the day when that is not the day of `now`. */
  instant(at: Date, now: Date): ShownInstant & { readonly isToday: boolean }
  /** The day in full, the time to the second, and how far its zone is from UTC: as documents are read elsewhere and years later. */
  moment(at: Date): ShownInstant
}

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

/** How amounts and instants are written in a language and a time zone (IANA name). */
export function formatFor(locale: Locale, timeZone: string): Format {
  const zone = homeZones[locale] === timeZone ? {} : ({ timeZoneName: 'short' } as const)
  const time = { hour: 'numeric', minute: '2-digit', timeZone, ...zone } as const
  const timeOnly = new Intl.DateTimeFormat(locale, time)
  const { days, join } = joints[locale]
  const dayOnly = new Intl.DateTimeFormat(locale, { ...days, timeZone })
  const fullDay = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone })
  const fullTime = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone })
  const offset = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortOffset' })
  const offsetOf = (at: Date) =>
    offset.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  const day = new Intl.DateTimeFormat('en-CA', { timeZone })
  return {
    money: (minor, currency) => shownAmount(locale, toDecimal({ minor, currency }), currency),
    figure: (minor, currency) => numberText(locale, toDecimal({ minor, currency })),
    decimal: (value) => numberText(locale, value),
    count: (number) => countText(locale, number),
    units: (units, decimals, currency) => shownAmount(locale, unitsToDecimal(units, decimals), currency),
    instant(at, now) {
      const isToday = day.format(at) === day.format(now)
      const text = timeOnly.format(at)
      return { text: isToday ? text : join(dayOnly.format(at), text), at: at.toISOString(), isToday }
    },
    moment: (at) => ({
      text: `${join(fullDay.format(at), fullTime.format(at))} (${offsetOf(at)})`,
      at: at.toISOString(),
    }),
  }
}

/** `units` of a token with this number of decimals, at least two of them written. */
function shownAmount(locale: Locale, value: string, currency: Currency): ShownAmount {
  return { text: amountText(locale, value, currency), value }
}
