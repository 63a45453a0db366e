// One job: how far it is, what it found, and how to end it.
import { useParam } from '../../api/address.ts'
import type { OperatorJob } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useRead } from '../../api/queries.ts'
import { CodeBlock } from '../../kit/code.tsx'
import { codeOf, Definitions, timeOf } from '../../kit/facts.tsx'
import { Card } from '../../kit/page.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { operatorJobWords } from '../../words/operator-jobs.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { isOpen, JobOutcome, JobState, useKindName } from './job-view.tsx'

const everyMs = 1_000

export function JobPage() {
  const words = useWords(operatorJobWords)
  const shared = useWords(operatorWords)
  const nameOf = useKindName()
  const may = useMayOperate()
  const id = useParam('id')
  return (
    <RecordPage
      of={useRead('getJob', { id, everyMs: (found) => (isOpen(found) ? everyMs : 0) })}
      kind={words.job}
      back={{ to: '/operator/jobs', label: words.title }}
      head={(job) => ({
        name: nameOf(job.kind),
        badges: <JobState job={job} />,
        id: [job.id, shared.id],
        actions: isOpen(job) && !job.isCancelRequested && may('write') && (
          <OperatorButton
            variant="danger"
            title={words.cancelTitle}
            lead={words.cancelLead}
            act={words.cancel}
            isDanger
            reason="maybe"
            call="cancelJob"
            id={job.id}
            done={words.cancelDone}
          />
        ),
      })}
    >
      {(job) => (
        <Beside side={<JobFacts job={job} />}>
          <Card title={words.result}>
            <JobOutcome job={job} />
          </Card>
        </Beside>
      )}
    </RecordPage>
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
          [words.requestedAt, timeOf(job.createdAt)],
          [shared.by, codeOf(job.requestedBy.id, shared.by)],
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
