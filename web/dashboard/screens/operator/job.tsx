// One job: how far it is, what it found, and how to end it.
import { useState } from 'react'
import { useParam } from '../../api/address.ts'
import type { OperatorJob } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useRead } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/code.tsx'
import { Code } from '../../kit/copy.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Card, Definitions, PageHeader } from '../../kit/page.tsx'
import { RecordId, TitleLine } from '../../kit/record-head.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorJobWords } from '../../words/operator-jobs.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { isOpen, JobOutcome, JobState, useKindName } from './job-view.tsx'

const everyMs = 1_000

export function JobPage() {
  const words = useWords(operatorJobWords)
  const shared = useWords(operatorWords)
  const nameOf = useKindName()
  const may = useMayOperate()
  const id = useParam('id')
  const [isCanceling, setCanceling] = useState(false)
  const {
    data: job,
    error,
    refetch,
  } = useRead('getJob', { id, everyMs: (found) => (isOpen(found) ? everyMs : 0) })
  const back = { to: '/operator/jobs', label: words.title }
  if (job === undefined)
    return (
      <>
        <PageHeader title={words.job} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  return (
    <>
      <PageHeader
        back={back}
        titleText={nameOf(job.kind)}
        title={
          <TitleLine>
            {nameOf(job.kind)} <JobState job={job} />
          </TitleLine>
        }
        lead={<RecordId value={job.id} what={shared.id} />}
        actions={
          isOpen(job) &&
          !job.isCancelRequested &&
          may('write') && (
            <Button variant="danger" onClick={() => setCanceling(true)}>
              {words.cancel}
            </Button>
          )
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <Card title={words.result}>
          <JobOutcome job={job} />
        </Card>
        <JobFacts job={job} />
      </div>
      {isCanceling && (
        <ActionDialog
          title={words.cancelTitle}
          lead={words.cancelLead}
          act={words.cancel}
          isDanger
          reason="maybe"
          call="cancelJob"
          id={job.id}
          done={words.cancelDone}
          onClose={() => setCanceling(false)}
        />
      )}
    </>
  )
}

function JobFacts({ job }: { readonly job: OperatorJob }) {
  const words = useWords(operatorJobWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const { startedAt, endedAt } = job
  const hasArguments = Object.keys(job.arguments).length > 0
  return (
    <Card title={words.job}>
      <Definitions
        items={[
          [words.requestedAt, <Time key="requested" at={job.createdAt} />],
          [shared.by, <Code key="by" value={job.requestedBy.id} what={shared.by} />],
          startedAt !== undefined &&
            endedAt !== undefined && [words.took, format.span(Date.parse(endedAt) - Date.parse(startedAt))],
        ]}
      />
      {hasArguments && (
        <div className="mt-2">
          <CodeBlock label={words.arguments} code={JSON.stringify(job.arguments, null, 2)} />
        </div>
      )}
    </Card>
  )
}
