// The request log: the merchant's last calls.
import { Type as T } from 'typebox'
import { listOf } from '#/contract/words.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import { count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { callMethods, statusClasses } from '#/requests/call.ts'
import { selectCalls, type CallRow } from '#/requests/queries.ts'
import { pageSize, paging, queryOf, readCursor, readSpan, span, writeCursor } from './query.ts'
import { route, type Route } from './route.ts'
import { problemCode } from './schemas.ts'

const callMethod = oneOf('CallMethod', callMethods, 'The method of a call.')
const statusClass = oneOf('StatusClass', statusClasses, 'The first digit of a status.')

const loggedCall = T.Object(
  {
    receivedAt: instant('When the request came.'),
    durationMs: count('How long the answer took.'),
    method: callMethod,
    path: T.String({
      description:
        'Without the query. A text in the place of an id that is no UUID is not kept: it says {id} there.',
      examples: ['/v1/payments'],
    }),
    status: T.Optional(
      whole(100, 599, 'Absent: the caller closed the connection before there was an answer.', [201]),
    ),
    code: T.Optional(problemCode),
    keyId: uuid('The key that called.'),
    requestId: T.String({ description: 'The header x-request-id of the answer.' }),
  },
  { title: 'LoggedCall', description: 'One call with a key of yours. Bodies are not kept.' },
)

const list = route({
  method: 'GET',
  path: '/v1/requests',
  scope: 'requests:read',
  operationId: 'listRequests',
  summary: 'List your last calls, newest first',
  description:
    'The last 10,000 calls with keys of yours (an operator may keep fewer), some seconds after they were made. Calls can be missing: the log never slows or refuses a call. Requests without a valid key, and to addresses that do not exist, are in no log.',
  status: 200,
  answer: listOf(loggedCall),
  query: queryOf({
    ...paging,
    ...span,
    statusClass: T.Optional(statusClass),
    code: T.Optional(problemCode),
    method: T.Optional(callMethod),
    keyId: T.Optional(uuid('Only calls with this key.')),
  }),
  async handle({ sql, requestLog }, { merchant, query }) {
    const { limit = pageSize, cursor, from, to, keyId, ...rest } = query
    const filter = {
      ...rest,
      ...readSpan({ from, to }),
      ...(keyId === undefined ? {} : { keyId: keyId.toLowerCase() as ApiKeyId }),
      ...(cursor === undefined ? {} : { before: placeOf(cursor) }),
      limit: limit + 1,
    }
    const found = requestLog === undefined ? [] : await selectCalls(sql, merchant.id, requestLog.keep, filter)
    const page = found.slice(0, limit)
    const data = page.map(callRecord)
    const last = page.at(-1)
    if (found.length <= limit || last === undefined) return { record: { data } }
    return {
      record: { data, nextCursor: writeCursor([String(last.receivedAt.getTime()), String(last.number)]) },
    }
  },
})

function placeOf(cursor: string): { readonly receivedAtMs: number; readonly number: bigint } {
  const isNumber = (part: string) => /^\d{1,15}$/.test(part)
  const [receivedAtMs = '0', number = '0'] = readCursor(cursor, isNumber, isNumber)
  return { receivedAtMs: Number.parseInt(receivedAtMs, 10), number: BigInt(number) }
}

function callRecord({ receivedAt, durationMs, method, path, status, code, keyId, requestId }: CallRow) {
  return {
    receivedAt,
    durationMs,
    method,
    path,
    ...(status === null ? {} : { status }),
    ...(code === null ? {} : { code }),
    keyId,
    requestId,
  }
}

export const requestRoutes: readonly Route[] = [list]
