// Problems: what answers say when something is wrong (RFC 9457).
import { Type as T } from 'typebox'
import { dashboardProblems, problems, type ProblemCode } from '#/kernel/error.ts'
import { oneOf, whole } from '#/kernel/schema.ts'

/** Those that a caller with a key can get: the others are the dashboard's. */
export const problemCodes = (Object.keys(problems) as readonly ProblemCode[]).filter(
  (code) => !dashboardProblems.includes(code),
)

export const problemCode = oneOf('ProblemCode', problemCodes, 'The only field to decide by.')

export const problem = T.Object(
  {
    type: T.String({ format: 'uri' }),
    title: T.String(),
    status: whole(400, 599, 'The HTTP status.'),
    code: problemCode,
    detail: T.String(),
    requestId: T.String(),
    errors: T.Optional(
      T.Array(
        T.Object(
          {
            pointer: T.String({ description: 'A JSON pointer into the body, or to a field of the query.' }),
            code: T.String(),
            message: T.String(),
          },
          { title: 'FieldError', description: 'One thing that is wrong.' },
        ),
      ),
    ),
  },
  { title: 'Problem', additionalProperties: true, description: 'What went wrong (RFC 9457).' },
)
