// What `GET /v1/checkout/sessions` may be asked for, besides its pages.
import { choiceOf, only, textOf, under, type Params } from './params.ts'
import type { Session } from './wire.ts'

/** Customers, subscriptions and payment links are none of this acquirer's, so nothing can be asked of them. */
export const sessionFilters = ['customer_details', 'payment_intent', 'status'] as const

/** Whether a session is among those that the call wants. */
export function isAskedFor(params: Params): (session: Session) => boolean {
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
