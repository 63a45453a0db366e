// Rehearsals, newest first.
import type { Rehearsal, RehearsalCaseResult } from '../../api/generated.ts'
import { useWatch } from '../../api/watch.ts'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { RehearsalForm } from './rehearsal-form.tsx'

export function RehearsalList() {
  const words = useWords(sandboxWords)
  const pathOf = useDevelopersPath()
  const format = useFormat()
  const records = useRecords('listRehearsals')
  useWatch(records.rows?.some(({ status }) => status === 'RUNNING') === true, records.retry)
  return (
    <DevelopersFrame
      lead={words.rehearsalsLead}
      actions={
        <DialogButton
          variant="primary"
          icon="play"
          dialog={(onClose) => <RehearsalForm last={records.rows?.[0]} onClose={onClose} />}
        >
          {words.start}
        </DialogButton>
      }
    >
      <RecordList
        records={records}
        words={{ title: words.rehearsals, none: words.none, noneLead: words.noneLead }}
        icon="play"
        columns={[
          { header: words.status, cell: ({ status }) => <RehearsalState status={status} /> },
          {
            header: words.cases,
            cell: ({ passed, failed, notJudged }) => (
              <span className="figures whitespace-nowrap">
                {format.count(passed)} {words.passed} · {format.count(failed)} {words.failed}
                {notJudged > 0 && ` · ${format.count(notJudged)} ${words.notJudged}`}
              </span>
            ),
          },
          { header: words.url, text: 'url', grow: true, className: 'text-ink-soft' },
          { header: words.created, time: 'createdAt' },
        ]}
        href={({ id }) => pathOf(`rehearsals/${id}`)}
      />
    </DevelopersFrame>
  )
}

const tones = {
  RUNNING: 'wait',
  PASSED: 'good',
  FAILED: 'bad',
  INCOMPLETE: 'wait',
  CANCELED: 'calm',
  WAITING: 'calm',
  NOT_JUDGED: 'wait',
  SKIPPED: 'calm',
} as const

export function RehearsalState({ status }: Pick<Rehearsal, 'status'>) {
  const words = useWords(sandboxWords)
  return <Badge tone={tones[status]}>{words.statuses[status]}</Badge>
}

export function CaseState({ status }: Pick<RehearsalCaseResult, 'status'>) {
  const words = useWords(sandboxWords)
  return <Badge tone={tones[status]}>{words.caseStatus[status]}</Badge>
}
