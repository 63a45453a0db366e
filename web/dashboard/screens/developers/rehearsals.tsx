// Rehearsals, newest first.
import { useState } from 'react'
import type { RehearsalSummary } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useWatch } from '../../api/watch.ts'
import { Button } from '../../kit/button.tsx'
import { createdColumn } from '../../kit/columns.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Card } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { RehearsalForm } from './rehearsal-form.tsx'
import { RehearsalState } from './rehearsal-state.tsx'

export function RehearsalList() {
  const words = useWords(sandboxWords)
  const pathOf = useDevelopersPath()
  const list = useList('listRehearsals')
  const [isMaking, setMaking] = useState(false)
  useWatch(list.rows?.some(({ status }) => status === 'RUNNING') === true, list.retry)
  return (
    <DevelopersFrame
      lead={words.rehearsalsLead}
      actions={
        <Button variant="primary" icon="play" onClick={() => setMaking(true)}>
          {words.start}
        </Button>
      }
    >
      <Card flush>
        <Table
          label={words.rehearsals}
          columns={useColumns()}
          {...list}
          rowId={({ id }) => id}
          href={({ id }) => pathOf(`rehearsals/${id}`)}
          phone={(rehearsal) => <PhoneLines rehearsal={rehearsal} />}
          empty={
            <Empty icon="play" title={words.none}>
              {words.noneLead}
            </Empty>
          }
        />
      </Card>
      {isMaking && <RehearsalForm last={list.rows?.[0]} onClose={() => setMaking(false)} />}
    </DevelopersFrame>
  )
}

function PhoneLines({ rehearsal }: { readonly rehearsal: RehearsalSummary }) {
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="flex items-center justify-between gap-3">
        <RehearsalState status={rehearsal.status} />
        <Time at={rehearsal.createdAt} inRow className="text-ink-soft" />
      </span>
      <span className="truncate text-ink-soft">{rehearsal.url}</span>
    </span>
  )
}

function useColumns(): readonly Column<RehearsalSummary>[] {
  const words = useWords(sandboxWords)
  const format = useFormat()
  return [
    { id: 'status', header: words.status, cell: ({ status }) => <RehearsalState status={status} /> },
    {
      id: 'counts',
      header: words.cases,
      cell: ({ passed, failed, notJudged }) => (
        <span className="figures whitespace-nowrap">
          {format.count(passed)} {words.passed} · {format.count(failed)} {words.failed}
          {notJudged > 0 && ` · ${format.count(notJudged)} ${words.notJudged}`}
        </span>
      ),
    },
    {
      id: 'url',
      header: words.url,
      grow: true,
      cell: ({ url }) => <span className="block truncate text-ink-soft">{url}</span>,
    },
    createdColumn(words.created),
  ]
}
