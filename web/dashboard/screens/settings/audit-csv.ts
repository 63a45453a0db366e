// The filtered audit log as a CSV file.
import type { QueryValues } from '../../api/client.ts'
import { readCsv, type Csv, type CsvColumn, type CsvReading } from '../../api/csv.ts'
import type { AuditEntry } from './audit-records.ts'

const names = [
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'action',
  'subject',
  'before',
  'after',
  'reason',
  'address',
  'requestId',
  'id',
] as const satisfies readonly (keyof AuditEntry)[]
const columns = names.map((name): CsvColumn<AuditEntry> => [name, (entry) => entry[name]])

export function readAuditCsv(merchantId: string, query: QueryValues, reading: CsvReading): Promise<Csv> {
  return readCsv(`/m/${merchantId}/audit`, query, columns, reading)
}
