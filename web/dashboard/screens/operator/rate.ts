// A rate in millionths, as people write it: in percent with up to four decimals.
import type { Locale } from '#/kernel/language.ts'

/** `1,5` or `1.5` as 15000; undefined when it is no percentage from 0 to 100. */
export function ppmOf(text: string): number | undefined {
  const [, whole, fraction = ''] =
    /^(\d{1,3})(?:[.,](\d{1,4}))?$/.exec(text.trim().replace(/\s*%$/, '')) ?? []
  if (whole === undefined) return undefined
  const ppm = Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'))
  return ppm <= 1_000_000 ? ppm : undefined
}

/** 15000 as `1,5%`. */
export function rateText(ppm: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(ppm / 1_000_000)
}
