// The items of one queue, by id: those that failed most first.
import { useParam } from '../../api/address.ts'
import { Code } from '../../kit/copy.tsx'
import { Details } from '../../kit/details.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorQueueWords } from '../../words/operator-queues.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { Line } from './parts.tsx'
import { useQueueName } from './queues.tsx'

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
