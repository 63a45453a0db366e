// A batch of withdrawals as a table: one row for each, with the names of the fields in the first row (RFC 4180).
import { CsvError, parse } from 'csv-parse/sync'
import { batchCountMax } from '#/contract/withdrawals.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { parseJson } from '#/kernel/json.ts'

export const csvType = 'text/csv'

export const csvExample = `type,amount,currency,pixKey,pixKeyType,metadata.invoice
PIX,5000,BRL,ana@example.com,EMAIL,A-1
PIX,7500,BRL,+5511987654321,PHONE,A-2
`

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body that the table stands for. An empty cell is an absent field; a column `metadata.x` is the field `x` of the metadata, as text.
 * Throws `invalid_request` when the bytes are no table; what the cells hold is checked like any body.
 */
export function readWithdrawalCsv(bytes: Buffer): { readonly withdrawals: readonly unknown[] } {
  const [names, ...rows] = rowsOf(bytes)
  if (names === undefined) throw refusal({ pointer: '', code: 'malformed', message: 'has no row of names' })
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined)
    throw refusal({ pointer: '', code: 'repeated', message: `has the column ${repeated} twice` })
  return { withdrawals: rows.map((cells) => withdrawalOf(names, cells)) }
}

function rowsOf(bytes: Buffer): readonly (readonly string[])[] {
  try {
    return parse(utf8.decode(bytes), {
      bom: true,
      skip_empty_lines: true,
      trim: true,
      // One more than allowed, so that the schema refuses it; the rest is not read.
      to: batchCountMax + 2,
    })
  } catch (error) {
    if (!(error instanceof CsvError) && !(error instanceof TypeError)) throw error
    const message = error instanceof CsvError ? error.message.slice(0, 200) : 'is not UTF-8'
    throw refusal({ pointer: '', code: 'malformed', message })
  }
}

function withdrawalOf(names: readonly string[], cells: readonly string[]): Readonly<Record<string, unknown>> {
  const filled = names.flatMap((name, index): readonly (readonly [string, string])[] => {
    const cell = cells[index] ?? ''
    return cell === '' ? [] : [[name, cell]]
  })
  const fields = new Map<string, unknown>()
  const metadata = new Map<string, string>()
  for (const [name, cell] of filled) {
    if (name.startsWith(metadataPrefix)) metadata.set(name.slice(metadataPrefix.length), cell)
    else fields.set(name, name === 'amount' ? amountOf(cell) : cell)
  }
  if (metadata.size > 0) fields.set('metadata', Object.fromEntries(metadata))
  return Object.fromEntries(fields)
}

const metadataPrefix = 'metadata.'

/** A text that is no whole number stays text, and the schema refuses it. */
function amountOf(cell: string): unknown {
  return /^[1-9]\d{0,15}$/.test(cell) ? parseJson(cell) : cell
}

function refusal(fault: FieldFault): AppError {
  return new AppError('invalid_request', `The table cannot be read: it ${fault.message}.`, {
    faults: [fault],
  })
}
