// Rehearsals: a merchant of the sandbox lets its own server be tested.
import { Type as T } from 'typebox'
import { listOf, mode, url } from '#/contract/words.ts'
import { AppError, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { sandbox } from '#/people/concern.ts'
import { beginRehearsal, cancelRehearsal, seedMax } from '#/rehearsals/begin.ts'
import { caseNames, caseTexts } from '#/rehearsals/case-texts.ts'
import { listRehearsals, selectRehearsal } from '#/rehearsals/queries.ts'
import {
  caseStatuses,
  rehearsalRecord,
  rehearsalStatuses,
  rehearsalSummary,
  type RehearsalId,
} from '#/rehearsals/rehearsal.ts'
import { checkUrl } from '#/webhooks/guard.ts'
import type { HttpDeps } from './deps.ts'
import * as rehearsalExamples from './example-rehearsals.ts'
import { paging, queryOf, pageBefore } from './query.ts'
import { route, type Call, type Route } from './route.ts'

const caseName = oneOf(
  'RehearsalCase',
  caseNames,
  `${caseNames.map((name) => `${name}: ${caseTexts[name].title}.`).join(' ')} New ones may be added.`,
)

const seed = whole(0, seedMax, 'The same seed plays the same script. The ids are new each time.', [7])

const delivery = T.Object(
  {
    what: T.String({ description: 'What was special about it.' }),
    type: T.String({ description: 'The type of the event.' }),
    durationMs: count('Milliseconds.'),
    responseStatus: T.Optional(whole(100, 999, 'The HTTP status that was answered.')),
    responseBody: T.Optional(T.String({ description: 'The beginning of an answer that was not expected.' })),
    error: T.Optional(T.String({ description: 'Why there was no answer.' })),
  },
  { title: 'RehearsalDelivery', description: 'One request to your server.' },
)

const judgedCase = T.Object(
  {
    case: caseName,
    title: T.String(),
    status: oneOf(
      'RehearsalCaseStatus',
      caseStatuses,
      'NOT_JUDGED: it was played, and what has to be known could not be seen. SKIPPED: it was not played to its end.',
    ),
    expected: T.String({ description: 'What a right server does.' }),
    observed: T.Optional(T.String({ description: 'What yours did, or why it was not judged.' })),
    fix: T.Optional(T.String({ description: 'FAILED: what to change.' })),
    docs: T.String({
      description:
        'The section of the documentation: its path in the repository, and at an API that serves its documents.',
    }),
    deliveries: T.Array(delivery),
  },
  { title: 'RehearsalCaseResult', description: 'One case, and how your server did.' },
)

const summaryFields = {
  id: uuid('Also in the header vintem-rehearsal of each request.'),
  mode,
  status: oneOf(
    'RehearsalStatus',
    rehearsalStatuses,
    'PASSED: every case passed. FAILED: a case failed. INCOMPLETE: none failed, and not every one was judged.',
  ),
  url: T.String(),
  stateUrl: T.Optional(T.String()),
  seed,
  passed: count('Cases that passed.'),
  failed: count('Cases that failed.'),
  notJudged: count('Cases that were not judged, or skipped.'),
  createdAt: instant(),
  endedAt: T.Optional(instant()),
}

const rehearsal = T.Object(
  { ...summaryFields, cases: T.Array(judgedCase) },
  { title: 'Rehearsal', description: 'A test of your server.' },
)
const summary = T.Object(summaryFields, {
  title: 'RehearsalSummary',
  description: 'A rehearsal without its cases.',
})

const create = route({
  route: 'POST /v1/sandbox/rehearsals',
  scope: 'sandbox',
  audit: {
    action: 'rehearsal.create',
    subjectOf: (_call, id: RehearsalId) => `rehearsal:${id}`,
  },
  starts: 'setting',
  concern: sandbox,
  operationId: 'createRehearsal',
  summary: 'Test your server with a script of deliveries',
  description:
    'Only for merchants of the sandbox. Sends good, forged, old, repeated and reordered webhooks of made-up payments to `url`, signed by your secret, and judges the answers. Nothing of it is in your books, nor in your events. One rehearsal at a time.',
  status: 202,
  answer: rehearsal,
  example: rehearsalExamples.startedRehearsal,
  problems: ['invalid_state'],
  body: T.Object(
    {
      url: url(
        'Your endpoint for webhooks. A public https address; in a sandbox on your own machine also http and 127.0.0.1.',
        'https://shop.example.com/webhooks',
      ),
      stateUrl: T.Optional(
        url(
          'Where your server answers what it has made of a payment. Without it the cases about effects are NOT_JUDGED.',
          'https://shop.example.com/rehearsal-state',
        ),
      ),
      seed: T.Optional(seed),
      cases: T.Optional(
        T.Array(caseName, {
          minItems: 1,
          maxItems: caseNames.length,
          description: 'Only these. Default: all.',
        }),
      ),
    },
    { title: 'CreateRehearsalRequest', additionalProperties: false },
  ),
  exampleBody: {
    url: rehearsalExamples.rehearsal.url,
    stateUrl: rehearsalExamples.rehearsal.stateUrl,
    seed: rehearsalExamples.rehearsal.seed,
    cases: ['GOOD_DELIVERY', 'NEW_TYPE'],
  },
  async handle(deps, call, { beside }) {
    requireSandbox(call)
    const { sql, onRehearsal } = deps
    const { url: to, stateUrl, seed, cases } = call.body
    requireAllowed(deps, { url: to, stateUrl })
    const request = {
      url: to,
      ...given({ stateUrl, seed, cases }),
    }
    const started = await beginRehearsal(sql, call.merchant.id, request, beside)
    if (started.kind === 'running') {
      const detail = `Rehearsal ${started.id} is running. Wait for its end, or cancel it.`
      throw new AppError('invalid_state', detail, { extra: { rehearsalId: started.id } })
    }
    onRehearsal?.()
    return { record: rehearsalRecord(started.rehearsal) }
  },
})

const get = route({
  route: 'GET /v1/sandbox/rehearsals/{id}',
  scope: 'sandbox',
  operationId: 'getRehearsal',
  summary: 'Get a rehearsal',
  description: 'With each case as far as it is. It takes less than a minute if your server answers.',
  answer: rehearsal,
  example: rehearsalExamples.rehearsal,
  async handle({ sql }, { merchant, id }) {
    const found = await selectRehearsal(sql, { merchantId: merchant.id, id: id as RehearsalId })
    return { record: rehearsalRecord(existing(found, 'rehearsal')) }
  },
})

const list = route({
  route: 'GET /v1/sandbox/rehearsals',
  scope: 'sandbox',
  operationId: 'listRehearsals',
  summary: 'List rehearsals, newest first',
  description: 'Without their cases. The newest hundred are kept.',
  answer: listOf(summary),
  example: { data: [rehearsalExamples.rehearsalSummary] },
  query: queryOf(paging),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageBefore(query, (page) => listRehearsals(sql, merchant.id, page), rehearsalSummary),
  }),
})

