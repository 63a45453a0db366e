// One connection: its settings without secrets, where its provider calls, when its certificates expire, and its tests.
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { WholeConnection, ConnectionHealth } from '../../api/operator-records.ts'
import { useRead } from '../../api/queries.ts'
import { useMayOperate, useParam } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { CopyButton, CodeBlock } from '../../kit/copy.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { MoreMenu } from '../../kit/menu.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorConnectionWords } from '../../words/operator-connections.ts'
import { operatorHealthWords } from '../../words/operator-health.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorDialog } from './action-dialog.tsx'
import { ConnectionState, useTests } from './connections.tsx'
import { JobCard, useFollowed } from './job-view.tsx'
import { Line, ModeBadge, NothingHere, useMethodName, Part } from './parts.tsx'

export function ConnectionPage() {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  const nameOf = useMethodName()
  const id = useParam('id')
  const act = useAct()
  const [jobId, setJobId] = useState<string>()
  const run = async (word: 'test' | 'register') => {
    const job = await act.ask(`${word}Connection`, { id, body: {} })
    if (job !== undefined) setJobId(job.id)
  }
  return (
    <RecordPage
      of={useRead('getConnection', { id })}
      kind={words.connection}
      back={{ to: '/operator/connections', label: words.title }}
      head={(connection) => ({
        name: `${nameOf(connection.method)} · ${connection.provider}`,
        badges: (
          <>
            <ConnectionState connection={connection} />
            <ModeBadge mode={connection.mode} />
          </>
        ),
        id: [connection.id, shared.id],
        actions: (
          <ConnectionActions connection={connection} onRun={(word) => void run(word)} isBusy={act.isBusy} />
        ),
      })}
    >
      {(connection) => (
        <Beside side={<Side connection={connection} />}>
          <FormFault error={act.error} />
          {!connection.hasType && <Notice tone="calm">{words.isChain}</Notice>}
          {connection.hasType && <Tests id={id} running={jobId} />}
          {connection.hasType && <ConnectionCalls id={id} />}
          <Card title={words.settings}>
            <SettingsFacts settings={connection.settings} />
          </Card>
        </Beside>
      )}
    </RecordPage>
  )
}

function ConnectionActions({
  connection,
  onRun,
  isBusy,
}: {
  readonly connection: WholeConnection
  readonly onRun: (word: 'test' | 'register') => void
  readonly isBusy: boolean
}) {
  const words = useWords(operatorConnectionWords)
  const may = useMayOperate()
  const [isSwitching, setSwitching] = useState(false)
  const { id, isActive, hasType, callback } = connection
  if (!may('write') || !hasType) return null
  const word = isActive ? 'disable' : 'enable'
  return (
    <>
      <ButtonLink to={`/operator/connections/${id}/replace`} icon="key">
        {words.replace}
      </ButtonLink>
      <Button variant="primary" icon="play" busy={isBusy} onClick={() => onRun('test')}>
        {words.test}
      </Button>
      <MoreMenu
        label={words.more}
        entries={[
          callback !== undefined &&
            !callback.isByHand && { label: words.register, icon: 'link', onSelect: () => onRun('register') },
          {
            label: words[word],
            icon: isActive ? 'cross' : 'play',
            danger: isActive,
            onSelect: () => setSwitching(true),
          },
        ]}
      />
      {isSwitching && (
        <OperatorDialog
          title={words[word]}
          lead={words[`${word}Lead`]}
          act={words[word]}
          isDanger={isActive}
          reason="maybe"
          call="switchConnection"
          id={id}
          body={() => ({ isActive: !isActive })}
          done={words[`${word}d`]}
          onClose={() => setSwitching(false)}
        />
      )}
    </>
  )
}

/** The job under way, and the last test. */
function Tests({ id, running }: { readonly id: string; readonly running: string | undefined }) {
  const words = useWords(operatorConnectionWords)
  const last = useTests().find((job) => job.arguments['connectionId'] === id)
  const job = useFollowed(running, last)
  return <JobCard title={words.tests} job={job} none={words.testsNone} />
}

