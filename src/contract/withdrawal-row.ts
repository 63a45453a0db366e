// One row of a table of withdrawals, as the API and the dashboard read it: by hand, by a program, or from a spreadsheet.
import { separators, textIn, type Separator } from '#/kernel/csv.ts'

const metadataPrefix = 'metadata.'

/**
 * The withdrawal that the row stands for. An empty cell is an absent field; a column `metadata.x` is the field `x` of the metadata, as text.
 * `amountDecimal`, with the decimal sign of the file's separator, stands for `amount`. What the cells hold is checked like any body.
 */
export function withdrawalRow(
  names: readonly string[],
  cells: readonly string[],
  separator: Separator,
): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown>()
  const metadata = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const cell = textIn(cells[index] ?? '')
    if (cell === '') continue
    if (name.startsWith(metadataPrefix)) metadata.set(name.slice(metadataPrefix.length), cell)
    else fields.set(name, name === 'amount' ? amountOf(cell) : cell)
  }
  const minor = minorOf(fields.get('amountDecimal'), separator)
  const amount = fields.get('amount')
  // Where both are written and differ, the column stays, and is refused.
  if (minor !== undefined && (amount === undefined || amount === minor)) {
    fields.delete('amountDecimal')
    fields.set('amount', minor)
  }
  if (metadata.size > 0) fields.set('metadata', Object.fromEntries(metadata))
  return Object.fromEntries(fields)
}

/** A text that is no whole number stays text, and the schema refuses it. */
function amountOf(cell: string): unknown {
  return /^[1-9]\d{0,15}$/.test(cell) ? Number(cell) : cell
}

/** `1234,56` or `1.234,56` between semicolons, `1234.56` or `1,234.56` between commas: always with both decimals. */
function minorOf(cell: unknown, separator: Separator): number | undefined {
  if (typeof cell !== 'string') return undefined
  const { decimal, thousands } = separators[separator]
  const [whole = '', cents = '', ...more] = cell.split(decimal)
  if (more.length > 0 || !/^\d{2}$/.test(cents)) return undefined
  const isPlain = /^\d{1,13}$/.test(whole)
  const groups = whole.split(thousands)
  const isGrouped =
    groups.length < 5 && groups.every((each, place) => (place === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(each))
  return isPlain || isGrouped ? Number(`${groups.join('')}${cents}`) : undefined
}
