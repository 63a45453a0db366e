// The audit log: who changed what, with what it was before and after.
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import { Fault } from '../../kit/fault.tsx'
import {
  FilterBar,
  hasFilter,
  spanFilters,
  useFilters,
  type Filter,
  type Values,
} from '../../kit/filters.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { auditActionWords } from '../../words/audit-actions.ts'
import { auditWords } from '../../words/audit.ts'
import { kitWords } from '../../words/kit.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { readAuditCsv } from './audit-csv.ts'
import { AuditRow } from './audit-row.tsx'
import { SettingsFrame } from './frame.tsx'

export function AuditPage() {
  const words = useWords(auditWords)
  const kit = useWords(kitWords)
  const { id } = useMerchant()
  const { timeZone } = useReader()
  const [values, change] = useFilters()
  const query = queryOf(values, timeZone)
  const list = useList('listAudit', { query })
  const isFiltered = hasFilter(query)
  const rows = list.rows
  return (
    <SettingsFrame isWide>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[66ch] min-w-0 text-13 text-ink-soft">{words.lead}</p>
        <CsvButton name="audit" read={(reading) => readAuditCsv(id, query, reading)} />
      </div>
      <Card flush>
        <FilterBar filters={useFilterList(values)} search={words.search} />
        <LoadingLine isOn={list.isFetching} />
        {list.error !== null && rows === undefined && <Fault error={list.error} onRetry={list.retry} />}
        {rows?.length === 0 && !list.hasMore && !list.isFetching && (
          <Empty icon="book" title={isFiltered ? words.noneFound : words.none}>
            {isFiltered ? words.noneFoundLead : words.noneLead}
          </Empty>
        )}
        <ul aria-label={words.title} aria-busy={list.isFetching}>
          {rows?.map((entry) => (
            <li key={entry.id} className="border-b border-line last:border-0">
              <AuditRow entry={entry} onSubject={(subject) => change({ q: subject })} />
            </li>
          ))}
        </ul>
        {list.hasMore && (
          <div className="flex justify-end border-t border-line p-3">
            {/* A page is the matches among a thousand entries, so it may be empty although there are further pages. */}
            <Button onClick={list.more} busy={list.isFetching}>
              {rows?.length === 0 ? words.goOn : kit.more}
            </Button>
          </div>
        )}
      </Card>
    </SettingsFrame>
  )
}

function useFilterList({ action }: Values): readonly Filter[] {
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

function queryOf(values: Values, timeZone: string): Values {
  const { actorId, action, q } = values
  return {
    actorId,
    action,
    subject: q,
    ...spanOf(values, timeZone),
  }
}
