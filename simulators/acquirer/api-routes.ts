// The API: a subset of Stripe's, version 2026-10-28.endive. Forms in, JSON out.
import { randomBytes } from 'node:crypto'
import type { Call, Reply, Route } from '../kit/http.ts'
import type { Table } from '../kit/store.ts'
import { authenticate } from './access.ts'
import { newId, nobody, type Account, type Acquirer, type FaultMode, type Kept } from './acquirer.ts'
import { ApiError, badParam, missing } from './api-error.ts'
import { balanceView, transactionView } from './balance.ts'
import { cancel, capture } from './captures.ts'
import { closeDispute, submitEvidence } from './disputes.ts'
import { expand } from './expand.ts'
import { spoilAfter, spoilBefore, spoilDuring, takeFault } from './faults.ts'
import { hold, once } from './idempotency.ts'
import { pageOf, pagingNames } from './lists.ts'
import { formOf, metadataOf, mustHave, only, textOf, textsOf, type Params } from './params.ts'
import { createRefund } from './refunds.ts'
import { createSession, expireSession, freshSession } from './sessions.ts'
import { apiVersion } from './wire.ts'

type Asked = { readonly account: Account; readonly params: Params; readonly id: string }
type Work = (asked: Asked) => unknown

export function apiRoutes(acquirer: Acquirer): readonly Route[] {
  const at = (method: string, path: string, work: Work) => apiRoute(acquirer, method, path, work)
  const { sessions, intents, charges, refunds, disputes, transactions } = acquirer
  const get = <T>(path: string, kind: string, table: Table<Kept<T>>) =>
    at('GET', `${path}/:id`, ({ account, params, id }) => {
      only(params, ['expand'])
      return own(table, account, kind, id).wire
    })
  const session = ({ account, id }: Asked) => {
    freshSession(acquirer, id)
    return own(sessions, account, 'checkout.session', id)
  }
  return [
    at('POST', '/v1/checkout/sessions', ({ account, params }) => createSession(acquirer, account, params)),
    at('GET', '/v1/checkout/sessions/:id', (asked) => {
      only(asked.params, ['expand'])
      return session(asked).wire
    }),
    at('POST', '/v1/checkout/sessions/:id/expire', (asked) => {
      only(asked.params, ['expand'])
      return expireSession(acquirer, session(asked))
    }),
    get('/v1/payment_intents', 'payment_intent', intents),
    at('POST', '/v1/payment_intents/:id/capture', ({ account, params, id }) =>
      capture(acquirer, own(intents, account, 'payment_intent', id), params),
    ),
    at('POST', '/v1/payment_intents/:id/cancel', ({ account, params, id }) =>
      cancel(acquirer, own(intents, account, 'payment_intent', id), params),
    ),
    get('/v1/charges', 'charge', charges),
    list(acquirer, '/v1/charges', charges, ['payment_intent']),
    at('POST', '/v1/refunds', ({ account, params }) => createRefund(acquirer, account.id, params)),
    get('/v1/refunds', 'refund', refunds),
    list(acquirer, '/v1/refunds', refunds, ['charge', 'payment_intent']),
    get('/v1/disputes', 'dispute', disputes),
    list(acquirer, '/v1/disputes', disputes, ['charge', 'payment_intent']),
    at('POST', '/v1/disputes/:id/close', ({ account, params, id }) => {
      only(params, ['expand'])
      return closeDispute(acquirer, own(disputes, account, 'dispute', id))
    }),
    at('POST', '/v1/disputes/:id', ({ account, params, id }) =>
      submitEvidence(acquirer, own(disputes, account, 'dispute', id), params),
    ),
    at('GET', '/v1/balance_transactions/:id', ({ account, params, id }) => {
      only(params, ['expand'])
      return transactionView(acquirer, own(transactions, account, 'balance_transaction', id))
    }),
    at('GET', '/v1/balance', ({ account }) => balanceView(acquirer, account.id, account.currencies)),
    ...eventRoutes(acquirer),
  ]
}

