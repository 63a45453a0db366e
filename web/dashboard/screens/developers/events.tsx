// All events of the merchant, newest first.
import { eventTypes, type Event } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, hasFilter, spanFilters, useFilters, type Values } from '../../kit/filters.tsx'
import { Card } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { frameWords } from '../../words/frame.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

export function EventList() {
  const words = useWords(developerWords)
  const { nav } = useWords(frameWords)
  const pathOf = useDevelopersPath()
  const { id } = useMerchant()
  const [values] = useFilters()
  const { isFiltered, list } = useEvents(values)
  const news = useNews('events', list.retry)
  return (
    <DevelopersFrame lead={words.eventsLead}>
      <Card flush>
        <FilterBar
          filters={[
            {
              name: 'type',
              label: words.type,
              options: eventTypes.map((value) => ({ value, label: value })),
            },
            ...spanFilters(words),
          ]}
          search={words.eventsSearch}
        />
        <Table
          label={words.pages.events}
          columns={useColumns()}
          {...list}
          rowId={(event) => event.id}
          href={(event) => pathOf(`events/${event.id}`)}
          phone={(event) => <PhoneLines event={event} />}
          news={news}
          empty={
            <Empty
              icon="developers"
              title={isFiltered ? words.noneFound : words.eventsNone}
              action={!isFiltered && <ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
            >
              {isFiltered ? words.noneFoundLead : words.eventsNoneLead}
            </Empty>
          }
        />
      </Card>
    </DevelopersFrame>
  )
}

/** The events that fit the filters of the address. No event has a text that is no id. */
function useEvents(values: Values) {
  const { type, q = '' } = values
  const { timeZone } = useReader()
  const sought = q.trim()
  const isId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(sought)
  const query = {
    type,
    subject: isId ? sought : undefined,
    ...spanOf(values, timeZone),
  }
  const isLookedFor = sought === '' || isId
  const found = useList('searchEvents', { query, enabled: isLookedFor, area: 'events' })
  const list = isLookedFor ? found : { ...found, rows: [], error: null, isFetching: false, hasMore: false }
  return { isFiltered: sought !== '' || hasFilter(query), list }
}

/** What the event is about: the record's id, where its `data` has one. */
export function recordOf({ data }: Pick<Event, 'data'>): string | undefined {
  return typeof data['id'] === 'string' ? data['id'] : undefined
}

function PhoneLines({ event }: { readonly event: Event }) {
  const format = useFormat()
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="truncate font-strong">{event.type}</span>
      <span className="flex items-center justify-between gap-3 text-ink-soft">
        <span className="figures">{format.count(event.sequence)}</span>
        <Time at={event.timestamp} inRow />
      </span>
    </span>
  )
}

function useColumns(): readonly Column<Event>[] {
  const words = useWords(developerWords)
  const format = useFormat()
  return [
    {
      id: 'type',
      header: words.type,
      cell: ({ type }) => <span className="font-strong whitespace-nowrap">{type}</span>,
    },
    {
      id: 'record',
      header: words.record,
      grow: true,
      from: 'sm',
      cell: (event) => (
        <span className="block truncate font-mono text-ink-soft">{recordOf(event) ?? event.id}</span>
      ),
    },
    {
      id: 'sequence',
      header: words.sequence,
      align: 'end',
      from: 'md',
      cell: ({ sequence }) => <span className="figures">{format.count(sequence)}</span>,
    },
    {
      id: 'at',
      header: words.at,
      align: 'end',
      cell: ({ timestamp }) => <Time at={timestamp} inRow className="text-ink-soft" />,
    },
  ]
}
