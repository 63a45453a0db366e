// The one writer of CSV files (RFC 4180): a plain one for programs, and one for spreadsheets, which guess what a cell means. And how to read back
// what it wrote.
import { isCurrency, toDecimal } from './money.ts'

/** How a spreadsheet separates cells and writes decimals: `;` and `1,50`, or `,` and `1.50`. */
export const spreadsheets = ['semicolon', 'comma'] as const

export type Spreadsheet = (typeof spreadsheets)[number]

/** Without a spreadsheet the file is for programs. `timeZone`: in which a spreadsheet's times are written. */
export type CsvStyle = { readonly spreadsheet?: Spreadsheet | undefined; readonly timeZone: string }

/** A text is written as text. Nothing is an empty cell. */
export type CsvCell = string | undefined | null | CsvNumber | CsvDecimal | CsvTime

/** An integer. */
type CsvNumber = number | bigint
/** An amount with the decimals of its currency; empty where the currency is none of ours. */
type CsvDecimal = { readonly minor: number | bigint; readonly currency: string }
/** An instant, as the API writes it. */
type CsvTime = { readonly at: string | undefined | null }

export type CsvWriter = {
  /** The first line, which begins with the byte order mark where a spreadsheet needs it. */
  readonly head: (names: readonly string[]) => string
  readonly line: (cells: readonly CsvCell[]) => string
}

export function csvWriter({ spreadsheet, timeZone }: CsvStyle): CsvWriter {
  const separator = spreadsheet === 'semicolon' ? ';' : ','
  const timeOf = spreadsheet === undefined ? (at: string) => at : localTimes(timeZone)
  const write = (cell: CsvCell): string => {
    if (cell === undefined || cell === null) return ''
    if (typeof cell === 'number' || typeof cell === 'bigint') return String(cell)
    if (typeof cell === 'string') return quoted(textOf(cell, spreadsheet))
    if ('at' in cell) return cell.at === undefined || cell.at === null ? '' : quoted(timeOf(cell.at))
    const decimal = decimalOf(cell)
    return spreadsheet === 'semicolon' ? decimal.replace('.', ',') : decimal
  }
  return {
    head: (names) => `${spreadsheet === undefined ? '' : '\ufeff'}${names.join(separator)}\r\n`,
    line: (cells) => `${cells.map(write).join(separator)}\r\n`,
  }
}

function decimalOf({ minor, currency }: CsvDecimal): string {
  return isCurrency(currency) ? toDecimal({ minor: BigInt(minor), currency }) : ''
}

/** `2026-11-30 14:05:09`, which spreadsheets of every language read as a time: one with `T` and `Z` stays a text. */
function localTimes(timeZone: string): (at: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return (at) => {
    const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
    return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')}`
  }
}

/**
 * What a spreadsheet would take for a number, a date or a time though it is a text: a tax id loses its zeros, and the end of a long order
 * number becomes zeros (1.23E+18). Such a text holds none but these signs, so nothing in it can be a formula.
 */
const likeNumber = /^[ (]*\d[\d.,:/ )-]*(?:e[+-]?\d+)?%?$/i
/** The longest text that a formula may hold is 255 characters. */
const formulaMax = 255

/** As a spreadsheet takes it for text: no number, and no formula. */
function textOf(text: string, spreadsheet: Spreadsheet | undefined): string {
  if (spreadsheet !== undefined && likeNumber.test(text))
    return text.length > formulaMax ? `'${text}` : `="${text}"`
  return escaped(text, spreadsheet === 'semicolon' ? behindAny : behindSeparator)
}

/** Invisible characters that may precede the first sign: blanks and controls of every kind, byte order marks, zero widths. */
const invisible = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*`

/** Full-width signs count as well. */
const formula = String.raw`(?=${invisible}[=+\-@＝＋－＠﹦﹢﹣﹫])`
const atStart = new RegExp(String.raw`^(?:${formula}|(?=[\t\r\n]))`, 'u')
/** A spreadsheet with another separator than the file's begins a new cell after it. */
const behindSeparator = new RegExp(String.raw`[;\t\r\n]${formula}`, 'gu')
const behindAny = new RegExp(String.raw`[,;\t\r\n]${formula}`, 'gu')

/** An apostrophe in front makes plain text of what a spreadsheet would run as a formula (OWASP, CSV injection). */
function escaped(text: string, behind: RegExp): string {
  return text.replaceAll(behind, "$&'").replace(atStart, "'")
}

/** Texts always in quotes, so that no character in them ends the cell; numbers without quotes. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

// Reading.

/** What separates cells, with the signs of amounts in such a file. */
export const separators = {
  ',': { decimal: '.', thousands: ',' },
  ';': { decimal: ',', thousands: '.' },
} as const

export type Separator = keyof typeof separators

/** What separates the cells of a file, by its first line: a semicolon where one stands outside of quotes. */
export function separatorOf(text: string): Separator {
  const [line = ''] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text) ?? []
  return line.replaceAll(/"(?:[^"]|"")*"/g, '').includes(';') ? ';' : ','
}

/** The text of a cell without what the writer puts before it for a spreadsheet: `="00123"`, or an apostrophe. */
export function textIn(cell: string): string {
  const [, exact] = /^="([^"]*)"$/.exec(cell) ?? []
  if (exact !== undefined && (exact === '' || likeNumber.test(exact))) return exact
  const rest = cell.slice(1)
  return cell.startsWith("'") && (atStart.test(rest) || likeNumber.test(rest)) ? rest : cell
}
