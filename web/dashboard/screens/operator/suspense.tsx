// Money that fits no payment: a person decides whose it is; about large sums a second one.
import { useState } from 'react'
import type { Unmatched } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { faultOf } from '../../api/problem.ts'
import { useList } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { choice, currencyFilter, useFilters } from '../../kit/filters.tsx'
import { Notice, PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { toast } from '../../kit/toast.tsx'
import { operatorSuspenseWords } from '../../words/operator-suspense.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Approvals } from './approvals.tsx'
import { useMethodName } from './parts.tsx'

export function SuspenseList() {
  const words = useWords(operatorSuspenseWords)
  const records = useRecords('listSuspense', { filters: useFilterList() })
  const isFiltered = records.query.connection !== undefined || records.query.currency !== undefined
  const [chosen, setChosen] = useState<Unmatched>()
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
          columns={useColumns(setChosen)}
        />
      </div>
      {chosen !== undefined && <ResolveDialog unmatched={chosen} onClose={() => setChosen(undefined)} />}
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

type Choose = (unmatched: Unmatched) => void

/** The reason in words; a reason that is newer than these pages is shown as the server sends it. */
function useReasonOf(): (reason: string) => string {
  const reasons: Readonly<Record<string, string>> = useWords(operatorSuspenseWords).reasons
  return (reason) => reasons[reason] ?? reason
}

function useColumns(onResolve: Choose): readonly Column<Unmatched>[] {
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
      cell: (row) => <Decision row={row} onResolve={onResolve} />,
    },
  ]
}

function Decision({ row, onResolve }: { readonly row: Unmatched; readonly onResolve: Choose }) {
  const words = useWords(operatorSuspenseWords)
  const format = useFormat()
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
      {may('approve') && (
        <Button onClick={() => onResolve(row)}>
          {words.resolve}
          <span className="aside">: {format.money(row.amount, row.currency)}</span>
        </Button>
      )}
    </span>
  )
}

function ResolveDialog({
  unmatched,
  onClose,
}: {
  readonly unmatched: Unmatched
  readonly onClose: () => void
}) {
  const reasonOf = useReasonOf()
  const words = useWords(operatorSuspenseWords)
  const format = useFormat()
  const [resolution, setResolution] = useState<'CREDITED' | 'RETURNED'>('CREDITED')
  const [merchantId, setMerchantId] = useState('')
  return (
    <ActionDialog
      title={words.resolveTitle(format.money(unmatched.amount, unmatched.currency))}
      lead={reasonOf(unmatched.reason)}
      act={words.resolve}
      reason="needed"
      call="resolveSuspense"
      id={unmatched.id}
      body={() => ({
        resolution,
        ...(resolution === 'CREDITED' ? { merchantId: merchantId.trim() } : {}),
      })}
      onAnswer={({ proposal }) => {
        toast(proposal === undefined ? words.resolved : words.proposed)
        onClose()
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          {unmatched.needsTwo && <Notice>{words.needsTwoLead}</Notice>}
          {unmatched.reportedSince.length > 0 && (
            <Notice tone="bad">
              {words.since}: {format.list(unmatched.reportedSince)}
            </Notice>
          )}
          <RadioCards
            legend={words.resolve}
            value={resolution}
            onChange={setResolution}
            options={[
              { value: 'CREDITED', label: words.credit, help: words.creditHelp },
              { value: 'RETURNED', label: words.returned, help: words.returnedHelp },
            ]}
          />
          {resolution === 'CREDITED' && (
            <TextField
              label={words.merchantId}
              className="font-mono"
              value={merchantId}
              fault={faultOf(error, 'merchantId')}
              onChange={(event) => setMerchantId(event.target.value)}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}
