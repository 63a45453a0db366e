// Rehearsals, newest first.
import { useNavigate } from '@tanstack/react-router'
import { given } from '#/kernel/given.ts'
import { useAct } from '../../api/act.ts'
import type { Rehearsal, RehearsalCaseResult, RehearsalSummary } from '../../api/generated.ts'
import { useList, useWatch, useRead } from '../../api/queries.ts'
import { useParam } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { CodeBlock, readable } from '../../kit/copy.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Progress } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { RecordPage, Stack } from '../../kit/record-page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

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
        href={({ id }) => pathOf(`test/${id}`)}
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

// Starts a rehearsal of a server.

const address = { type: 'url', maxLength: 2048, spellCheck: false, autoComplete: 'off' } as const

/** No address has a space. */
const untyped = ' '

/** The last rehearsal's addresses are offered again; the first time, that of the first endpoint. */
export function RehearsalForm({
  last,
  onClose,
}: {
  readonly last: RehearsalSummary | undefined
  readonly onClose: () => void
}) {
  const words = useWords(sandboxWords)
  const navigate = useNavigate()
  const pathOf = useDevelopersPath()
  const endpoints = useList('listWebhookEndpoints', { query: { limit: 100 } }).rows
  const draft = useDraft({ url: last?.url ?? untyped, stateUrl: last?.stateUrl ?? '', seed: '' })
  const { stateUrl, seed } = draft.values
  const url = draft.values.url === untyped ? (endpoints?.[0]?.url ?? '') : draft.values.url
  return (
    <ActionDialog
      call="createRehearsal"
      title={words.start}
      lead={words.rehearsalsLead}
      act={words.startDo}
      icon="play"
      isChecked
      draft={{ ...draft, values: { url, stateUrl, seed } }}
      fields={[
        { ...address, name: 'url', label: words.url, help: words.urlHelp, required: true },
        { ...address, name: 'stateUrl', label: words.stateUrl, help: words.stateUrlHelp },
        {
          name: 'seed',
          label: words.seed,
          help: words.seedHelp,
          inputMode: 'numeric',
          pattern: String.raw`\d{1,10}`,
        },
      ]}
      body={() => ({
        url: url.trim(),
        ...given({
          stateUrl: stateUrl.trim() || undefined,
          seed: seed.trim() === '' ? undefined : Number(seed),
        }),
      })}
      onAnswer={(made) => {
        onClose()
        void navigate({ to: pathOf(`test/${made.id}`) })
      }}
      onClose={onClose}
    />
  )
}

// One rehearsal: what it found, and what to change in the server that was tested.

export function RehearsalPage() {
  const words = useWords(sandboxWords)
  const pathOf = useDevelopersPath()
  const id = useParam('rehearsalId')
  const read = useRead('getRehearsal', { id })
  useWatch(read.data?.status === 'RUNNING', () => void read.refetch())
  return (
    <RecordPage
      of={read}
      kind={words.rehearsal}
      back={{ to: pathOf('test'), label: words.rehearsals }}
      head={(rehearsal) => ({
        name: words.rehearsal,
        badges: <RehearsalState status={rehearsal.status} />,
        lead: <span className="font-mono break-all">{rehearsal.url}</span>,
        actions: <Actions rehearsal={rehearsal} />,
      })}
    >
      {(rehearsal) => (
        <Stack>
          <Verdict rehearsal={rehearsal} />
          <Card title={words.cases} flush>
            <ul>
              {rehearsal.cases?.map((each) => (
                <li key={each.case} className="border-b border-line px-4 py-3 last:border-0">
                  <Case given={each} />
                </li>
              ))}
            </ul>
          </Card>
        </Stack>
      )}
    </RecordPage>
  )
}

