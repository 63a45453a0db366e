// All events of the merchant, newest first.
import { eventTypes, type Event } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { choice, spanFilters } from '../../kit/filters.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { developerWords } from '../../words/developers.ts'
import { frameWords } from '../../words/frame.ts'
import { useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

export function EventList() {
  const words = useWords(developerWords)
  const { nav } = useWords(frameWords)
  const pathOf = useDevelopersPath()
  const { id } = useMerchant()
  const records = useRecords('searchEvents', {
    filters: [choice('type', words.type, eventTypes), ...spanFilters(words)],
    find: (text) => (isId(text) ? { subject: text } : undefined),
    area: 'events',
  })
  return (
    <DevelopersFrame lead={words.eventsLead}>
      <RecordList
        records={records}
        words={{
          ...words,
          title: words.pages.events,
          none: words.eventsNone,
          noneLead: words.eventsNoneLead,
          search: words.eventsSearch,
        }}
        icon="developers"
        columns={[
          { header: words.type, text: 'type', phone: 'title', className: 'font-strong sm:max-w-none' },
          {
            header: words.record,
            grow: true,
            from: 'sm',
            phone: 'none',
            className: 'font-mono text-ink-soft',
            cell: (event) => recordOf(event) ?? event.id,
          },
          { header: words.sequence, count: 'sequence', from: 'md', phone: 'note' },
          { header: words.at, time: 'timestamp' },
        ]}
        href={(event) => pathOf(`events/${event.id}`)}
        news={useNews('events', records.retry)}
        first={<ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
      />
    </DevelopersFrame>
  )
}

/** What the event is about: the record's id, where its `data` has one. */
export function recordOf({ data }: Pick<Event, 'data'>): string | undefined {
  return typeof data['id'] === 'string' ? data['id'] : undefined
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)
}
