// What was done: by whom, to what, and why, newest first.
import { useState } from 'react'
import type { Query } from '../../api/call.ts'
import { readCsv, type CsvColumn } from '../../api/csv.ts'
import type { OperatorAuditEntry } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/code.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { spanOf } from '../../kit/days.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, spanFilters, useFilters, type Filter, type Values } from '../../kit/filters.tsx'
import { Card, Definitions, PageHeader } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { auditActionWords } from '../../words/audit-actions.ts'
import { kitWords } from '../../words/kit.ts'
import { operatorActionWords } from '../../words/operator-audit-actions.ts'
import { operatorPeopleWords } from '../../words/operator-people.ts'
import { operatorWords } from '../../words/operator.ts'
import { useReader, useWords } from '../../words/reader.ts'

export function AuditPage() {
  const words = useWords(operatorPeopleWords)
  const kit = useWords(kitWords)
  const { timeZone } = useReader()
  const [values, change] = useFilters()
  const query = queryOf(values, timeZone)
  const list = useList('listOperatorAudit', { query })
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
      <Card flush>
        <FilterBar search={words.auditSearch} filters={useFilterList(values)} />
        <Table
          label={words.auditTitle}
          columns={useColumns(setShown)}
          {...list}
          rowId={({ id }) => id}
          phone={(entry) => <PhoneLines entry={entry} onShow={setShown} />}
          empty={
            <Empty
              icon="search"
              title={words.auditNone}
              // A page of the log may be empty and still have a next one.
              action={list.hasMore ? <Button onClick={list.more}>{kit.more}</Button> : undefined}
            >
              {words.auditNoneLead}
            </Empty>
          }
        />
      </Card>
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

/** A merchant is a bare id; what else is searched is a subject. */
function queryOf(values: Values, timeZone: string): Query<'listOperatorAudit'> {
  const { q = '', actor, action } = values
  const search = q === '' ? {} : uuid.test(q) ? { merchant: q } : { subject: q }
  return { ...search, ...spanOf(values, timeZone), actor, action }
}

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
const csvColumns = csvNames.map((name): CsvColumn<'listOperatorAudit'> => [name, (entry) => entry[name]])

/** The name of an action; a newer one as the server writes it. */
function useActions(): Readonly<Record<string, string>> {
  const shop = useWords(auditActionWords).actions
  const operatorNames = useWords(operatorActionWords).actions
  return { ...shop, ...operatorNames }
}

/** Operators by name. Whoever else did something is chosen in one of their entries. */
function useFilterList({ actor, action }: Values): readonly Filter[] {
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

function useColumns(onShow: (entry: OperatorAuditEntry) => void): readonly Column<OperatorAuditEntry>[] {
  const words = useWords(operatorPeopleWords)
  return [
    {
      id: 'action',
      header: words.action,
      cell: (entry) => <ShowButton entry={entry} onShow={onShow} />,
    },
    {
      id: 'who',
      header: words.who,
      cell: ({ actorName, actorId }) => (
        <span className="block max-w-50 truncate" title={actorId}>
          {actorName ?? actorId}
        </span>
      ),
    },
    {
      id: 'subject',
      header: words.subject,
      grow: true,
      cell: ({ subject }) => <span className="block truncate font-mono">{subject}</span>,
    },
    {
      id: 'at',
      header: words.at,
      align: 'end',
      cell: ({ at }) => <Time at={at} className="text-ink-soft" />,
    },
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

function PhoneLines({
  entry,
  onShow,
}: {
  readonly entry: OperatorAuditEntry
  readonly onShow: (entry: OperatorAuditEntry) => void
}) {
  return (
    <>
      <span className="flex items-center justify-between gap-3">
        <ShowButton entry={entry} onShow={onShow} />
        <Time at={entry.at} className="text-ink-soft" />
      </span>
      <span className="truncate">{entry.actorName ?? entry.actorId}</span>
      <span className="truncate font-mono text-ink-soft">{entry.subject}</span>
    </>
  )
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
          [words.code, <span className="font-mono break-all">{entry.action}</span>],
          [words.at, <Time key="at" at={entry.at} />],
          [words.who, entry.actorName ?? `${entry.actorKind} ${entry.actorId}`],
          [words.subject, <span className="font-mono break-all">{entry.subject}</span>],
          merchantId !== undefined && [
            shared.merchant,
            <span className="font-mono break-all">{merchantId}</span>,
          ],
          reason !== undefined && [shared.reason, reason],
          address !== undefined && [words.address, <span className="font-mono">{address}</span>],
          requestId !== undefined && [
            words.request,
            <span className="font-mono break-all">{requestId}</span>,
          ],
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
