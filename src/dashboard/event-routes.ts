// Events as a person searches them: newest first, by what they are about. Programs read them forward, by the API's own list.
import { Type as T } from 'typebox'
import { event, eventType } from '#/contract/events.ts'
import { pageSize, pageTo, paging, queryOf, readCursor, readSpan, span, lowered } from '#/http/query.ts'
import { given } from '#/kernel/given.ts'
import { uuid } from '#/kernel/schema.ts'
import { firstSequenceSince, searchEvents } from '#/webhooks/queries.ts'
import { eventRecord } from '#/webhooks/record.ts'
import { listed } from './place.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const search = memberRoute({
  route: 'GET /event-search',
  permission: 'webhooks:read',
  operationId: 'searchEvents',
  summary: 'Events, newest first',
  answer: listed(event),
  query: queryOf({
    ...paging,
    type: T.Optional(eventType),
    subject: T.Optional(
      uuid('The id of an event, or of the record that events are about, such as a payment.'),
    ),
    ...span,
  }),
  async handle({ http: { sql } }, { caller: { merchant }, query }) {
    const { type, subject, cursor, limit = pageSize } = query
    const { from, to } = readSpan(query)
    const [last] = cursor === undefined ? [] : readCursor(cursor, (part) => /^\d{1,15}$/.test(part))
    const numberOf = async (at: Date | undefined) =>
      at === undefined ? undefined : firstSequenceSince(sql, merchant.id, at)
    const [since, until] = await Promise.all([numberOf(from), numberOf(to)])
    // The next page is before its cursor, which is before `to`.
    const before = last === undefined ? until : BigInt(last)
    const { events, next } = await searchEvents(
      sql,
      merchant.id,
      {
        ...given({ type, subject: lowered(subject), from: since, before }),
      },
      limit,
    )
    return pageTo({ rows: events, next: next?.toString() }, eventRecord)
  },
})

export const eventRoutes: readonly DashboardRoute[] = [search]
