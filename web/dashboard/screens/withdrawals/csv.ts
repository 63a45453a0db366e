// Reads a table of withdrawals as POST /v1/withdrawal-batches reads it, so that what is reviewed is what is sent.

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
  const lines = linesOf(text)
  const [names, ...cells] = lines ?? []
  if (names === undefined) return { ok: false, reason: lines === undefined ? 'malformed' : 'empty' }
  const column = names.find((name, index) => names.indexOf(name) !== index)
  if (column !== undefined) return { ok: false, reason: 'twice', column }
  if (cells.some((row) => row.length !== names.length)) return { ok: false, reason: 'malformed' }
  if (cells.length === 0) return { ok: false, reason: 'empty' }
  if (cells.length > rowsMax) return { ok: false, reason: 'many' }
  return { ok: true, rows: cells.map((row) => rowOf(names, row)) }
}

/** An empty cell is an absent field; a column `metadata.x` is the field `x` of the metadata, as text. */
function rowOf(names: readonly string[], cells: readonly string[]): BatchRow {
  const fields = new Map<string, unknown>()
  const metadata = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    if (name.startsWith('metadata.')) metadata.set(name.slice('metadata.'.length), cell)
    // A text that is no whole number stays text, and the server says so.
    else fields.set(name, name === 'amount' && /^[1-9]\d{0,15}$/.test(cell) ? Number(cell) : cell)
  }
  if (metadata.size > 0) fields.set('metadata', Object.fromEntries(metadata))
  return Object.fromEntries(fields)
}

/** The rows of RFC 4180, without empty lines; undefined when quotes do not fit. */
function linesOf(text: string): readonly (readonly string[])[] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^",\r\n]*))(,|\r\n|\n|\r|$)/y
  const source = text.replace(/^\ufeff/, '')
  while (cell.lastIndex < source.length || row.length > 0) {
    const found = cell.exec(source)
    if (found === null) return undefined
    const [, quoted, plain = '', end = ''] = found
    row.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    if (end === ',') continue
    if (row.some((each) => each !== '')) rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}
