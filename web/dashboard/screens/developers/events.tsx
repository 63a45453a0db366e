// All events of the merchant, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { eventTypes } from '../../api/developer-records.ts'
import { clearNew, useNewCount } from '../../api/marks.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, useFilters } from '../../kit/filters.tsx'
import { Card } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { shellWords } from '../../words/shell.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import type { NumberedEvent } from './delivered-events.ts'
import { eventsBefore, newestSequence } from './events-back.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

export function EventList() {
  const words = useWords(developerWords)
  const { nav } = useWords(shellWords)
  const pathOf = useDevelopersPath()
  const { id } = useMerchant()
  const [{ type }] = useFilters()
  const list = useEvents(type)
  const news = `${id} events`
  const count = useNewCount(news)
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
          ]}
        />
        <Table
          label={words.pages.events}
          columns={useColumns()}
          rows={list.data?.pages.flatMap((page) => page.data)}
          rowId={(event) => event.id}
          href={(event) => pathOf(`events/${event.id}`)}
          phone={(event) => <PhoneLines event={event} />}
          error={list.error}
          isFetching={list.isFetching}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
          onRetry={() => void list.refetch()}
          news={{
            count,
            show: () => {
              clearNew(news)
              void list.refetch()
            },
          }}
          empty={
            <Empty
              icon="developers"
              title={type === undefined ? words.eventsNone : words.noneFound}
              action={type === undefined && <ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
            >
              {type === undefined ? words.eventsNoneLead : words.noneFoundLead}
            </Empty>
          }
        />
      </Card>
    </DevelopersFrame>
  )
}

function useEvents(type: string | undefined) {
  const { id } = useMerchant()
  return useInfiniteQuery({
    queryKey: ['m', id, 'events', 'list', type],
    queryFn: async ({ pageParam, signal }) => {
      const read = { merchantId: id, signal }
      const before = pageParam === undefined ? (await newestSequence(read)) + 1 : Number(pageParam)
      return eventsBefore(read, before, type)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: (previous) => previous,
  })
}

/** What the event is about: the record's id, where its `data` has one. */
export function recordOf({ data }: Pick<NumberedEvent, 'data'>): string | undefined {
  return typeof data['id'] === 'string' ? data['id'] : undefined
}

function PhoneLines({ event }: { readonly event: NumberedEvent }) {
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

function useColumns(): readonly Column<NumberedEvent>[] {
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
