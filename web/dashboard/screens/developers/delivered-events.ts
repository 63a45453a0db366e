// The events of a list of deliveries. A delivery has only the id of its event, and lists also show the event's type and time. Deliveries
// are listed in the order of their events, so one call that reads forward from the oldest event finds most events of a page.
import { useQuery, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { Delivery, Event } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'

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
