// CSV files (RFC 4180) of filtered lists, made in the browser page by page.
import { callAny, type ListName, type Page, type Parts, type Row } from './call.ts'
import type { Calls } from './generated.ts'

/** So many rows at most: more is a matter for a shorter span. */
const rowsMax = 20_000
const pageMax = 100

export type Csv = { readonly text: string; readonly rows: number; readonly isCut: boolean }

/** A column: its name in the first line, and a row's value. */
export type CsvColumn<Name extends ListName> = readonly [name: string, value: (row: Row<Name>) => unknown]

export type CsvReading = { readonly signal: AbortSignal; readonly onRows: (rows: number) => void }

/** Reads the pages of a list. `onRows` hears how many rows there are so far; an aborted reading rejects. */
export async function readCsv<Name extends ListName>(
  list: Name,
  input: Calls[Name]['input'],
  columns: readonly CsvColumn<Name>[],
  { signal, onRows }: CsvReading,
): Promise<Csv> {
  const lines = [columns.map(([name]) => name).join(',')]
  let cursor: string | undefined
  do {
    const query = { ...(input as Parts).query, limit: pageMax, cursor }
    const page = await callAny<Page<Row<Name>>>(list, { ...input, query }, { signal })
    for (const row of page.data) lines.push(columns.map(([, value]) => cell(value(row))).join(','))
    onRows(lines.length - 1)
    cursor = page.nextCursor
  } while (cursor !== undefined && lines.length <= rowsMax)
  return { text: `${lines.join('\r\n')}\r\n`, rows: lines.length - 1, isCut: cursor !== undefined }
}

/** An apostrophe in front makes plain text of what a spreadsheet would run as a formula. A number is no text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
