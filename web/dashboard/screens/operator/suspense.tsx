// Money that fits no payment: a person decides whose it is; about large sums a second one.
import type { Unmatched } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMayOperate } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Code } from '../../kit/copy.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { choice, currencyFilter } from '../../kit/filters.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Notice, PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { operatorSuspenseWords } from '../../words/operator-suspense.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Approvals } from './approvals.tsx'
import { useMethodName } from './parts.tsx'

export function SuspenseList() {
  const words = useWords(operatorSuspenseWords)
  const records = useRecords('listSuspense', { filters: useFilterList() })
  const isFiltered = records.query.connection !== undefined || records.query.currency !== undefined
  return (
    <>
      <PageHeader title={words.title} lead={words.lead} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <Approvals />
        <RecordList
          // That it shows also what is decided hides nothing.
          records={{ ...records, isFiltered }}
          words={words}
          icon="checkCircle"
          columns={useColumns()}
        />
      </div>
    </>
  )
}

/** The connection that the address names may be missing from the first page of connections. */
function useFilterList(): FiltersOf<'listSuspense'> {
  const [{ connection: chosen }] = useFilters()
  const words = useWords(operatorSuspenseWords)
  const nameOf = useMethodName()
  const connections = useList('listConnections').rows ?? []
  const named = connections.map(({ id, method, merchantName }) => ({
    value: id,
    label: [nameOf(method), merchantName ?? id].join(' · '),
  }))
  const isListed = chosen === undefined || connections.some(({ id }) => id === chosen)
  return [
    choice('all', words.waiting, ['1'], { '1': words.withDecided }),
    {
      name: 'connection',
      label: words.connection,
      options: isListed ? named : [...named, { value: chosen, label: chosen }],
    },
    currencyFilter(words.currency),
  ]
}

/** The reason in words; a reason that is newer than these pages is shown as the server sends it. */
function useReasonOf(): (reason: string) => string {
  const reasons: Readonly<Record<string, string>> = useWords(operatorSuspenseWords).reasons
  return (reason) => reasons[reason] ?? reason
}

function useColumns(): readonly Column<Unmatched>[] {
  const reasonOf = useReasonOf()
  const words = useWords(operatorSuspenseWords)
  const shared = useWords(operatorWords)
  const nameOf = useMethodName()
  return [
    { header: shared.amount, money: 'amount', className: 'font-strong' },
    { header: shared.method, from: 'md', cell: ({ method }) => nameOf(method) },
    {
      header: words.why,
      grow: true,
      cell: ({ reason, note }) => (
        <span className="block truncate phone:whitespace-normal" title={note ?? reasonOf(reason)}>
          {reasonOf(reason)}
          {note !== undefined && <span className="text-ink-soft"> · {note}</span>}
        </span>
      ),
    },
    {
      header: words.reference,
      from: 'lg',
      cell: ({ providerRef }) => <Code value={providerRef} what={words.reference} />,
    },
    { header: words.received, time: 'happenedAt' },
    {
      header: words.resolve,
      align: 'end',
      phone: 'note',
      cell: (row) => <Decision row={row} />,
    },
  ]
}

function Decision({ row }: { readonly row: Unmatched }) {
  const words = useWords(operatorSuspenseWords)
  const may = useMayOperate()
  if (row.resolution === 'CREDITED') return <Badge tone="good">{words.credited}</Badge>
  if (row.resolution === 'RETURNED') return <Badge tone="calm">{words.wasReturned}</Badge>
  if (row.outcome !== 'paid') return <Badge tone="calm">{words.notMoney}</Badge>
  return (
    <span className="inline-flex items-center justify-end gap-2 phone:flex-wrap">
      {row.needsTwo && (
        <Badge tone="wait" icon="user">
          {words.needsTwo}
        </Badge>
      )}
      {may('approve') && <Resolve unmatched={row} />}
    </span>
  )
}

function Resolve({ unmatched }: { readonly unmatched: Unmatched }) {
  const reasonOf = useReasonOf()
  const words = useWords(operatorSuspenseWords)
  const format = useFormat()
  const draft = useDraft({ resolution: 'CREDITED' as 'CREDITED' | 'RETURNED', merchantId: '' })
  const { resolution, merchantId } = draft.values
  const amount = format.money(unmatched.amount, unmatched.currency)
  return (
    <OperatorButton
      about={amount}
      title={words.resolveTitle(amount)}
      lead={reasonOf(unmatched.reason)}
      act={words.resolve}
      reason="needed"
      call="resolveSuspense"
      id={unmatched.id}
      draft={draft}
      fields={[
        unmatched.needsTwo && <Notice key="two">{words.needsTwoLead}</Notice>,
        unmatched.reportedSince.length > 0 && (
          <Notice key="since" tone="bad">
            {words.since}: {format.list(unmatched.reportedSince)}
          </Notice>
        ),
        {
          name: 'resolution',
          label: words.resolve,
          cards: [
            { value: 'CREDITED', label: words.credit, help: words.creditHelp },
            { value: 'RETURNED', label: words.returned, help: words.returnedHelp },
          ],
        },
        resolution === 'CREDITED' && { name: 'merchantId', label: words.merchantId, className: 'font-mono' },
      ]}
      body={() => ({
        resolution,
        ...(resolution === 'CREDITED' ? { merchantId: merchantId.trim() } : {}),
      })}
      done={({ proposal }) => (proposal === undefined ? words.resolved : words.proposed)}
    />
  )
}
