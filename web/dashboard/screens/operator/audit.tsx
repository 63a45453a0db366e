// What was done: by whom, to what, and why, newest first.
import { useState } from 'react'
import type { Query } from '../../api/call.ts'
import { fieldCell, readCsv, type CsvColumn } from '../../api/csv.ts'
import type { OperatorAuditEntry } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/copy.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { useFilters, type Values } from '../../kit/filter-values.ts'
import { spanFilters } from '../../kit/filters.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import { auditActionWords } from '../../words/audit-actions.ts'
import { operatorActionWords } from '../../words/operator-audit-actions.ts'
import { operatorPeopleWords } from '../../words/operator-people.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'

export function AuditPage() {
  const words = useWords(operatorPeopleWords)
  const [values, change] = useFilters()
  const records = useRecords('listOperatorAudit', {
    filters: useFilterList(values),
    // A merchant is a bare id; what else is searched is a subject.
    find: (text): Query<'listOperatorAudit'> => (uuid.test(text) ? { merchant: text } : { subject: text }),
  })
  const { query } = records
  const [shown, setShown] = useState<OperatorAuditEntry>()
  return (
    <>
      <PageHeader
        title={words.auditTitle}
        actions={
          <CsvButton
            name="audit"
            read={(reading) => readCsv('listOperatorAudit', { query }, csvColumns, reading)}
          />
        }
      />
      <RecordList
        records={records}
        words={{
          title: words.auditTitle,
          none: words.auditNone,
          noneLead: words.auditNoneLead,
          noneFoundLead: words.auditNoneLead,
          search: words.auditSearch,
        }}
        icon="search"
        columns={[
          {
            header: words.action,
            phone: 'title',
            cell: (entry) => <ShowButton entry={entry} onShow={setShown} />,
          },
          { header: words.who, cell: ({ actorName, actorId }) => actorName ?? actorId },
          { header: words.subject, text: 'subject', grow: true, phone: 'line', className: 'font-mono' },
          { header: words.at, time: 'at' },
        ]}
      />
      {shown !== undefined && (
        <EntryDialog
          entry={shown}
          onFilter={(only) => {
            setShown(undefined)
            change(only)
          }}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const csvNames = [
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'action',
  'subject',
  'merchantId',
  'before',
  'after',
  'reason',
  'address',
  'requestId',
  'id',
] as const satisfies readonly (keyof OperatorAuditEntry)[]
const csvColumns = csvNames.map((name): CsvColumn<'listOperatorAudit'> => [
  name,
  (entry) => (name === 'at' ? { at: entry.at } : fieldCell(entry[name])),
])

/** The name of an action; a newer one as the server writes it. */
function useActions(): Readonly<Record<string, string>> {
  const shop = useWords(auditActionWords).actions
  const operatorNames = useWords(operatorActionWords).actions
  return { ...shop, ...operatorNames }
}

/** Operators by name. Whoever else did something is chosen in one of their entries. */
function useFilterList({ actor, action }: Values): FiltersOf<'listOperatorAudit'> {
  const words = useWords(operatorPeopleWords)
  const operators = useList('listUsers', { query: { operators: '1', limit: 100 } }).rows ?? []
  const people = operators.map(({ id, name, email }) => ({ value: id, label: name === '' ? email : name }))
  const isListed = actor === undefined || people.some(({ value }) => value === actor)
  const labels = useActions()
  const actions = Object.entries(
    action === undefined || action in labels ? labels : { ...labels, [action]: action },
  )
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return [
    {
      name: 'actor',
      label: words.person,
      options: isListed ? people : [...people, { value: actor, label: actor }],
    },
    { name: 'action', label: words.action, options: actions },
    ...spanFilters(words),
  ]
}

function ShowButton({
  entry,
  onShow,
}: {
  readonly entry: OperatorAuditEntry
  readonly onShow: (entry: OperatorAuditEntry) => void
}) {
  const labels = useActions()
  return (
    <button
      type="button"
      onClick={() => onShow(entry)}
      className="-mx-1 inline-flex min-h-8 max-w-full items-center rounded-small px-1 text-left font-strong text-accent-text sm:whitespace-nowrap hover:underline phone:min-h-11"
    >
      {labels[entry.action] ?? entry.action}
    </button>
  )
}

function mono(text: string | undefined) {
  return text === undefined ? undefined : <span className="font-mono break-all">{text}</span>
}

function EntryDialog({
  entry,
  onFilter,
  onClose,
}: {
  readonly entry: OperatorAuditEntry
  readonly onFilter: (only: Values) => void
  readonly onClose: () => void
}) {
  const words = useWords(operatorPeopleWords)
  const labels = useActions()
  const shared = useWords(operatorWords)
  const { before, after, reason, address, requestId, merchantId } = entry
  const json = (fields: unknown) => JSON.stringify(fields, null, 2)
  return (
    <Dialog open onClose={onClose} title={labels[entry.action] ?? entry.action} place="end">
      <Definitions
        items={[
          [words.code, mono(entry.action)],
          [words.at, timeOf(entry.at)],
          [words.who, entry.actorName ?? `${entry.actorKind} ${entry.actorId}`],
          [words.subject, mono(entry.subject)],
          [shared.merchant, mono(merchantId)],
          [shared.reason, reason],
          [words.address, mono(address)],
          [words.request, mono(requestId)],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Button icon="filter" onClick={() => onFilter({ actor: entry.actorId })}>
          {words.onlyPerson}
        </Button>
        <Button icon="filter" onClick={() => onFilter({ q: entry.subject })}>
          {words.onlySubject}
        </Button>
      </div>
      {before !== undefined && <CodeBlock label={words.before} code={json(before)} />}
      {after !== undefined && <CodeBlock label={words.after} code={json(after)} />}
    </Dialog>
  )
}
