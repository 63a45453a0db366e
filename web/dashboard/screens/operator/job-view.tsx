// How far a job is, and what it found, in words.
import { fill } from '#/kernel/dictionary.ts'
import type { OperatorJob } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { Details, lookUp } from '../../kit/reason.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorJobFailureWords } from '../../words/operator-job-failures.ts'
import { operatorJobWords } from '../../words/operator-jobs.ts'
import { problemWords } from '../../words/problems.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { JobResult } from './job-results.tsx'

/** While it has not ended, it is asked for again. */
export function isOpen(job: Pick<OperatorJob, 'status'> | undefined): boolean {
  return job?.status === 'QUEUED' || job?.status === 'RUNNING'
}

const followMs = 1_000

const tones: Readonly<Record<OperatorJob['status'], Tone>> = {
  QUEUED: 'calm',
  RUNNING: 'wait',
  DONE: 'good',
  FAILED: 'bad',
  CANCELED: 'calm',
}

export function JobState({ job }: { readonly job: Pick<OperatorJob, 'status'> }) {
  const words = useWords(operatorJobWords)
  return <Badge tone={tones[job.status]}>{words.states[job.status]}</Badge>
}

export function useKindName(): (kind: string) => string {
  const { kinds } = useWords(operatorJobWords)
  return (kind) => (kinds as Readonly<Record<string, string>>)[kind] ?? kind
}

/** The job of this id, else the last one, followed until it has ended. */
export function useFollowed(running: string | undefined, last: OperatorJob | undefined) {
  const id = running ?? last?.id
  const { data = last } = useRead('getJob', {
    id: id ?? '',
    enabled: id !== undefined,
    everyMs: (found) => (found === undefined || isOpen(found) ? followMs : 0),
  })
  return data
}

/** A job with its instant and state. `none`: what is said without one. */
export function JobCard({
  title,
  job,
  none,
}: {
  readonly title: string
  readonly job: OperatorJob | undefined
  readonly none?: string
}) {
  return (
    <Card
      title={title}
      action={
        job !== undefined && (
          <span className="flex items-center gap-3 text-13 text-ink-soft">
            <Time at={job.createdAt} />
            <JobState job={job} />
          </span>
        )
      }
    >
      {job === undefined ? <p className="text-13 text-ink-soft">{none}</p> : <JobOutcome job={job} />}
    </Card>
  )
}

/** What a job says now: its progress, why it failed, or what it found. `isShort`: without its whole result. */
export function JobOutcome({
  job,
  isShort = false,
}: {
  readonly job: OperatorJob
  readonly isShort?: boolean
}) {
  const words = useWords(operatorJobWords)
  const failure = useFailure(job)
  if (isOpen(job)) return <Progress job={job} />
  if (job.status === 'FAILED')
    return (
      <Notice tone="bad">
        <span className="font-strong">{words.failed}: </span>
        {failure.sentence}
        {failure.isGeneral && <Details>{job.error}</Details>}
      </Notice>
    )
  if (job.result === undefined) return null
  return <JobResult kind={job.kind} result={job.result} isShort={isShort} />
}

/** Keys that say of what kind a failure is, and not what exactly happened. */
const generalFailures: ReadonlySet<string> = new Set([
  'problem',
  'provider_refused',
  'provider_unavailable',
  'broke',
])

/** In the reader's language. `isGeneral`: the server's own words belong beside it. */
function useFailure({ failure = { key: 'broke' } }: OperatorJob): {
  readonly sentence: string
  readonly isGeneral: boolean
} {
  const { failures, unsure } = useWords(operatorJobFailureWords)
  const problems = useWords(problemWords)
  const sentences: Readonly<Record<string, string>> = failures
  const { key, values = {}, isUnsure } = failure
  const code = key === 'problem' ? String(values['code']) : undefined
  const ofProblem = lookUp(problems.codes, code) ?? lookUp(problems.general, code)
  const text = ofProblem ?? fill(sentences[key] ?? failures.broke, values)
  return {
    sentence: isUnsure === true ? `${text} ${unsure}` : text,
    isGeneral: generalFailures.has(key) || sentences[key] === undefined,
  }
}

function Progress({ job }: { readonly job: OperatorJob }) {
  const words = useWords(operatorJobWords)
  const { done, total } = job.progress ?? {}
  const isKnown = done !== undefined && total !== undefined && total > 0
  return (
    <div className="flex flex-col gap-2 text-13" role="status">
      <p>
        {useProgressText(job)}
        {job.isCancelRequested && ` ${words.canceling}`}
      </p>
      {isKnown && (
        <div className="flex items-center gap-3">
          <progress
            aria-label={words.running}
            value={done}
            max={total}
            className="h-1.5 min-w-0 flex-1 accent-accent"
          />
          <span className="figures text-ink-soft">{Math.floor((done / total) * 100)} %</span>
        </div>
      )}
    </div>
  )
}

function useProgressText({ status, progress }: OperatorJob): string {
  const words = useWords(operatorJobWords)
  const files = useWords(operatorFileWords)
  const format = useFormat()
  if (status === 'QUEUED') return words.queued
  const { what, count, addresses, file } = progress?.values ?? {}
  if (progress?.key === 'job.verify' && what !== undefined)
    return words.checked(String(what), format.count(Number(count ?? 0)))
  if (progress?.key === 'job.sweep') return words.swept(format.count(Number(addresses ?? 0)))
  if (progress?.key === 'job.statement.import') return files.reading(String(file ?? ''))
  return words.running
}