function Actions({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const words = useWords(sandboxWords)
  const act = useAct()
  const cancel = async () => {
    if (await act.send('cancelRehearsal', { id: rehearsal.id })) toast(words.canceled)
  }
  if (rehearsal.status === 'RUNNING')
    return (
      <>
        <Button variant="danger" icon="cross" busy={act.isBusy} onClick={() => void cancel()}>
          {words.cancel}
        </Button>
        <FormFault error={act.error} />
      </>
    )
  return (
    <DialogButton
      variant="primary"
      icon="play"
      dialog={(onClose) => <RehearsalForm last={rehearsal} onClose={onClose} />}
    >
      {words.again}
    </DialogButton>
  )
}

function Verdict({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const words = useWords(sandboxWords)
  const format = useFormat()
  const { status, passed, failed, notJudged, cases } = rehearsal
  const all = cases.length
  const done = cases.filter((each) => each.status !== 'WAITING' && each.status !== 'RUNNING').length
  const counts = [
    { count: passed, word: words.passed, className: 'text-good' },
    { count: failed, word: words.failed, className: failed > 0 ? 'text-bad' : '' },
    { count: notJudged, word: words.notJudged, className: '' },
  ]
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <p className="max-w-[66ch] text-15" aria-live="polite">
          {words.meaning[status]}
        </p>
        {status === 'RUNNING' && (
          <div className="flex flex-col gap-1.5">
            <Progress value={done} max={all} label={words.cases} />
            <p className="figures text-13 text-ink-soft">
              {words.progress(format.count(done), format.count(all))}
            </p>
          </div>
        )}
        <ul className="flex flex-wrap gap-x-8 gap-y-2">
          {counts.map(({ count, word, className }) => (
            <li key={word} className="text-13">
              <span className={`figures block text-28 font-strong ${className}`}>{format.count(count)}</span>
              <span className="text-ink-soft">{word}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

/** The texts of a case are in English, as the API has them. */
function Case({ given }: { readonly given: RehearsalCaseResult }) {
  const words = useWords(sandboxWords)
  const { status, title, expected, observed, fix, docs } = given
  const facts = [
    [words.expected, expected],
    [words.observed, observed],
    [words.fix, fix],
  ] as const
  return (
    <div className="flex flex-col gap-2 text-13">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-13 font-strong" lang="en">
          {title}
        </h3>
        <CaseState status={status} />
      </div>
      {(status === 'FAILED' || status === 'NOT_JUDGED') && (
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[120px_minmax(0,1fr)]">
          {facts.map(([name, text]) =>
            text === undefined ? null : (
              <div key={name} className="contents">
                <dt className="text-ink-soft max-sm:mt-1">{name}</dt>
                <dd className="max-w-[66ch] break-words" lang="en">
                  {text}
                </dd>
              </div>
            ),
          )}
          <dt className="text-ink-soft max-sm:mt-1">{words.docs}</dt>
          <dd className="font-mono break-all">{docs}</dd>
        </dl>
      )}
      <CaseDeliveries given={given} />
    </div>
  )
}

function CaseDeliveries({ given: { deliveries } }: { readonly given: RehearsalCaseResult }) {
  const words = useWords(sandboxWords)
  const format = useFormat()
  if (deliveries.length === 0) return null
  return (
    <details>
      <summary className="inline-flex min-h-6 items-center text-ink-soft hover:text-ink phone:min-h-11">
        {words.sent(deliveries.length)}
      </summary>
      <ol className="mt-1 flex flex-col">
        {deliveries.map((each, index) => (
          // They are in the order in which they were sent, and stay so.
          <li
            key={`${index} ${each.what}`}
            className="flex flex-wrap items-center gap-x-3 border-t border-line py-1.5"
          >
            <span className="min-w-0 flex-1 basis-48" lang="en">
              {each.what} <span className="text-ink-soft">· {each.type}</span>
            </span>
            <span className="figures text-ink-soft">
              {each.responseStatus === undefined
                ? (each.error ?? words.noAnswer)
                : `HTTP ${each.responseStatus}`}{' '}
              · {format.span(each.durationMs)}
            </span>
            {each.responseBody !== undefined && each.responseBody !== '' && (
              <div className="basis-full pt-1">
                <CodeBlock label={`HTTP ${each.responseStatus}`} code={readable(each.responseBody)} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}