const cancel = route({
  route: 'POST /v1/sandbox/rehearsals/{id}/cancel',
  scope: 'sandbox',
  audit: { action: 'rehearsal.cancel', subjectOf: ({ id }) => `rehearsal:${id}` },
  starts: 'ending',
  concern: sandbox,
  operationId: 'cancelRehearsal',
  summary: 'Cancel a rehearsal',
  description:
    'Nothing more is sent after the request that is under way. A rehearsal that has ended is refused.',
  answer: rehearsal,
  example: {
    ...rehearsalExamples.startedRehearsal,
    status: 'CANCELED',
    notJudged: 2,
    endedAt: rehearsalExamples.rehearsal.endedAt,
    cases: rehearsalExamples.startedRehearsal.cases.map((each) => ({
      ...each,
      status: 'SKIPPED' as const,
      observed: 'The rehearsal was canceled first.',
    })),
  },
  problems: ['invalid_state'],
  async handle({ sql }, { merchant, id }, { beside }) {
    const ended = await cancelRehearsal(sql, { merchantId: merchant.id, id: id as RehearsalId }, beside)
    if (ended === undefined) throw noSuch('rehearsal')
    if (ended.status !== 'CANCELED')
      throw new AppError('invalid_state', `The rehearsal has ended: it is ${ended.status}.`)
    return { record: rehearsalRecord(ended) }
  },
})

function requireSandbox({ merchant }: Pick<Call<unknown, unknown>, 'merchant'>): void {
  if (merchant.mode !== 'SANDBOX')
    throw new AppError('forbidden', 'Rehearsals are for the keys of a sandbox’s merchant.')
}

/** The URLs are checked as that of a payment is, by the rules of the sandbox; and again at each connection. */
function requireAllowed(
  { webhookPolicy }: HttpDeps,
  urls: { readonly url: string; readonly stateUrl: string | undefined },
): void {
  const faults = Object.entries(urls).flatMap(([name, text]) => {
    const verdict = text === undefined ? undefined : checkUrl(text, webhookPolicy.SANDBOX)
    return verdict === undefined || verdict.ok ? [] : [{ pointer: `/${name}`, ...verdict.fault }]
  })
  const [first] = faults
  if (first !== undefined)
    throw new AppError('invalid_request', `${first.pointer} ${first.message}.`, { faults })
}

export const rehearsalRoutes: readonly Route[] = [create, list, get, cancel]
