// The request log.
import { Type as T } from 'typebox'
import { count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { problemCode } from './problems.ts'

/** The methods of our routes, and HEAD, which is answered wherever GET is. */
export const callMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const statusClasses = ['2XX', '4XX', '5XX'] as const

export const callMethod = oneOf('CallMethod', callMethods, 'The method of a call.')
export const statusClass = oneOf('StatusClass', statusClasses, 'The first digit of a status.')

export const loggedCall = T.Object(
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