function Side({ connection }: { readonly connection: WholeConnection }) {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  const { callback, certificates } = connection
  return (
    <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
      <Card title={words.connection}>
        <Definitions
          items={[
            [words.forWhom, connection.merchantName ?? words.shared],
            [words.canRefund, connection.canRefund ? words.yes : words.no],
            [shared.created, timeOf(connection.createdAt)],
            [shared.changed, timeOf(connection.changedAt)],
          ]}
        />
      </Card>
      {callback !== undefined && (
        <Card title={words.callback}>
          <p className="flex items-start gap-1 text-13">
            <span className="min-w-0 font-mono break-all">{callback.url}</span>
            <CopyButton value={callback.url} what={words.callback} />
          </p>
          <p className="mt-2 text-13 text-ink-soft">
            {callback.isByHand ? words.callbackByHand : words.callbackByJob}
          </p>
        </Card>
      )}
      {(certificates.length > 0 || connection.hasType) && (
        <Card title={words.certificates} flush>
          {certificates.length === 0 && <NothingHere>{shared.none}</NothingHere>}
          <ul>
            {certificates.map((each, index) => (
              <CertificateLine key={`${each.field} ${index}`} certificate={each} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

const soonMs = 30 * 86_400_000

function CertificateLine({ certificate }: { readonly certificate: WholeConnection['certificates'][number] }) {
  const words = useWords(operatorConnectionWords)
  const format = useFormat()
  const labels: Readonly<Record<string, string>> = words.fields
  const { field, subject, endsAt } = certificate
  const name = field.split(/[./]/).at(-1) ?? field
  const leftMs = endsAt === undefined ? Infinity : Date.parse(endsAt) - Date.now()
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-40">
        <span className="font-strong">{labels[name] ?? field}</span>
        {subject !== undefined && <span className="block break-words text-ink-soft">{subject}</span>}
        <span className="block">
          {endsAt === undefined ? words.endsUnknown : `${words.endsAt}: ${format.short(endsAt)}`}
        </span>
      </span>
      {leftMs < soonMs && (
        <Badge tone={leftMs < 0 ? 'bad' : 'wait'} icon="alert">
          {leftMs < 0 ? words.ended : words.endsSoon}
        </Badge>
      )}
    </Line>
  )
}

// The settings of a connection as facts. Secrets are never among them.

export function SettingsFacts({ settings }: { readonly settings: Readonly<Record<string, unknown>> }) {
  const { fields } = useWords(operatorConnectionWords)
  const labels: Readonly<Record<string, string>> = fields
  const entries = Object.entries(settings).map(([name, value]) => [name, textOf(value)] as const)
  const [long, short] = [
    entries.filter(([, text]) => text.includes('\n')),
    entries.filter(([, text]) => !text.includes('\n')),
  ]
  return (
    <div className="flex flex-col gap-3">
      <Definitions
        items={short.map(
          ([name, text]) =>
            [labels[name] ?? name, <span className="font-mono break-all">{text}</span>] as const,
        )}
      />
      {long.map(([name, text]) => (
        <CodeBlock key={name} label={labels[name] ?? name} code={text} />
      ))}
    </div>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return JSON.stringify(value)
}

// How the provider of a connection answered in the last hours: calls, failures, how long they took, and the last good answer.

const everyMs = 30_000

function ConnectionCalls({ id }: { readonly id: string }) {
  const words = useWords(operatorHealthWords)
  const query = useRead('getConnectionHealth', { id, everyMs: () => everyMs })
  return (
    <Card title={words.title} flush>
      <Part query={query}>
        {(health) =>
          health.hours.length === 0 ? (
            <NothingHere>{words.none}</NothingHere>
          ) : (
            <>
              <LastAnswers health={health} />
              <Hours hours={health.hours} />
            </>
          )
        }
      </Part>
    </Card>
  )
}

function LastAnswers({
  health: { lastGoodAt, lastBadAt, lastError },
}: {
  readonly health: ConnectionHealth
}) {
  const words = useWords(operatorHealthWords)
  return (
    <div className="px-4 pt-3 pb-2">
      <Definitions
        items={[
          [words.lastGood, timeOf(lastGoodAt) ?? words.never],
          lastBadAt !== undefined && [
            words.lastBad,
            <span className="break-words">
              <Time at={lastBadAt} />
              <Details>{lastError}</Details>
            </span>,
          ],
        ]}
      />
    </div>
  )
}

function Hours({ hours }: Pick<ConnectionHealth, 'hours'>) {
  const words = useWords(operatorHealthWords)
  const format = useFormat()
  return (
    <Table
      label={words.title}
      rows={hours}
      rowId={({ hour }) => hour}
      isTable
      columns={[
        { header: words.hour, time: 'hour', grow: true, align: 'start' },
        { header: words.calls, count: 'calls' },
        {
          header: words.errors,
          align: 'end',
          cell: ({ errors }) => (
            <span className={`figures ${errors > 0 ? 'text-bad' : 'text-ink-soft'}`}>
              {format.count(errors)}
            </span>
          ),
        },
        {
          header: words.mean,
          align: 'end',
          className: 'figures',
          cell: ({ meanMs }) => `${format.count(meanMs)} ms`,
        },
        {
          header: words.longest,
          align: 'end',
          from: 'sm',
          className: 'figures',
          cell: ({ longestMs }) => `${format.count(longestMs)} ms`,
        },
      ]}
      empty={null}
    />
  )
}
