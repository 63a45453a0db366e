// What changed in an entry of the audit log.
import type { Query } from '../../api/call.ts'
import { fieldCell, readCsv, type Csv, type CsvColumn, type CsvReading } from '../../api/csv.ts'
import type { AuditEntry } from '../../api/generated.ts'

export type Difference = {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The fields that differ; of a new record all of them. */
export function differencesOf({
  before,
  after,
}: Pick<AuditEntry, 'before' | 'after'>): readonly Difference[] {
  const was = fieldsOf(before)
  const is = fieldsOf(after)
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter((each) => each.before !== each.after)
}

/** Deep objects as `limits.daily`; lists as one text. */
function fieldsOf(value: unknown, path = ''): Map<string, string> {
  const fields = new Map<string, string>()
  if (value === null || value === undefined) return fields
  if (typeof value !== 'object' || Array.isArray(value)) {
    fields.set(path, textOf(value))
    return fields
  }
  for (const [name, each] of Object.entries(value))
    for (const [field, text] of fieldsOf(each, path === '' ? name : `${path}.${name}`))
      fields.set(field, text)
  return fields
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? '')
}

// The filtered audit log as a CSV file.

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
const columns = names.map((name): CsvColumn<'listAudit'> => [
  name,
  (entry) => (name === 'at' ? { at: entry.at } : fieldCell(entry[name])),
])

export function readAuditCsv(merchant: string, query: Query<'listAudit'>, reading: CsvReading): Promise<Csv> {
  return readCsv('listAudit', { merchant, query }, columns, reading)
}