function eventRoutes(acquirer: Acquirer): readonly Route[] {
  const { events, endpoints } = acquirer
  return [
    apiRoute(acquirer, 'GET', '/v1/events/:id', ({ account, id }) => own(events, account, 'event', id).wire),
    apiRoute(acquirer, 'GET', '/v1/events', ({ account, params }) => {
      only(params, [...pagingNames, 'type', 'types'])
      const type = textOf(params, 'type')
      const types = textsOf(params, 'types') ?? (type === undefined ? undefined : [type])
      if (types !== undefined && types.length > 20)
        throw badParam('types', 'You may specify at most 20 event types.')
      const found = [...events.all()]
        .filter((each) => each.account === account.id && types?.includes(each.wire.type) !== false)
        .sort((a, b) => b.number - a.number)
      return pageOf(
        found.map(({ wire }) => wire),
        params,
        '/v1/events',
      )
    }),
    apiRoute(acquirer, 'POST', '/v1/webhook_endpoints', ({ account, params }) => {
      only(params, ['api_version', 'description', 'enabled_events', 'expand', 'metadata', 'url'])
      const url = mustHave(params, 'url', textOf(params, 'url'))
      if (!/^https?:\/\//.test(url) || !URL.canParse(url))
        throw badParam(
          'url',
          'Invalid URL: An explicit scheme (such as https) must be provided.',
          'url_invalid',
        )
      const wanted = mustHave(params, 'enabled_events', textsOf(params, 'enabled_events'))
      const secret = `whsec_${randomBytes(24).toString('hex')}`
      const description = textOf(params, 'description') ?? null
      const metadata = metadataOf(params)
      return { ...addEndpoint(acquirer, account.id, { url, wanted, secret, description, metadata }), secret }
    }),
    get(acquirer, '/v1/webhook_endpoints/:id', ({ account, id }) =>
      own(endpoints, account, 'webhook_endpoint', id),
    ),
    apiRoute(acquirer, 'DELETE', '/v1/webhook_endpoints/:id', ({ account, id }) => {
      own(endpoints, account, 'webhook_endpoint', id)
      endpoints.drop(id)
      return { id, object: 'webhook_endpoint', deleted: true }
    }),
  ]
}

function get(acquirer: Acquirer, path: string, find: (asked: Asked) => Kept<unknown>): Route {
  return apiRoute(acquirer, 'GET', path, (asked) => find(asked).wire)
}

type NewEndpoint = {
  readonly url: string
  readonly wanted: readonly string[]
  readonly secret: string
  readonly description?: string | null
  readonly metadata?: Readonly<Record<string, string>>
}

export function addEndpoint(
  acquirer: Acquirer,
  account: string,
  given: NewEndpoint,
  id = newId(acquirer, 'we'),
) {
  const wire = {
    id,
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: acquirer.clock.seconds(),
    description: given.description ?? null,
    enabled_events: given.wanted,
    livemode: false,
    metadata: given.metadata ?? {},
    status: 'enabled',
    url: given.url,
  } as const
  acquirer.endpoints.put(id, { account, wire, secret: given.secret })
  return wire
}

type Listed = { readonly id: string; readonly created: number }

/** A list, filtered by fields that are asked for by their own name. */
function list<T extends Listed>(
  acquirer: Acquirer,
  path: string,
  table: Table<Kept<T>>,
  filters: readonly (keyof T & string)[],
): Route {
  return apiRoute(acquirer, 'GET', path, ({ account, params }) => {
    only(params, [...pagingNames, ...filters])
    const wanted = filters.map((name) => [name, textOf(params, name)] as const)
    const found = [...table.all()]
      .filter(({ account: owner }) => owner === account.id)
      .map(({ wire }) => wire)
      .filter((wire) => wanted.every(([name, value]) => value === undefined || wire[name] === value))
      .reverse()
    return pageOf(found, params, path)
  })
}

function own<T, K extends Kept<T>>(table: Table<K>, account: Account, kind: string, id: string): K {
  const found = table.get(id)
  if (found?.account !== account.id) throw missing(kind, id)
  return found
}

function apiRoute(acquirer: Acquirer, method: string, path: string, work: Work): Route {
  return {
    method,
    path,
    handle: async (call) => {
      const fault = takeFault(acquirer)
      const headers = { 'request-id': `req_${randomBytes(7).toString('hex')}`, 'stripe-version': apiVersion }
      const spoiled = await spoilBefore(fault)
      const reply = spoiled ?? (await answer(acquirer, call, work, { fault, request: headers['request-id'] }))
      return spoilAfter(fault, { ...reply, headers: { ...headers, ...reply.headers } })
    },
  }
}

async function answer(
  acquirer: Acquirer,
  call: Call,
  work: Work,
  { fault, request }: { readonly fault: FaultMode; readonly request: string },
): Promise<Reply> {
  try {
    const account = authenticate(acquirer, call)
    using _ = hold(acquirer, account, call)
    await spoilDuring(fault)
    const pairs = call.method === 'GET' ? call.query : new URLSearchParams(call.body.toString('utf8'))
    const params = { fields: formOf(pairs), at: '' }
    return once(acquirer, account, call, () => {
      const key = call.headers['idempotency-key']
      acquirer.passing.request = { id: request, idempotency_key: typeof key === 'string' ? key : null }
      try {
        return expand(acquirer, work({ account, params, id: call.params['id'] ?? '' }), params)
      } finally {
        acquirer.passing.request = nobody
      }
    })
  } catch (error) {
    if (error instanceof ApiError) return error.reply
    throw error
  }
}

export function unknownApiPath({ method, path }: Call): Reply {
  const message = `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  return new ApiError(404, { type: 'invalid_request_error', message }, false).reply
}
