// The list of all deliveries. Those of one event, and sending one again, are in events.ts.
import { Type as T } from 'typebox'
import { delivery, deliveryStatus, eventType } from '#/contract/events.ts'
import { listOf, text } from '#/contract/words.ts'
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type DeliveryId, type EndpointId, type EventId, type MerchantId } from '#/kernel/id.ts'
import { uuid } from '#/kernel/schema.ts'
import { searchDeliveries, type DeliveryFilter } from '#/webhooks/delivery-queries.ts'
import type { DeliveryStatus } from '#/webhooks/event.ts'
import { firstSequenceSince, getEvent } from '#/webhooks/queries.ts'
import { deliveryRecord } from '#/webhooks/record.ts'
import * as examples from './example-records.ts'
import { pageSize, paging, queryOf, readCursor, readSpan, span, writeCursor, lowered } from './query.ts'
import { route, type Route } from './route.ts'

type DeliveryQuery = {
  readonly endpointId?: string
  readonly eventId?: string
  readonly status?: DeliveryStatus
  readonly type?: DeliveryFilter['type']
  readonly subject?: string
  readonly host?: string
  readonly from?: string
  readonly to?: string
}

const search = route({
  route: 'GET /v1/deliveries',
  scope: 'webhooks:read',
  operationId: 'searchDeliveries',
  summary: 'List deliveries, newest first',
  description:
    'To endpoints and to URLs of payments, by the order of their events. A page of one `status`, `type` or `host` may hold fewer than `limit`, even none: go on as long as there is a `nextCursor`.',
  answer: listOf(delivery),
  example: { data: [examples.delivery] },
  query: queryOf({
    ...paging,
    endpointId: T.Optional(uuid('Only those to this webhook endpoint.')),
    eventId: T.Optional(uuid('Only those of this event.')),
    status: T.Optional(deliveryStatus),
    type: T.Optional(eventType),
    subject: T.Optional(
      uuid(
        'Only those of the event with this id, or of events about the record with this id, such as a payment.',
      ),
    ),
    host: T.Optional(text(253, 'Only those to this host, without a port, such as `shop.example.com`.')),
    ...span,
  }),
  async handle({ sql }, { merchant, query }) {
    const { cursor, limit = pageSize } = query
    const filter = await filterOf(sql, merchant.id, query)
    if (filter === undefined) return { record: { data: [] } }
    const [sequence, id] =
      cursor === undefined ? [] : readCursor(cursor, (part) => /^\d{1,15}$/.test(part), isUuid)
    const { data, next } = await searchDeliveries(sql, merchant.id, filter, {
      limit,
      ...(sequence === undefined ? {} : { after: { sequence: BigInt(sequence), id: id as DeliveryId } }),
    })
    const records = data.map(deliveryRecord)
    if (next === undefined) return { record: { data: records } }
    return { record: { data: records, nextCursor: writeCursor([next.sequence.toString(), next.id]) } }
  },
})

/** Undefined: nothing can fit. Instants become numbers of events. */
async function filterOf(
  sql: Sql,
  merchantId: MerchantId,
  { endpointId, eventId, status, type, subject, host, ...instants }: DeliveryQuery,
): Promise<DeliveryFilter | undefined> {
  const { from, to } = readSpan(instants)
  const event = eventId === undefined ? undefined : await getEvent(sql, merchantId, eventId as EventId)
  if (eventId !== undefined && event === undefined) return undefined
  const since = from === undefined ? undefined : await firstSequenceSince(sql, merchantId, from)
  const until = to === undefined ? undefined : await firstSequenceSince(sql, merchantId, to)
  const first = latest(since, event?.sequence)
  const before = earliest(until, event === undefined ? undefined : event.sequence + 1n)
  return {
    ...(endpointId === undefined ? {} : { endpointId: endpointId as EndpointId }),
    ...given({ status, type, subject: lowered(subject) }),
    ...(host === undefined ? {} : { host: host.trim().toLowerCase() }),
    ...given({ from: first, before }),
  }
}

function latest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a > b ? a : b
}

function earliest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

export const deliveryRoutes: readonly Route[] = [search]
