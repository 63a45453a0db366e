// Jobs: what an operator requests and a worker carries out.
import { Type as T } from 'typebox'
import { pageSize, paging, queryOf, pageBefore } from '#/http/query.ts'
import { existing } from '#/kernel/error.ts'
import { withoutNulls, given } from '#/kernel/given.ts'
import { instant, oneOf, uuid } from '#/kernel/schema.ts'
import { jobKinds, type JobKind } from '#/operator-jobs/kinds.ts'
import {
  jobFailures,
  jobStatuses,
  type OperatorJob,
  type OperatorJobId,
} from '#/operator-jobs/operator-job.ts'
import { cancelJob, findJob, listJobs, requestJob } from '#/operator-jobs/store.ts'
import type { By } from '#/people/audit-entry.ts'
import { ends } from '#/people/concern.ts'
import type { DashboardDeps } from '../deps.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { requireOperatorFactor } from '../step-up.ts'
import { anyReason, because, fields } from './words.ts'

const kinds = Object.keys(jobKinds) as readonly JobKind[]
/** Kinds of jobs that move coins, credit money or change what a provider does. */
const guarded: readonly JobKind[] = ['sweep', 'rescue', 'connection.register', 'statement.import']

const status = oneOf('JobStatus', jobStatuses, 'Only DONE has a result.')

/** What the sentence of a key names. */
const values = T.Record(T.String(), T.Union([T.String(), T.Number()]))

export const jobShape = T.Object(
  {
    id: uuid(),
    kind: T.String(),
    arguments: fields,
    requestedBy: T.Object({ kind: T.String(), id: T.String() }),
    status,
    isCancelRequested: T.Boolean(),
    progress: T.Optional(
      T.Object({
        key: T.String(),
        values: T.Optional(values),
        done: T.Optional(T.Number()),
        total: T.Optional(T.Number()),
      }),
    ),
    result: T.Optional(fields),
    error: T.Optional(T.String({ description: 'Why it failed, as a sentence.' })),
    failure: T.Optional(
      T.Object(
        {
          key: oneOf('JobFailureKey', jobFailures, 'Pages have a sentence for each.'),
          values: T.Optional(values),
          isUnsure: T.Optional(
            T.Boolean({ description: 'It may have been carried out: look before you request it again.' }),
          ),
        },
        { description: 'The same as a key, where there is one.' },
      ),
    ),
    createdAt: instant(),
    startedAt: T.Optional(instant()),
    endedAt: T.Optional(instant()),
  },
  { title: 'OperatorJob' },
)

/** What does not apply is absent. */
const jobRecord = (job: OperatorJob) => withoutNulls(job)

const kind = oneOf('JobKind', kinds, 'What it does.')

const list = operatorRoute({
  route: 'GET /operator/jobs',
  operationId: 'listJobs',
  summary: 'Jobs, newest first',
  answer: listed(jobShape),
  query: queryOf({ ...paging, kind: T.Optional(kind), status: T.Optional(status) }),
  async handle({ http: { sql } }, { query }) {
    // A page of the store has at most 100: one more row than that would not show whether there is another page.
    const limit = Math.min(query.limit ?? pageSize, 99)
    const filter = given({ kind: query.kind, status: query.status })
    return pageBefore({ ...query, limit }, (page) => listJobs(sql, { ...filter, ...page }), jobRecord)
  },
})

const get = operatorRoute({
  route: 'GET /operator/jobs/{id}',
  operationId: 'getJob',
  summary: 'One job, with its progress and its result',
  answer: jobShape,
  async handle({ http: { sql } }, { id }) {
    return jobRecord(found(await findJob(sql, id as OperatorJobId)))
  },
})

const request = operatorRoute({
  route: 'POST /operator/jobs',
  permission: 'operator:write',
  concern: 'asks',
  operationId: 'requestJob',
  summary:
    'Requests verify, balances, sweep, rescue, an import of a bank’s files, or a test of a connection. Some kinds need a second factor',
  status: 202,
  answer: jobShape,
  body: bodyOf({ kind, arguments: T.Optional(fields), reason: anyReason }),
  async handle(deps, { body, by, visitor }) {
    if (guarded.includes(body.kind)) await requireOperatorFactor(deps, visitor)
    return jobRequested(deps, { ...by, ...because(body.reason) }, body.kind, body.arguments ?? {})
  },
})

/** Requests a job, and shows it. */
export async function jobRequested(
  { http, operator }: DashboardDeps,
  entry: By & { readonly reason?: string },
  kind: JobKind,
  args: Readonly<Record<string, unknown>>,
) {
  const parts = { sql: http.sql, ...given({ onRequested: operator.onJob }) }
  return jobRecord(await requestJob(parts, { kind, arguments: args, by: entry.actor, entry }))
}

const cancel = operatorRoute({
  route: 'POST /operator/jobs/{id}/cancel',
  permission: 'operator:write',
  concern: ends,
  operationId: 'cancelJob',
  summary: 'Ends a job that waits at once, and one that runs at its next step',
  answer: jobShape,
  body: bodyOf({ reason: anyReason }),
  async handle({ http: { sql } }, { id, by, body }) {
    const entry = { ...by, ...because(body.reason) }
    return jobRecord(found(await cancelJob(sql, { id: id as OperatorJobId, by: by.actor, entry })))
  },
})

function found(job: OperatorJob | undefined): OperatorJob {
  return existing(job, 'job: jobs are deleted 90 days after their end')
}

export const jobRoutes: readonly DashboardRoute[] = [list, request, get, cancel]
