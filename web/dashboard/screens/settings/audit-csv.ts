// The filtered audit log as a CSV file.
import type { Query } from '../../api/call.ts'
import { readCsv, type Csv, type CsvColumn, type CsvReading } from '../../api/csv.ts'
import type { AuditEntry } from '../../api/generated.ts'

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
const columns = names.map((name): CsvColumn<'listAudit'> => [name, (entry) => entry[name]])

export function readAuditCsv(merchant: string, query: Query<'listAudit'>, reading: CsvReading): Promise<Csv> {
  return readCsv('listAudit', { merchant, query }, columns, reading)
}
