// The API: a subset of Stripe's, version 2026-10-28.endive. Forms in, JSON out.
import type { Route } from '../kit/http.ts'
import type { Table } from '../kit/store.ts'
import { accountObject } from './accounts.ts'
import type { Acquirer, Kept } from './acquirer.ts'
import { badParam } from './api-error.ts'
import { apiRoute, list, ownObject, type ApiCall, type Work } from './api-route.ts'
import { balanceView, transactionView } from './balance.ts'
import { cancel, capture } from './captures.ts'
import { closeDispute, submitEvidence } from './disputes.ts'
import { endpointRoutes } from './endpoints.ts'
import { fileRoutes } from './files.ts'
import { createIntent, freshIntent } from './intents.ts'
import { lineItemsOf } from './line-items.ts'
import { pageOf, pagingNames } from './lists.ts'
import { only, textOf, textsOf } from './params.ts'
import { createRefund } from './refunds.ts'
import { sessionFilter, sessionFilters } from './session-list.ts'
import { createSession, expireSession, freshSession } from './sessions.ts'

export function apiRoutes(acquirer: Acquirer): readonly Route[] {
  const at = (method: string, path: string, work: Work) => apiRoute(acquirer, method, path, work)
  const { intents, charges, refunds, disputes, transactions } = acquirer
  const get = <T>(path: string, kind: string, table: Table<Kept<T>>) =>
    at('GET', `${path}/:id`, ({ account, params, id }) => {
      only(params, ['expand'])
      return ownObject(table, account, kind, id).wire
    })
  return [
    ...sessionRoutes(acquirer),
    at('POST', '/v1/payment_intents', ({ account, params }) => createIntent(acquirer, account, params)),
    at('GET', '/v1/payment_intents', ({ account, params }) => {
      only(params, [...pagingNames])
      const ofAccount = [...intents.all()].filter((each) => each.account === account.id)
      const found = ofAccount.flatMap(({ wire }) => freshIntent(acquirer, wire.id)?.wire ?? []).reverse()
      return pageOf(found, params, '/v1/payment_intents', () => true)
    }),
    at('GET', '/v1/payment_intents/:id', ({ account, params, id }) => {
      only(params, ['expand'])
      freshIntent(acquirer, id)
      return ownObject(intents, account, 'payment_intent', id).wire
    }),
    at('GET', '/v1/account', ({ account, params }) => {
      only(params, ['expand'])
      return accountObject(account)
    }),
    at('POST', '/v1/payment_intents/:id/capture', ({ account, params, id }) =>
      capture(acquirer, ownObject(intents, account, 'payment_intent', id), params),
    ),
    at('POST', '/v1/payment_intents/:id/cancel', ({ account, params, id }) =>
      cancel(acquirer, ownObject(intents, account, 'payment_intent', id), params),
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
      return closeDispute(acquirer, ownObject(disputes, account, 'dispute', id))
    }),
    at('POST', '/v1/disputes/:id', ({ account, params, id }) =>
      submitEvidence(acquirer, ownObject(disputes, account, 'dispute', id), params),
    ),
    at('GET', '/v1/balance_transactions/:id', ({ account, params, id }) => {
      only(params, ['expand'])
      return transactionView(acquirer, ownObject(transactions, account, 'balance_transaction', id))
    }),
    at('GET', '/v1/balance', ({ account, params }) => {
      only(params, ['expand'])
      return balanceView(acquirer, account.id, account.currencies)
    }),
    ...fileRoutes(acquirer),
    ...eventRoutes(acquirer),
    ...endpointRoutes(acquirer),
  ]
}

function sessionRoutes(acquirer: Acquirer): readonly Route[] {
  const { sessions } = acquirer
  const path = '/v1/checkout/sessions'
  const at = (method: string, rest: string, work: Work) => apiRoute(acquirer, method, path + rest, work)
  const session = ({ account, id }: ApiCall) => {
    freshSession(acquirer, id)
    return ownObject(sessions, account, 'checkout.session', id)
  }
  return [
    at('POST', '', ({ account, params }) => createSession(acquirer, account, params)),
    at('GET', '', ({ account, params }) => {
      only(params, [...pagingNames, ...sessionFilters])
      const passesFilter = sessionFilter(params)
      const found = [...sessions.all()]
        .filter((each) => each.account === account.id)
        .flatMap(({ wire }) => freshSession(acquirer, wire.id)?.wire ?? [])
        .reverse()
      return pageOf(found, params, path, passesFilter)
    }),
    at('GET', '/:id', (call) => {
      only(call.params, ['expand'])
      return session(call).wire
    }),
    at('GET', '/:id/line_items', (call) => {
      only(call.params, ['ending_before', 'expand', 'limit', 'starting_after'])
      return lineItemsOf(session(call), call.params)
    }),
    at('POST', '/:id/expire', (call) => {
      only(call.params, ['expand'])
      return expireSession(acquirer, session(call))
    }),
  ]
}

function eventRoutes(acquirer: Acquirer): readonly Route[] {
  const { events } = acquirer
  return [
    apiRoute(acquirer, 'GET', '/v1/events/:id', ({ account, params, id }) => {
      only(params, ['expand'])
      return ownObject(events, account, 'event', id).wire
    }),
    apiRoute(acquirer, 'GET', '/v1/events', ({ account, params }) => {
      only(params, [...pagingNames, 'type', 'types'])
      const type = textOf(params, 'type')
      const named = textsOf(params, 'types')
      if (type !== undefined && named !== undefined)
        throw badParam(
          'type',
          'You may only specify one of these parameters: type, types.',
          'parameters_exclusive',
        )
      const types = named ?? (type === undefined ? undefined : [type])
      if (types !== undefined && types.length > 20)
        throw badParam('types', 'You may specify at most 20 event types.')
      const found = [...events.all()]
        .filter((each) => each.account === account.id)
        .sort((a, b) => b.number - a.number)
        .map(({ wire }) => wire)
      return pageOf(found, params, '/v1/events', (event) => types?.includes(event.type) !== false)
    }),
  ]
}
