// Deliveries, newest first: all, or those to one endpoint. Each row opens the delivery with its attempts.
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { hasFailed, isAccepted } from '../../api/delivery.ts'
import {
  eventTypes,
  type Delivery,
  type DeliveryStatus,
  type Event,
  type WebhookEndpoint,
} from '../../api/generated.ts'
import { useList, useWatch } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { choice, spanFilters } from '../../kit/filters.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Notice } from '../../kit/page.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import { DeliveryState } from '../../kit/states.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { isId } from './events.tsx'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

const statuses: readonly DeliveryStatus[] = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELED']

export function DeliveryList() {
  const words = useWords(webhookWords)
  const [{ eventId }, change] = useFilters()
  const endpoints = useList('listWebhookEndpoints', { query: { limit: 100 } })
  return (
    <DevelopersFrame lead={words.deliveriesLead}>
      {eventId !== undefined && (
        <div className="mb-4">
          <Notice
            tone="calm"
            action={<Button onClick={() => change({ eventId: undefined })}>{words.showAll}</Button>}
          >
            {words.eventFilter}
          </Notice>
        </div>
      )}
      <DeliveryTable endpoints={endpoints.rows ?? []} />
    </DevelopersFrame>
  )
}

/** `endpoints`: offered as a filter. */
export function DeliveryTable({
  endpointId,
  endpoints = [],
  title,
}: {
  readonly endpointId?: string
  readonly endpoints?: readonly WebhookEndpoint[]
  readonly title?: string
}) {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  const pathOf = useDevelopersPath()
  const [{ eventId }] = useFilters()
  const records = useRecords('searchDeliveries', {
    query: { eventId, endpointId },
    filters: useFilterList(endpointId === undefined ? endpoints : []),
    find: soughtBy,
  })
  const eventOf = useEventsOf(records.rows)
  useWatch(records.rows?.some(({ status }) => status === 'PENDING') === true, records.retry)
  const isFiltered = records.isFiltered || eventId !== undefined
  return (
    <RecordList
      records={{ ...records, isFiltered }}
      words={{
        ...common,
        title: words.deliveries,
        none: words.deliveriesNone,
        noneLead: words.deliveriesNoneLead,
        search: words.deliveriesSearch,
      }}
      icon="send"
      title={title}
      columns={useColumns(eventOf)}
      href={({ id }) => pathOf(`webhooks/deliveries/${id}`)}
      first={endpointId === undefined && <ButtonLink to={pathOf('webhooks')}>{words.title}</ButtonLink>}
    />
  )
}

function useColumns(eventOf: (delivery: Delivery) => Event | undefined): readonly Column<Delivery>[] {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  return [
    {
      header: common.event,
      phone: 'title',
      className: 'font-strong sm:max-w-none',
      cell: (delivery) => eventOf(delivery)?.type ?? '…',
    },
    {
      header: words.status,
      cell: (delivery) => <DeliveryState status={delivery.status} hasFailed={hasFailed(delivery)} />,
    },
    {
      header: words.lastAnswer,
      from: 'sm',
      cell: ({ attempts }) => <LastAnswer attempts={attempts} />,
    },
    {
      header: words.toEndpoint,
      text: 'url',
      grow: true,
      from: 'md',
      phone: 'line',
      className: 'text-ink-soft',
    },
    {
      header: words.attempts,
      align: 'end',
      from: 'lg',
      cell: ({ attempts }) => <span className="figures">{attempts.length}</span>,
    },
    {
      header: common.at,
      align: 'end',
      phone: 'end',
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

function useFilterList(endpoints: readonly WebhookEndpoint[]): FiltersOf<'searchDeliveries'> {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  const states = useWords(stateWords)
  const places = endpoints.map(({ id, url, description }) => ({ value: id, label: description ?? url }))
  return [
    choice('status', words.status, statuses, states.delivery),
    choice('type', common.event, eventTypes),
    ...(places.length === 0
      ? []
      : [{ name: 'endpointId', label: words.anyEndpoint, options: places } as const]),
    ...spanFilters(common),
  ]
}

/** An id is the id of an event or of the event's record. Any other text is a host, or a URL whose host is used. */
function soughtBy(text: string) {
  return isId(text) ? { subject: text } : { host: text.replace(/^[a-z]+:\/\//i, '').split(/[/:?#]/)[0] }
}

// The events of a list of deliveries. A delivery has only the id of its event, and lists also show the event's type and time. Deliveries
// are listed in the order of their events, so one call that reads forward from the oldest event finds most events of a page.

/** How many rows are looked up at once. */
const atOnce = 50
const pageMax = 100

/** The event of a delivery, as soon as it is known. */
export function useEventsOf(rows: readonly Delivery[] | undefined): (row: Delivery) => Event | undefined {
  const { id } = useMerchant()
  const client = useQueryClient()
  const ids = [...new Set((rows ?? []).map(({ eventId }) => eventId))]
  const { data } = useQuery({
    queryKey: ['events-of', id, ids],
    queryFn: async ({ signal }) => {
      for (let from = 0; from < ids.length; from += atOnce)
        await learn(client, id, ids.slice(from, from + atOnce), signal)
      return new Map(ids.map((each) => [each, cachedEvent(client, id, each)]))
    },
    enabled: ids.length > 0,
    placeholderData: (previous) => previous,
    staleTime: Infinity,
  })
  return ({ eventId }) => data?.get(eventId) ?? cachedEvent(client, id, eventId)
}

const keyOf = (merchantId: string, eventId: string) => ['event', merchantId, eventId]

function cachedEvent(client: QueryClient, merchantId: string, eventId: string): Event | undefined {
  return client.getQueryData(keyOf(merchantId, eventId))
}

/** Events never change: each is read once. */
async function learn(
  client: QueryClient,
  merchantId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const missing = () => ids.filter((each) => cachedEvent(client, merchantId, each) === undefined)
  const put = (event: Event) => client.setQueryData(keyOf(merchantId, event.id), event)
  const readOne = async (eventId: string) => {
    const event = await call('getEvent', { merchant: merchantId, id: eventId }, { signal })
    put(event)
    return event
  }
  const oldest = missing().at(-1)
  if (oldest === undefined) return
  const { sequence } = await readOne(oldest)
  if (missing().length > 1) {
    const query = { after: sequence - 1, limit: pageMax }
    const { data } = await call('listEvents', { merchant: merchantId, query }, { signal })
    for (const event of data) put(event)
  }
  await Promise.all(missing().map(readOne))
}
