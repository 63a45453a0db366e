// The API: a subset of Stripe's, version 2026-10-28.endive. Forms in, JSON out.
import type { Route } from '../kit/http.ts'
import { accountObject } from './accounts.ts'
import type { Acquirer } from './acquirer.ts'
import { badParam } from './api-error.ts'
import { apiRoute, get, list, ownObject, type ApiCall, type Work } from './api-route.ts'
import { balanceView, transactionView } from './balance.ts'
import { cancel, capture } from './captures.ts'
import { closeDispute, submitEvidence } from './disputes.ts'
import { endpointRoutes } from './endpoints.ts'
import { fileRoutes } from './files.ts'
import { createIntent, freshIntent } from './intents.ts'
import { lineItemsOf } from './line-items.ts'
import { only, textOf, textsOf, type Params } from './params.ts'
import { createRefund } from './refunds.ts'
import { sessionFilter, sessionFilters } from './session-list.ts'
import { createSession, expireSession, freshSession } from './sessions.ts'
import type { Event } from './wire.ts'

export function apiRoutes(acquirer: Acquirer): readonly Route[] {
  const at = (method: string, path: string, work: Work) => apiRoute(acquirer, method, path, work)
  const { intents, charges, refunds, disputes, transactions } = acquirer
  const fresh = (id: string) => freshIntent(acquirer, id)
  const ofPayment = ['charge', 'payment_intent'] as const
  return [
    ...sessionRoutes(acquirer),
    at('POST', '/v1/payment_intents', ({ account, params }) => createIntent(acquirer, account, params)),
    list(acquirer, '/v1/payment_intents', intents, { fresh }),
    get(acquirer, '/v1/payment_intents', 'payment_intent', intents, fresh),
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
    get(acquirer, '/v1/charges', 'charge', charges),
    list(acquirer, '/v1/charges', charges, { by: ['payment_intent'] }),
    at('POST', '/v1/refunds', ({ account, params }) => createRefund(acquirer, account.id, params)),
    get(acquirer, '/v1/refunds', 'refund', refunds),
    list(acquirer, '/v1/refunds', refunds, { by: ofPayment }),
    get(acquirer, '/v1/disputes', 'dispute', disputes),
    list(acquirer, '/v1/disputes', disputes, { by: ofPayment }),
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
    get(acquirer, '/v1/events', 'event', acquirer.events),
    list(acquirer, '/v1/events', acquirer.events, { parameters: ['type', 'types'], filter: eventFilter }),
    ...endpointRoutes(acquirer),
  ]
}

function sessionRoutes(acquirer: Acquirer): readonly Route[] {
  const { sessions } = acquirer
  const path = '/v1/checkout/sessions'
  const at = (method: string, rest: string, work: Work) => apiRoute(acquirer, method, path + rest, work)
  const fresh = (id: string) => freshSession(acquirer, id)
  const session = ({ account, id }: ApiCall) => {
    fresh(id)
    return ownObject(sessions, account, 'checkout.session', id)
  }
  return [
    at('POST', '', ({ account, params }) => createSession(acquirer, account, params)),
    list(acquirer, path, sessions, { parameters: sessionFilters, filter: sessionFilter, fresh }),
    get(acquirer, path, 'checkout.session', sessions, fresh),
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

function eventFilter(params: Params): (event: Event) => boolean {
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
  return (event) => types?.includes(event.type) !== false
}
