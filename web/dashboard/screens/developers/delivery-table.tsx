// Deliveries, newest first: all, or those to one endpoint. Each row opens the delivery with its attempts.
import { hasFailed, isAccepted } from '../../api/delivery.ts'
import {
  eventTypes,
  type Delivery,
  type DeliveryStatus,
  type Event,
  type WebhookEndpoint,
} from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useWatch } from '../../api/watch.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import {
  FilterBar,
  hasFilter,
  spanFilters,
  useFilters,
  type Filter,
  type Values,
} from '../../kit/filters.tsx'
import { Icon } from '../../kit/icons.tsx'
import { DeliveryState } from '../../kit/states.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { useEventsOf } from './delivered-events.ts'
import { useDevelopersPath } from './frame.tsx'

const statuses: readonly DeliveryStatus[] = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELED']

/** `endpoints`: offered as a filter. */
export function DeliveryTable({
  endpointId,
  endpoints = [],
}: {
  readonly endpointId?: string
  readonly endpoints?: readonly WebhookEndpoint[]
}) {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  const pathOf = useDevelopersPath()
  const { timeZone } = useReader()
  const [values] = useFilters()
  const query = queryOf(values, timeZone)
  const list = useList('searchDeliveries', {
    query: {
      ...query,
      ...(endpointId === undefined ? {} : { endpointId }),
    },
  })
  const eventOf = useEventsOf(list.rows)
  useWatch(list.rows?.some(({ status }) => status === 'PENDING') === true, list.retry)
  const isFiltered = hasFilter(query)
  return (
    <>
      <FilterBar
        filters={useFilterList(endpointId === undefined ? endpoints : undefined)}
        search={words.deliveriesSearch}
      />
      <Table
        label={words.deliveries}
        columns={useColumns(eventOf)}
        {...list}
        rowId={({ id }) => id}
        href={({ id }) => pathOf(`deliveries/${id}`)}
        phone={(delivery) => <PhoneLines delivery={delivery} event={eventOf(delivery)} />}
        empty={
          <Empty
            icon="send"
            title={isFiltered ? common.noneFound : words.deliveriesNone}
            action={
              !isFiltered &&
              endpointId === undefined && <ButtonLink to={pathOf('webhooks')}>{words.title}</ButtonLink>
            }
          >
            {isFiltered ? common.noneFoundLead : words.deliveriesNoneLead}
          </Empty>
        }
      />
    </>
  )
}

function PhoneLines({ delivery, event }: { readonly delivery: Delivery; readonly event: Event | undefined }) {
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate font-strong">{event?.type ?? '…'}</span>
        <DeliveryState status={delivery.status} hasFailed={hasFailed(delivery)} />
      </span>
      <span className="flex items-center justify-between gap-3 text-ink-soft">
        <span className="min-w-0 truncate">{delivery.url}</span>
        {event !== undefined && <Time at={event.timestamp} inRow />}
      </span>
    </span>
  )
}

function useColumns(eventOf: (delivery: Delivery) => Event | undefined): readonly Column<Delivery>[] {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  return [
    {
      id: 'type',
      header: common.event,
      cell: (delivery) => (
        <span className="font-strong whitespace-nowrap">{eventOf(delivery)?.type ?? '…'}</span>
      ),
    },
    {
      id: 'status',
      header: words.status,
      cell: (delivery) => <DeliveryState status={delivery.status} hasFailed={hasFailed(delivery)} />,
    },
    {
      id: 'answer',
      header: words.lastAnswer,
      from: 'sm',
      cell: ({ attempts }) => <LastAnswer attempts={attempts} />,
    },
    {
      id: 'url',
      header: words.toEndpoint,
      grow: true,
      from: 'md',
      cell: ({ url }) => <span className="block truncate text-ink-soft">{url}</span>,
    },
    {
      id: 'attempts',
      header: words.attempts,
      align: 'end',
      from: 'lg',
      cell: ({ attempts }) => <span className="figures">{attempts.length}</span>,
    },
    {
      id: 'at',
      header: common.at,
      align: 'end',
      cell: (delivery) => {
        const event = eventOf(delivery)
        return event === undefined ? '…' : <Time at={event.timestamp} inRow className="text-ink-soft" />
      },
    },
  ]
}

function LastAnswer({ attempts }: Pick<Delivery, 'attempts'>) {
  const words = useWords(webhookWords)
  const last = attempts.at(-1)
  if (last === undefined) return <span className="text-ink-soft">–</span>
  return (
    <span
      className={`figures inline-flex items-center gap-1.5 whitespace-nowrap ${isAccepted(last.responseStatus) ? '' : 'text-bad'}`}
    >
      {!isAccepted(last.responseStatus) && <Icon name="cross" size={14} />}
      {last.responseStatus === undefined ? words.noAnswer : `HTTP ${last.responseStatus}`}
    </span>
  )
}

function useFilterList(endpoints: readonly WebhookEndpoint[] | undefined): readonly Filter[] {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  const states = useWords(stateWords)
  const places = (endpoints ?? []).map(({ id, url, description }) => ({
    value: id,
    label: description ?? url,
  }))
  return [
    {
      name: 'status',
      label: words.status,
      options: statuses.map((value) => ({ value, label: states.delivery[value] })),
    },
    {
      name: 'type',
      label: common.event,
      options: eventTypes.map((value) => ({ value, label: value })),
    },
    ...(places.length === 0 ? [] : [{ name: 'endpointId', label: words.anyEndpoint, options: places }]),
    ...spanFilters(common),
  ]
}

function queryOf(values: Values, timeZone: string): Values {
  const { status, type, endpointId, eventId, q = '' } = values
  return {
    ...soughtBy(q.trim()),
    status,
    type,
    endpointId,
    eventId,
    ...spanOf(values, timeZone),
  }
}

/** An id is the id of an event or of the event's record. Any other text is a host, or a URL whose host is used. */
function soughtBy(text: string): Values {
  if (text === '') return {}
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)) return { subject: text }
  return { host: text.replace(/^[a-z]+:\/\//i, '').split(/[/:?#]/)[0] }
}
