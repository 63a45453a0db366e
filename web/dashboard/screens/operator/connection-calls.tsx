// How the provider of a connection answered in the last hours: calls, failures, how long they took, and the last good answer.
import type { ConnectionHealth } from '../../api/operator-records.ts'
import { useRead } from '../../api/queries.ts'
import { Details } from '../../kit/details.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { Card } from '../../kit/page.tsx'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorHealthWords } from '../../words/operator-health.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { NothingHere, Part } from './parts.tsx'

const everyMs = 30_000

export function ConnectionCalls({ id }: { readonly id: string }) {
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
