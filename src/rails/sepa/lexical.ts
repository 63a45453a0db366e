// Reads the simple types of ISO 20022 by their lexical rules (XML Schema 1.1, part 2), because banks use every spelling that these
// allow: `1` is true, `045.` and `+45.00` are 45, and a day may have a time zone.
import { dayMs } from '#/kernel/time.ts'
import { UnreadableFile } from './unreadable.ts'

/** xs:boolean: two words and two digits. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Reads an indicator; absent: `fallback`. Throws UnreadableFile for any other text: nobody may guess what the bank meant. */
export function booleanOf(text: string | undefined, name: string, fallback: boolean): boolean {
  if (text === undefined) return fallback
  const value = booleans.get(text)
  if (value === undefined) throw new UnreadableFile(`${name} is ${text.slice(0, 20)}, neither true nor false`)
  return value
}

/** The digits of a number, without zeros that do not count. */
export type Decimal = { readonly whole: string; readonly fraction: string }

/** ISO 20022 (ActiveOrHistoricCurrencyAndAmount): 18 digits that count, of them five behind the point. */
const [digitsMax, fractionMax] = [18, 5]
/** More zeros in front or behind than any bank writes. */
const textMax = 100

/** Reads xs:decimal from zero up. Undefined for a text that is none, for a negative number, and for one with too many digits. */
export function decimalOf(text: string): Decimal | undefined {
  const [, sign = '', left = '', right = ''] =
    text.length > textMax ? [] : (/^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?$/.exec(text) ?? [])
  if (left === '' && right === '') return undefined
  const [whole, fraction] = [left.replace(/^0+(?=\d)/, '') || '0', right.replace(/0+$/, '')]
  const isZero = whole === '0' && fraction === ''
  if (sign === '-' && !isZero) return undefined
  if (fraction.length > fractionMax || (whole + fraction).replace(/^0+/, '').length > digitsMax)
    return undefined
  return { whole, fraction }
}

/**
 * Reads xs:date, or of xs:dateTime the day: the bank's own day counts, so no time zone moves it. Undefined for a day that does not
 * exist, such as the 30th of February.
 */
export function dayIn(text: string): string | undefined {
  const [, day, rest = ''] = /^(\d{4}-\d{2}-\d{2})(?:$|(?=[TZ+\- ])(.*)$)/s.exec(text) ?? []
  if (day === undefined || day < firstDay) return undefined
  const at = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(at) || isoDay(at) !== day) return undefined
  // XML Schema: the hour 24 is the first moment of the next day.
  return rest.startsWith('T24:00') ? isoDay(at + dayMs) : day
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** No bank's file is older than banks' files. A year 0000 is none of the database. */
const firstDay = '1970-01-01'

/** An IBAN as it is compared: banks write it in groups, and in small letters. */
export function ibanIn(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase()
}
