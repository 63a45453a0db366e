// Jobs that workers carry out: run one now, and see what the others found.
import { useNavigate } from '@tanstack/react-router'
import { given } from '#/kernel/given.ts'
import { jobKinds, jobStatuses, type OperatorJob } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMayOperate, useParam } from '../../api/session.ts'
import { OpenerButton } from '../../kit/action-dialog.tsx'
import { CodeBlock } from '../../kit/copy.tsx'
import { codeOf, Definitions, timeOf } from '../../kit/facts.tsx'
import { choice } from '../../kit/filters.tsx'
import { useDraft } from '../../kit/form.tsx'
import { hasAddressForm } from '../../kit/format.ts'
import { PageHeader, Card } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { operatorJobWords } from '../../words/operator-jobs.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords, useFormat } from '../../words/reader.ts'
import { OperatorDialog, OperatorButton } from './action-dialog.tsx'
import { JobState, useKindName, isOpen, JobOutcome } from './job-view.tsx'

const runnable = ['verify', 'balances', 'sweep', 'rescue'] as const
type Runnable = (typeof runnable)[number]

export function JobList() {
  const words = useWords(operatorJobWords)
  const shared = useWords(operatorWords)
  const nameOf = useKindName()
  const may = useMayOperate()
  const records = useRecords('listJobs', {
    filters: [
      choice('kind', words.kind, jobKinds, nameOf),
      choice('status', shared.state, jobStatuses, words.states),
    ],
  })
  return (
    <>
      <PageHeader title={words.title} />
      {may('write') && <RunCards />}
      <RecordList
        records={records}
        words={words}
        icon="clock"
        columns={[
          { header: words.kind, grow: true, className: 'font-strong', cell: ({ kind }) => nameOf(kind) },
          { header: shared.state, cell: (job) => <JobState job={job} /> },
          { header: words.requestedAt, time: 'createdAt' },
        ]}
        href={({ id }) => `/operator/jobs/${id}`}
      />
    </>
  )
}

function Run({ kind }: { readonly kind: Runnable }) {
  const words = useWords(operatorJobWords)
  const nameOf = useKindName()
  const navigate = useNavigate()
  const draft = useDraft({ chain: '', address: '', token: 'native' })
  const [chain, address, token] = [draft.values.chain, draft.values.address, draft.values.token].map((text) =>
    text.trim(),
  )
  const isRescue = kind === 'rescue'
  const wrong = (text = '') => !hasAddressForm(text) && words.addressWrong
  return (
    <OpenerButton
      opener={{ icon: 'play', className: 'self-start' }}
      act={words.run}
      about={nameOf(kind)}
      onOpen={draft.reset}
      dialog={(onClose) => (
        <OperatorDialog
          title={nameOf(kind)}
          lead={words.leads[kind]}
          act={words.run}
          reason="maybe"
          call="requestJob"
          draft={draft}
          fields={[
            (kind === 'sweep' || isRescue) && { name: 'chain', label: words.chain },
            isRescue && {
              name: 'address',
              label: words.address,
              className: 'font-mono',
              wrong: wrong(address),
            },
            isRescue && {
              name: 'token',
              label: words.token,
              className: 'font-mono',
              wrong: token !== 'native' && wrong(token),
            },
          ]}
          body={() => ({
            kind,
            arguments: { ...given({ chain: chain || undefined }), ...(isRescue ? { address, token } : {}) },
          })}
          done={words.started}
          onAnswer={({ id }) => void navigate({ to: `/operator/jobs/${id}` })}
          onClose={onClose}
        />
      )}
    />
  )
}

function RunCards() {
  const words = useWords(operatorJobWords)
  const nameOf = useKindName()
  return (
    <ul className="mb-6 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4 phone:mb-4">
      {runnable.map((each) => (
        <li key={each} className="flex flex-col gap-2 rounded-card border border-line bg-card p-4">
          <h2 className="text-15 font-strong">{nameOf(each)}</h2>
          <p className="flex-1 text-13 text-ink-soft">{words.leads[each]}</p>
          <Run kind={each} />
        </li>
      ))}
    </ul>
  )
}

// One job: how far it is, what it found, and how to end it.

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
