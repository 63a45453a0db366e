// A batch of withdrawals as a table: one row for each, with the names of the fields in the first row (RFC 4180).
import { CsvError, parse } from 'csv-parse/sync'
import { withdrawalRow } from '#/contract/withdrawal-row.ts'
import { batchCountMax } from '#/contract/withdrawals.ts'
import { separatorOf, type Separator } from '#/kernel/csv.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'

export const csvType = 'text/csv'

export const csvExample = `type,amount,currency,pixKey,pixKeyType,metadata.invoice
PIX,5000,BRL,ana@example.com,EMAIL,A-1
PIX,7500,BRL,+5511987654321,PHONE,A-2
`

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body that the table stands for. Cells are separated by commas or, as a spreadsheet writes it in Brazil, by semicolons.
 * Throws `invalid_request` when the bytes are no table; what the cells hold is checked like any body.
 */
export function readWithdrawalCsv(bytes: Buffer): { readonly withdrawals: readonly unknown[] } {
  const { separator, lines } = linesOf(bytes)
  const [names, ...rows] = lines
  if (names === undefined) throw refusal({ pointer: '', code: 'malformed', message: 'has no row of names' })
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined)
    throw refusal({ pointer: '', code: 'repeated', message: `has the column ${repeated} twice` })
  return { withdrawals: rows.map((cells) => withdrawalRow(names, cells, separator)) }
}

function linesOf(bytes: Buffer): {
  readonly separator: Separator
  readonly lines: readonly (readonly string[])[]
} {
  try {
    // The decoder takes the byte order mark away.
    const text = utf8.decode(bytes)
    const separator = separatorOf(text)
    const lines = parse(text, {
      delimiter: separator,
      skip_empty_lines: true,
      trim: true,
      // One more than allowed, so that the schema refuses it; the rest is not read.
      to: batchCountMax + 2,
    })
    return { separator, lines }
  } catch (error) {
    if (!(error instanceof CsvError) && !(error instanceof TypeError)) throw error
    const message = error instanceof CsvError ? error.message.slice(0, 200) : 'is not UTF-8'
    throw refusal({ pointer: '', code: 'malformed', message })
  }
}

function refusal(fault: FieldFault): AppError {
  return new AppError('invalid_request', `The table cannot be read: it ${fault.message}.`, {
    faults: [fault],
  })
}
