// CSV files of filtered lists, made in the browser page by page.
import { csvWriter, type CsvCell, type CsvStyle } from '#/kernel/csv.ts'
import { callAny, type ListName, type Page, type Parts, type Row } from './call.ts'
import type { Calls } from './generated.ts'

/** So many rows at most: more is a matter for a shorter span. */
const rowsMax = 20_000
const pageMax = 100

export type Csv = { readonly text: string; readonly rows: number; readonly isCut: boolean }

/** A column: its name in the first line, and a row's value. */
export type CsvColumn<Name extends ListName> = readonly [name: string, value: (row: Row<Name>) => CsvCell]

export type CsvReading = {
  readonly signal: AbortSignal
  readonly onRows: (rows: number) => void
  readonly style: CsvStyle
}

/** Reads the pages of a list. `onRows` hears how many rows there are so far; an aborted reading rejects. */
export async function readCsv<Name extends ListName>(
  list: Name,
  input: Calls[Name]['input'],
  columns: readonly CsvColumn<Name>[],
  { signal, onRows, style }: CsvReading,
): Promise<Csv> {
  const csv = csvWriter(style)
  const lines = [csv.head(columns.map(([name]) => name))]
  let cursor: string | undefined
  do {
    const query = { ...(input as Parts).query, limit: pageMax, cursor }
    const page = await callAny<Page<Row<Name>>>(list, { ...input, query }, { signal })
    for (const row of page.data) lines.push(csv.line(columns.map(([, value]) => value(row))))
    onRows(lines.length - 1)
    cursor = page.nextCursor
  } while (cursor !== undefined && lines.length <= rowsMax)
  return { text: lines.join(''), rows: lines.length - 1, isCut: cursor !== undefined }
}

/** A field as it is: an object or a list as JSON. */
export function fieldCell(value: unknown): CsvCell {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
}
