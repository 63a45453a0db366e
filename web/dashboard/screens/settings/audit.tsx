// The audit log: who changed what, with what it was before and after.
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { CsvButton } from '../../kit/csv-button.tsx'
import { spanFilters, useFilters, type Values } from '../../kit/filters.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import { auditActionWords } from '../../words/audit-actions.ts'
import { auditWords } from '../../words/audit.ts'
import { useWords } from '../../words/reader.ts'
import { readAuditCsv } from './audit-csv.ts'
import { AuditRow } from './audit-row.tsx'
import { SettingsFrame } from './frame.tsx'

export function AuditPage() {
  const words = useWords(auditWords)
  const { id } = useMerchant()
  const [values, change] = useFilters()
  const records = useRecords('listAudit', {
    filters: useFilterList(values),
    find: (subject) => ({ subject }),
  })
  return (
    <SettingsFrame isWide>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[66ch] min-w-0 text-13 text-ink-soft">{words.lead}</p>
        <CsvButton name="audit" read={(reading) => readAuditCsv(id, records.query, reading)} />
      </div>
      <RecordList
        records={records}
        words={words}
        icon="book"
        line={(entry) => (
          <li className="border-b border-line last:border-0">
            <AuditRow entry={entry} onSubject={(subject) => change({ q: subject })} />
          </li>
        )}
      />
    </SettingsFrame>
  )
}

function useFilterList({ action }: Values): FiltersOf<'listAudit'> {
  const words = useWords(auditWords)
  const members = useList('listMembers', { query: { limit: 100 } }).rows ?? []
  const labels: Readonly<Record<string, string>> = useWords(auditActionWords).actions
  const named = action === undefined || action in labels ? labels : { ...labels, [action]: action }
  const actions = Object.entries(named)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return [
    {
      name: 'actorId',
      label: words.person,
      options: members.map(({ userId, name, email }) => ({
        value: userId,
        label: name === '' ? email : name,
      })),
    },
    { name: 'action', label: words.action, options: actions },
    ...spanFilters(words),
  ]
}
