// The filtered payments as a CSV file. docs/dashboard.md lists the columns.
import { isCurrency, toDecimal } from '#/kernel/money.ts'
import type { Query } from '../../api/call.ts'
import { readCsv, type Csv, type CsvColumn, type CsvReading } from '../../api/csv.ts'

/** Names have the same meaning as in the API: amounts are minor units. The decimal is for spreadsheets. */
const columns: readonly CsvColumn<'listPayments'>[] = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => createdAt],
  ['status', ({ status }) => status],
  ['paidAt', ({ paidAt }) => paidAt],
  ['method', ({ paymentMethod }) => paymentMethod],
  ['currency', ({ currency }) => currency],
  ['amount', ({ amount }) => amount],
  ['amountDecimal', ({ amount, currency }) => (isCurrency(currency) ? decimalOf(amount, currency) : '')],
  ['amountReceived', ({ amountReceived }) => amountReceived],
  ['amountRefunded', ({ amountRefunded }) => amountRefunded],
  ['fee', ({ fee }) => fee],
  ['netAmount', ({ netAmount }) => netAmount],
  ['exceptions', ({ exceptions }) => exceptions.join(' ')],
  ['customerName', ({ customerName }) => customerName],
  ['customerEmail', ({ customerEmail }) => customerEmail],
  ['customerTaxId', ({ customerTaxId }) => customerTaxId],
  ['description', ({ description }) => description],
  ['metadata', ({ metadata }) => metadata],
]

function decimalOf(minor: number, currency: Parameters<typeof toDecimal>[0]['currency']): string {
  return toDecimal({ minor: BigInt(minor), currency })
}

export function readPaymentCsv(
  merchant: string,
  query: Query<'listPayments'>,
  reading: CsvReading,
): Promise<Csv> {
  return readCsv('listPayments', { merchant, query }, columns, reading)
}
