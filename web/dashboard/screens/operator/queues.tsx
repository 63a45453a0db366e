// How much of each kind of durable work waits, what failed, and how much the installation carries now.
import type { ParkedSignal } from '../../api/generated.ts'
import type { Queue } from '../../api/operator-records.ts'
import { useRead } from '../../api/queries.ts'
import { useMayOperate, useParam } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Code, CodeBlock, readable } from '../../kit/copy.tsx'
import { Definitions, type Fact } from '../../kit/facts.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorHealthWords } from '../../words/operator-health.ts'
import { operatorQueueWords } from '../../words/operator-queues.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line, Part, useMethodName } from './parts.tsx'

const everyMs = 10_000

export function useQueueName(): (name: string) => string {
  const { names } = useWords(operatorQueueWords)
  return (name) => (names as Readonly<Record<string, string>>)[name] ?? name
}

export function QueueList() {
  const words = useWords(operatorQueueWords)
  const format = useFormat()
  const nameOf = useQueueName()
  const failing = ({ failing: count }: Queue) =>
    count > 0 ? (
      <Badge tone="bad" icon="alert">
        <span className="figures">{format.count(count)}</span>
        <span className="aside"> {words.failing}</span>
      </Badge>
    ) : (
      <span className="figures text-ink-soft">0</span>
    )
  return (
    <>
      <PageHeader title={words.title} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <RecordList
          records={useAllRecords('listQueues', { everyMs: () => everyMs })}
          words={{ title: words.title, none: words.noneLead }}
          rowId={({ name }) => name}
          href={({ name }) => `/operator/queues/${name}`}
          isTable
          columns={[
            { header: words.queue, grow: true, className: 'font-strong', cell: ({ name }) => nameOf(name) },
            {
              header: words.depth,
              align: 'end',
              className: 'figures',
              cell: ({ depth, isMore }) => `${isMore ? '> ' : ''}${format.count(depth)}`,
            },
            { header: words.due, count: 'due', from: 'sm' },
            { header: words.failing, align: 'end', cell: failing },
            { header: words.oldest, time: 'oldestDueAt', none: '', from: 'sm' },
          ]}
        />
        <ParkedCard />
        <Load />
      </div>
    </>
  )
}

/** Below a hundredth of a percent more digits would say nothing. */
function percentText(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(share)
}

function Load() {
  const words = useWords(operatorQueueWords)
  const health = useWords(operatorHealthWords)
  const { locale } = useReader()
  const format = useFormat()
  const query = useRead('getCapacity', { everyMs: () => everyMs })
  return (
    <Card title={words.load}>
      <Part query={query}>
        {({ books, today, measured }) => (
          <Definitions
            items={[
              ...books.map(({ minutes, batches, transfers }): Fact => [
                words.loadOf(format.count(minutes)),
                <span className="figures">
                  {words.booked(format.count(transfers), format.count(batches))}
                </span>,
              ]),
              [
                words.today,
                <span className="figures">
                  {today.isWhole ? '' : `${words.atLeast} `}
                  {words.todayOf(format.count(today.created), format.count(today.paid))}
                </span>,
              ],
              [
                health.measured,
                measured === undefined ? (
                  health.unmeasured
                ) : (
                  <span className="figures">
                    {health.measuredOf(format.count(measured.paymentsPerSecond))} · <Time at={measured.at} />
                  </span>
                ),
              ],
              measured !== undefined && [
                health.share,
                <span className="figures">
                  {health.shareOf(percentText(today.createdPerSecond / measured.paymentsPerSecond, locale))}
                </span>,
              ],
            ]}
          />
        )}
      </Part>
      <p className="mt-2 text-13 text-ink-soft">{words.capacityNote}</p>
    </Card>
  )
}

// The items of one queue, by id: those that failed most first.

export function QueuePage() {
  const words = useWords(operatorQueueWords)
  const format = useFormat()
  const nameOf = useQueueName()
  const name = useParam('name')
  const records = useAllRecords('listQueueItems', { id: name })
  return (
    <>
      <PageHeader
        title={nameOf(name)}
        lead={words.items}
        back={{ to: '/operator/queues', label: words.title }}
      />
      <RecordList
        records={records}
        words={{ title: nameOf(name), none: words.none, noneLead: words.noneLead }}
        icon="checkCircle"
        line={(item) => (
          <Line>
            <span className="min-w-0 flex-1 basis-56">
              <Code value={item.id} what={words.item} keep={18} />
              {item.connection !== undefined && (
                <span className="block font-mono break-all text-ink-soft">{item.connection}</span>
              )}
              <Details>{item.error}</Details>
            </span>
            <span className={`figures ${item.fails > 0 ? 'text-bad' : 'text-ink-soft'}`}>
              {words.fails(format.count(item.fails))}
            </span>
            <span className="text-ink-soft">
              {words.dueAt} <Time at={item.dueAt} />
            </span>
          </Line>
        )}
      />
    </>
  )
}

// Signals of providers that could not be settled. Their content was written by others.

function ParkedCard() {
  const words = useWords(operatorQueueWords)
  const records = useRecords('listParkedSignals')
  return (
    <RecordList
      records={records}
      words={{ title: words.parked, none: words.parkedNone }}
      title={words.parked}
      line={(each) => <SignalLine signal={each} />}
    >
      {records.rows !== undefined && records.rows.length > 0 && (
        <p className="px-4 pt-3 text-13 text-ink-soft">{words.parkedLead}</p>
      )}
    </RecordList>
  )
}

function SignalLine({ signal }: { readonly signal: ParkedSignal }) {
  const words = useWords(operatorQueueWords)
  const format = useFormat()
  const nameOf = useMethodName()
  const may = useMayOperate()
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 text-13 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1 basis-48">
          <span className="font-strong">
            {nameOf(signal.method)} · {signal.id}
          </span>
          <span className="block font-mono break-all text-ink-soft">{signal.connection}</span>
          <Details>{signal.lastError}</Details>
        </span>
        <span className="figures text-ink-soft">{words.fails(format.count(signal.tries))}</span>
        <Time at={signal.receivedAt} className="text-ink-soft" />
        {may('write') && (
          <OperatorButton
            title={words.retry}
            lead={words.retryLead}
            act={words.retry}
            reason="maybe"
            call="retrySignal"
            id={signal.id}
            done={words.retried}
          />
        )}
        {may('approve') && (
          <OperatorButton
            variant="danger"
            title={words.drop}
            lead={words.dropLead}
            act={words.drop}
            reason="needed"
            call="dropSignal"
            id={signal.id}
            done={words.dropped}
          />
        )}
      </div>
      <CodeBlock label={words.body} code={readable(signal.body)} />
    </li>
  )
}
