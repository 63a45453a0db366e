// The request log: the merchant's last calls.
import { Type as T } from 'typebox'
import { problemCode } from '#/contract/problems.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import { callMethod, loggedCall, statusClass } from '#/contract/requests.ts'
import { listOf } from '#/contract/words.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import { uuid } from '#/kernel/schema.ts'
import { selectCalls, type CallRow } from '#/requests/queries.ts'
import * as examples from './example-records.ts'
import { pageSize, paging, queryOf, readCursor, readSpan, span, writeCursor, lowered } from './query.ts'
import { route, type Route } from './route.ts'

const list = route({
  route: 'GET /v1/requests',
  scope: 'requests:read',
  operationId: 'listRequests',
  summary: 'List your last calls, newest first',
  description:
    'The last 10,000 calls with keys of yours (an operator may keep fewer), some seconds after they were made. Calls can be missing: the log never slows or refuses a call. Requests without a valid key, and to addresses that do not exist, are in no log.',
  answer: listOf(loggedCall),
  example: {
    data: [
      {
        receivedAt: examples.paidAt,
        durationMs: 9,
        method: 'POST',
        path: '/v1/payments',
        status: 400,
        code: 'invalid_request',
        keyId: examples.caller.key.id,
        requestId: '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f',
      },
    ],
  },
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
      ...given({ keyId: lowered<ApiKeyId>(keyId) }),
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

function callRecord(row: CallRow): Of<typeof loggedCall> {
  return recordOf<typeof loggedCall>({
    receivedAt: row.receivedAt.toISOString(),
    durationMs: row.durationMs,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    keyId: row.keyId,
    requestId: row.requestId,
  })
}

export const requestRoutes: readonly Route[] = [list]
