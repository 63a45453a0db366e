// The part of openapi.json that needs no key: health, and the document itself.
import { Type as T } from 'typebox'
import { oneOf } from '#/kernel/schema.ts'
import type { ProblemAnswers } from './openapi-problems.ts'
import type { Json, Shapes } from './openapi-shapes.ts'

const liveness = T.Object(
  { status: T.String({ examples: ['ok'] }) },
  { title: 'Liveness', description: 'That the process runs.' },
)

const readiness = T.Object(
  {
    status: oneOf(
      'ReadinessStatus',
      ['ready', 'degraded', 'not_ready'],
      'degraded: welcome but for a part, which `checks` names and `reasons` explains.',
    ),
    checks: T.Unsafe<Readonly<Record<string, boolean>>>({
      title: 'ReadinessChecks',
      type: 'object',
      additionalProperties: { type: 'boolean' },
      description: 'What must work before requests are welcome, and whether it does.',
      examples: [{ database: true }],
    }),
    reasons: T.Optional(
      T.Unsafe<Readonly<Record<string, string>>>({
        title: 'ReadinessReasons',
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Why a check does not hold, by its name.',
      }),
    ),
  },
  { title: 'Readiness', description: 'Whether requests are welcome.' },
)

/** The paths outside `/v1`. */
export function describeOpenPaths(shapes: Shapes, problems: ProblemAnswers): Json {
  const json = (schema: Json) => ({ content: { 'application/json': { schema } } })
  const ready = json(shapes.of(readiness))
  return {
    '/health/live': open({
      operationId: 'getLiveness',
      summary: 'Whether the process runs',
      description: 'For a supervisor that restarts the process when it does not. Checks nothing else.',
      answers: { '200': { description: 'Yes.', ...json(shapes.of(liveness)) } },
    }),
    '/health/ready': open({
      operationId: 'getReadiness',
      summary: 'Whether requests are welcome',
      description: 'For a proxy or load balancer that sends requests here.',
      answers: {
        '200': {
          description: 'Yes; `degraded`: but for a part, which `checks` names and `reasons` explains.',
          ...ready,
        },
        '503': { description: 'Not now; `checks` says why.', ...ready },
      },
    }),
    '/openapi.json': open({
      operationId: 'getOpenapi',
      summary: 'Get this document',
      description: 'OpenAPI 3.1, made of what the server checks and writes.',
      answers: { '200': { description: 'OpenAPI 3.1.', ...json({ type: 'object' }) } },
    }),
  }

  function open({ answers, ...about }: Json & { readonly answers: Json }): Json {
    const responses = { ...answers, '400': problems.of(['invalid_request']) }
    return { get: { ...about, tags: ['about'], security: [], responses } }
  }
}
