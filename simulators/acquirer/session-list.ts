// The filters of `GET /v1/checkout/sessions`, besides paging.
import { choiceOf, only, textOf, under, type Params } from './params.ts'
import type { Session } from './wire.ts'

/** This acquirer has no customers, subscriptions or payment links, so these filters are refused. */
export const sessionFilters = ['customer_details', 'payment_intent', 'status'] as const

/** Whether a session matches the call's filters. */
export function sessionFilter(params: Params): (session: Session) => boolean {
  const status = choiceOf(params, 'status', ['open', 'complete', 'expired'])
  const intent = textOf(params, 'payment_intent')
  const details = under(params, 'customer_details')
  only(details, ['email'])
  const email = textOf(details, 'email')
  return (session) =>
    (status === undefined || session.status === status) &&
    (intent === undefined || session.payment_intent === intent) &&
    (email === undefined || session.customer_details?.email === email)
}
