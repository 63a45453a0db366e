// The filtered withdrawals as a CSV file. docs/dashboard.md lists the columns.
import type { Query } from '../../api/call.ts'
import { fieldCell, readCsv, type Csv, type CsvColumn, type CsvReading } from '../../api/csv.ts'

/** Names have the same meaning as in the API: amounts are minor units. The decimals are for spreadsheets. */
const columns: readonly CsvColumn<'listWithdrawals'>[] = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => ({ at: createdAt })],
  ['status', ({ status }) => status],
  ['completedAt', ({ completedAt }) => ({ at: completedAt })],
  ['type', ({ type }) => type],
  ['currency', ({ currency }) => currency],
  ['amount', ({ amount }) => amount],
  ['fee', ({ fee }) => fee],
  ['totalDebited', ({ totalDebited }) => totalDebited],
  ['amountReturned', ({ amountReturned }) => amountReturned],
  ['amountDecimal', ({ amount, currency }) => ({ minor: amount, currency })],
  ['feeDecimal', ({ fee, currency }) => ({ minor: fee, currency })],
  ['totalDebitedDecimal', ({ totalDebited, currency }) => ({ minor: totalDebited, currency })],
  ['walletId', ({ walletId }) => walletId],
  ['batchId', ({ batchId }) => batchId],
  ['destination', ({ pixKey, iban, cryptoAddress }) => pixKey ?? iban ?? cryptoAddress],
  ['beneficiary', ({ beneficiary }) => beneficiary],
  ['endToEndId', ({ endToEndId }) => endToEndId],
  ['txHash', ({ txHash }) => txHash],
  ['failureCode', ({ failureCode }) => failureCode],
  ['description', ({ description }) => description],
  ['metadata', ({ metadata }) => fieldCell(metadata)],
]

export function readWithdrawalsCsv(
  merchant: string,
  query: Query<'listWithdrawals'>,
  reading: CsvReading,
): Promise<Csv> {
  return readCsv('listWithdrawals', { merchant, query }, columns, reading)
}
