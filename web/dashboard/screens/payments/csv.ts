// The filtered payments as a CSV file. docs/dashboard.md lists the columns.
import type { Query } from '../../api/call.ts'
import { fieldCell, readCsv, type Csv, type CsvColumn, type CsvReading } from '../../api/csv.ts'

/** Names have the same meaning as in the API: amounts are minor units. The decimals are for spreadsheets. */
const columns: readonly CsvColumn<'listPayments'>[] = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => ({ at: createdAt })],
  ['status', ({ status }) => status],
  ['paidAt', ({ paidAt }) => ({ at: paidAt })],
  ['method', ({ paymentMethod }) => paymentMethod],
  ['currency', ({ currency }) => currency],
  ['amount', ({ amount }) => amount],
  ['amountDecimal', ({ amount, currency }) => ({ minor: amount, currency })],
  ['amountReceived', ({ amountReceived }) => amountReceived],
  ['amountRefunded', ({ amountRefunded }) => amountRefunded],
  ['fee', ({ fee }) => fee],
  ['netAmount', ({ netAmount }) => netAmount],
  ['exceptions', ({ exceptions }) => exceptions.join(' ')],
  ['customerName', ({ customerName }) => customerName],
  ['customerEmail', ({ customerEmail }) => customerEmail],
  ['customerTaxId', ({ customerTaxId }) => customerTaxId],
  ['description', ({ description }) => description],
  ['metadata', ({ metadata }) => fieldCell(metadata)],
  ['amountReceivedDecimal', ({ amountReceived, currency }) => ({ minor: amountReceived, currency })],
  ['amountRefundedDecimal', ({ amountRefunded, currency }) => ({ minor: amountRefunded, currency })],
  ['feeDecimal', ({ fee, currency }) => ({ minor: fee, currency })],
  ['netAmountDecimal', ({ netAmount, currency }) => ({ minor: netAmount, currency })],
]

export function readPaymentCsv(
  merchant: string,
  query: Query<'listPayments'>,
  reading: CsvReading,
): Promise<Csv> {
  return readCsv('listPayments', { merchant, query }, columns, reading)
}
