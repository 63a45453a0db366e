// Reads a table of withdrawals as POST /v1/withdrawal-batches reads it, so that what is reviewed is what is sent.
import { withdrawalRow } from '#/contract/withdrawal-row.ts'
import { separatorOf, type Separator } from '#/kernel/csv.ts'
import { parseJson } from '../../api/json.ts'

/** As the API: at most this many withdrawals. */
const rowsMax = 1_000

export type BatchRow = Readonly<Record<string, unknown>>

export type ReadTable =
  | { readonly ok: true; readonly rows: readonly BatchRow[] }
  | { readonly ok: false; readonly reason: 'malformed' | 'empty' | 'many' }
  | { readonly ok: false; readonly reason: 'twice'; readonly column: string }

/** The withdrawals of a file. What the cells hold is checked by the server. */
export function readTable(bytes: ArrayBuffer): ReadTable {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { ok: false, reason: 'malformed' }
  }
  const separator = separatorOf(text)
  const lines = linesOf(text, separator)
  const [names, ...cells] = lines ?? []
  if (names === undefined) return { ok: false, reason: lines === undefined ? 'malformed' : 'empty' }
  const column = names.find((name, index) => names.indexOf(name) !== index)
  if (column !== undefined) return { ok: false, reason: 'twice', column }
  if (cells.some((row) => row.length !== names.length)) return { ok: false, reason: 'malformed' }
  if (cells.length === 0) return { ok: false, reason: 'empty' }
  if (cells.length > rowsMax) return { ok: false, reason: 'many' }
  return { ok: true, rows: cells.map((row) => withdrawalRow(names, row, separator)) }
}

/** The rows that a draft keeps as JSON; undefined where there are none. */
export function rowsOf(text: string): readonly BatchRow[] | undefined {
  const rows: unknown = text === '' ? undefined : parseJson(text)
  return Array.isArray(rows) ? (rows as readonly BatchRow[]) : undefined
}

/** The rows of RFC 4180, without empty lines; undefined when quotes do not fit. */
function linesOf(source: string, separator: Separator): readonly (readonly string[])[] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  const cell = {
    ',': /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^",\r\n]*))(,|\r\n|\n|\r|$)/y,
    ';': /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^";\r\n]*))(;|\r\n|\n|\r|$)/y,
  }[separator]
  while (cell.lastIndex < source.length || row.length > 0) {
    const found = cell.exec(source)
    if (found === null) return undefined
    const [, quoted, plain = '', end = ''] = found
    row.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    if (end === separator) continue
    if (row.some((each) => each !== '')) rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}
