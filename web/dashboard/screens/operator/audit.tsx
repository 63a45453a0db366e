// What was done: by whom, to what, and why, newest first.
import { useState } from 'react'
import { useOperatorPages } from '../../api/operator.ts'
import type { AuditEntry } from '../../api/operator-records.ts'
import type { QueryValues } from '../../api/client.ts'
import { Button } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/code.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, useFilters, type Values } from '../../kit/filters.tsx'
import { Card, Definitions, PageHeader } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorPeopleWords } from '../../words/operator-people.ts'
import { operatorWords } from '../../words/operator.ts'
import { kitWords } from '../../words/kit.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { startOfDay } from '../payments/days.ts'

export function AuditPage() {
  const words = useWords(operatorPeopleWords)
  const kit = useWords(kitWords)
  const { timeZone } = useReader()
  const [values] = useFilters()
  const list = useOperatorPages<AuditEntry>('audit', queryOf(values, timeZone))
  const [shown, setShown] = useState<AuditEntry>()
  return (
    <>
      <PageHeader title={words.auditTitle} />
      <Card flush>
        <FilterBar
          search={words.auditSearch}
          filters={[
            { name: 'from', label: words.from, type: 'date' },
            { name: 'to', label: words.to, type: 'date' },
          ]}
        />
        <Table
          label={words.auditTitle}
          columns={useColumns(setShown)}
          rows={list.rows}
          rowId={({ id }) => id}
          phone={(entry) => <PhoneLines entry={entry} onShow={setShown} />}
          error={list.error}
          isFetching={list.isFetching}
          hasMore={list.hasMore}
          onMore={list.more}
          onRetry={list.retry}
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
      {shown !== undefined && <EntryDialog entry={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A subject has a colon, a merchant is a bare id; what else is searched is an action. */
function queryOf({ q = '', from, to }: Values, timeZone: string): QueryValues {
  const search =
    q === '' ? {} : q.includes(':') ? { subject: q } : uuid.test(q) ? { merchant: q } : { action: q }
  const span = {
    from: from === undefined ? undefined : startOfDay(from, 0, timeZone),
    to: to === undefined ? undefined : startOfDay(to, 1, timeZone),
  }
  const known = Object.entries(span).filter(([, value]) => value !== undefined)
  return { ...search, ...Object.fromEntries(known) }
}

function useColumns(onShow: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
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
  readonly entry: AuditEntry
  readonly onShow: (entry: AuditEntry) => void
}) {
  return (
    <button
      type="button"
      onClick={() => onShow(entry)}
      className="-mx-1 inline-flex min-h-8 max-w-full items-center rounded-small px-1 text-left font-strong whitespace-nowrap text-accent-text max-sm:break-all max-sm:whitespace-normal hover:underline phone:min-h-11"
    >
      {entry.action}
    </button>
  )
}

function PhoneLines({
  entry,
  onShow,
}: {
  readonly entry: AuditEntry
  readonly onShow: (entry: AuditEntry) => void
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

function EntryDialog({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const words = useWords(operatorPeopleWords)
  const shared = useWords(operatorWords)
  const { before, after, reason, address, requestId, merchantId } = entry
  const json = (fields: unknown) => JSON.stringify(fields, null, 2)
  return (
    <Dialog open onClose={onClose} title={entry.action} place="end">
      <Definitions
        items={[
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
      {before !== undefined && <CodeBlock label={words.before} code={json(before)} />}
      {after !== undefined && <CodeBlock label={words.after} code={json(after)} />}
    </Dialog>
  )
}
