// Events and their deliveries.
import { Type as T } from 'typebox'
import { eventList, eventTypes, delivery, event } from '#/contract/events.ts'
import * as patterns from '#/contract/patterns.ts'
import { documented, listOf } from '#/contract/words.ts'
import { AppError, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { DeliveryId, EventId } from '#/kernel/id.ts'
import { whole } from '#/kernel/schema.ts'
import { secondMs } from '#/kernel/time.ts'
import { known } from '#/people/concern.ts'
import * as deliveryQueries from '#/webhooks/delivery-queries.ts'
import { type EventType } from '#/webhooks/event.ts'
import * as queries from '#/webhooks/queries.ts'
import { deliveryRecord, eventRecord } from '#/webhooks/record.ts'
import * as examples from './example-records.ts'
import { pageSize, paging, queryOf, readCursor, readLastId, waitMaxSeconds, writeCursor } from './query.ts'
import { route, type Route } from './route.ts'

const list = route({
  route: 'GET /v1/events',
  scope: 'webhooks:read',
  operationId: 'listEvents',
  summary: 'List events, oldest first',
  description:
    'Numbers have no gaps, but the one before a `service.restored`, which is never filled: a client that sends the `readTo` of its last answer as `after` misses nothing and reads nothing twice, however long it was away. With `wait` the answer comes as soon as there is an event, or without one when the time is over. At most five requests of a key wait at once.',
  answer: eventList,
  example: { data: [examples.event], readTo: examples.event.sequence },
  mayWait: true,
  query: queryOf({
    ...paging,
    after: T.Optional(whole(0, Number.MAX_SAFE_INTEGER, 'Only events after this sequence.')),
    types: T.Optional(
      documented(
        T.String({
          minLength: 1,
          maxLength: 1_024,
          description:
            'Only events of these types, with commas between them. Their sequences have gaps then.',
          examples: ['payment.completed,refund.failed'],
        }),
        { pattern: patterns.eventTypeList },
      ),
    ),
    wait: T.Optional(
      whole(0, waitMaxSeconds, 'Seconds to wait for an event, if there is none yet. Default: 0.'),
    ),
  }),
  async handle({ sql, waitingReaders }, { merchant, keyId, query, whenGone }) {
    const { after = 0, cursor, limit = pageSize, wait = 0 } = query
    const types = query.types === undefined ? undefined : readTypes(query.types)
    const [last] = cursor === undefined ? [] : readCursor(cursor, (part) => /^\d{1,15}$/.test(part))
    const start = last === undefined ? BigInt(after) : BigInt(last)
    const only = types === undefined ? {} : { types }
    const read = (from: bigint) =>
      queries.listEvents(sql, merchant.id, { after: from, limit: limit + 1, ...only })
    const found = await read(start)
    if (found.events.length > 0 || wait === 0) return { record: eventPage(found, limit) }
    const waited = await waitingReaders.wait({
      merchantId: merchant.id,
      keyId,
      from: found.readTo,
      ...only,
      waitMs: wait * secondMs,
      whenGone,
    })
    const news = waited.hasNews ? await read(waited.readTo) : { events: [], readTo: waited.readTo }
    return { record: eventPage(news, limit) }
  },
})

/** A page of at most `limit` events. One more was read, to know whether there is a next page. */
function eventPage({ events, readTo }: queries.EventPage, limit: number) {
  const page = events.slice(0, limit)
  const data = page.map(eventRecord)
  const end = page.at(-1)
  if (events.length <= limit || end === undefined) return { data, readTo }
  return { data, nextCursor: writeCursor([end.sequence.toString()]), readTo: end.sequence }
}

/** The types that are named. 400 when there is no such type. */
function readTypes(text: string): readonly EventType[] {
  return text.split(',').map((named) => {
    const type = eventTypes.find((each) => each === named)
    if (type !== undefined) return type
    const message = `${JSON.stringify(named)} is no type of event. They are ${eventTypes.join(', ')}`
    throw new AppError('invalid_request', `${message}.`, {
      faults: [{ pointer: '/types', code: 'not_allowed', message }],
    })
  })
}

const get = route({
  route: 'GET /v1/events/{id}',
  scope: 'webhooks:read',
  operationId: 'getEvent',
  summary: 'Get an event',
  description: 'The same object that was sent to webhook URLs, however long ago.',
  answer: event,
  example: examples.event,
  async handle({ sql }, { merchant, id }) {
    const found = await queries.getEvent(sql, merchant.id, id as EventId)
    return { record: eventRecord(existing(found, 'event')) }
  },
})

const deliveries = route({
  route: 'GET /v1/events/{id}/deliveries',
  scope: 'webhooks:read',
  operationId: 'listDeliveries',
  summary: 'List the deliveries of an event, newest first',
  description: 'Where the event was sent, with every attempt. An event that no URL belongs to has none.',
  answer: listOf(delivery),
  example: { data: [examples.delivery] },
  query: queryOf(paging),
  async handle({ sql }, { merchant, id, query }) {
    const { cursor, limit = pageSize } = query
    const before = readLastId(cursor)
    const found = await queries.getEvent(sql, merchant.id, id as EventId)
    if (found === undefined) throw noSuch('event')
    const page = await deliveryQueries.listDeliveries(sql, merchant.id, {
      eventId: found.id,
      limit,
      ...given({ cursor: before }),
    })
    const data = page.data.map(deliveryRecord)
    return {
      record: page.nextCursor === undefined ? { data } : { data, nextCursor: writeCursor([page.nextCursor]) },
    }
  },
})

const getDelivery = route({
  route: 'GET /v1/deliveries/{id}',
  scope: 'webhooks:read',
  operationId: 'getDelivery',
  summary: 'Get a delivery with its attempts',
  description: 'When it was sent, what was answered or why there was no answer, and when it is sent next.',
  answer: delivery,
  example: examples.delivery,
  async handle({ sql }, { merchant, id }) {
    const found = await deliveryQueries.getDelivery(sql, merchant.id, id as DeliveryId)
    return { record: deliveryRecord(existing(found, 'delivery')) }
  },
})

const resend = route({
  route: 'POST /v1/deliveries/{id}/resend',
  scope: 'webhooks:write',
  audit: { action: 'delivery.resend', subjectOf: ({ id }) => `delivery:${id}` },
  starts: 'setting',
  concern: known,
  operationId: 'resendDelivery',
  summary: 'Send an event to its URL again',
  description:
    'Starts a new round of attempts now, in any state of the delivery. That of a deleted endpoint is not sent again.',
  status: 202,
  answer: delivery,
  example: examples.pending,
  problems: ['invalid_state'],
  async handle({ sql }, { merchant, id }, { beside }) {
    const resent = await deliveryQueries.resend(sql, merchant.id, id as DeliveryId, beside)
    if (resent === 'endpoint_deleted') throw new AppError('invalid_state', 'Its webhook endpoint is deleted.')
    const found =
      resent === 'resent' ? await deliveryQueries.getDelivery(sql, merchant.id, id as DeliveryId) : undefined
    return { record: deliveryRecord(existing(found, 'delivery')) }
  },
})

export const eventRoutes: readonly Route[] = [list, get, deliveries, getDelivery, resend]
