// Checkout Sessions: created by the account, paid on the acquirer's page, expired after a while.
import { randomBytes } from 'node:crypto'
import { now, seconds } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { newId, type Account, type Acquirer, type KeptIntent, type KeptSession } from './acquirer.ts'
import { badState } from './api-error.ts'
import { change } from './events.ts'
import type { Params } from './params.ts'
import { readTerms } from './session-terms.ts'
import { nulls, type PaymentIntent, type Session } from './wire.ts'

/** POST /v1/checkout/sessions. */
export function createSession(acquirer: Acquirer, account: Account, params: Params): Session {
  const created = seconds()
  const { wire: terms, items, ...rest } = readTerms(params, account, created)
  const id = newId(acquirer, 'cs_test', 58)
  const isFrame = terms.ui_mode === 'embedded_page'
  const wire = {
    ...nothing,
    ...terms,
    id,
    object: 'checkout.session',
    amount_subtotal: terms.amount_total,
    client_secret: isFrame ? `${id}_secret_${randomBytes(24).toString('hex')}` : null,
    created,
    custom_text: {
      ...nulls('after_submit shipping_address terms_of_service_acceptance'),
      submit: rest.submitText === undefined ? null : { message: rest.submitText },
    },
    customer_details:
      terms.customer_email === null ? null : { ...noCustomerDetails, email: terms.customer_email },
    livemode: false,
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    url: isFrame ? null : `${acquirer.passing.baseUrl}/c/pay/${id}`,
  } as const satisfies Session & Readonly<Record<string, unknown>>
  const sold = items.map((item) => ({
    ...item,
    ids: { item: newId(acquirer, 'li'), price: newId(acquirer, 'price'), product: newId(acquirer, 'prod') },
  }))
  acquirer.sessions.put(id, { account: account.id, wire, items: sold, ...rest })
  const endsAfterMs = terms.expires_at * 1000 - now()
  acquirer.store.schedule(endsAfterMs, { do: 'expire-session', session: id }, `session ${id}`)
  return wire
}

export const noCustomerDetails = {
  address: null,
  email: null,
  name: null,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
} as const satisfies Session['customer_details']

/** The fields that are always the same or empty in this acquirer's sessions. */
const nothing = {
  ...nulls(
    'adaptive_pricing after_expiration allow_promotion_codes allowed_payment_method_types billing_address_collection ' +
      'collected_information consent consent_collection currency_conversion customer customer_account ' +
      'integration_identifier invoice invoice_creation managed_payments origin_context payment_link ' +
      'payment_method_configuration_details permissions recovered_from saved_payment_method_options setup_intent ' +
      'shipping_address_collection shipping_cost submit_type subscription wallet_options',
  ),
  automatic_tax: { enabled: false, ...nulls('liability provider status') },
  custom_fields: [],
  customer_creation: 'if_required',
  discounts: [],
  payment_method_collection: 'if_required',
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  phone_number_collection: { enabled: false },
  shipping_options: [],
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
} as const

/**
 * Completes a session whose payer got a voucher: it stays unpaid until the voucher's money arrives. From now on nobody can pay by
 * card in it.
 */
export function completeUnpaid(acquirer: Acquirer, { wire: { id } }: KeptSession, intent: string): void {
  const session = present(acquirer.sessions.get(id))
  acquirer.store.cancel(`session ${id}`)
  const to: Partial<Session> = { payment_intent: intent, status: 'complete', url: null }
  change(acquirer, acquirer.sessions, session, to, 'checkout.session.completed')
}

/** The money of a voucher came, or never comes: the session says so. An intent of no session is its caller's own affair. */
export function endDelayed(
  acquirer: Acquirer,
  { session: id }: KeptIntent,
  end: 'succeeded' | 'failed',
): void {
  if (id === undefined) return
  const session = present(acquirer.sessions.get(id))
  const to: Partial<Session> = { payment_status: end === 'succeeded' ? 'paid' : 'unpaid' }
  change(acquirer, acquirer.sessions, session, to, `checkout.session.async_payment_${end}`)
}

/** POST /v1/checkout/sessions/{id}/expire. */
export function expireSession(acquirer: Acquirer, session: KeptSession): Session {
  if (session.wire.status !== 'open')
    throw badState(
      undefined,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.wire.status}.`,
    )
  return endSession(acquirer, session)
}

/** The session's time is over, or the account expired it. What the payer started in it is over too. */
export function endSession(acquirer: Acquirer, session: KeptSession): Session {
  acquirer.store.cancel(`session ${session.wire.id}`)
  const to: Partial<Session> = { status: 'expired', url: null }
  const wire = change(acquirer, acquirer.sessions, session, to, 'checkout.session.expired')
  const { payment_intent: intent } = wire
  if (intent !== null) cancelIntent(acquirer, present(acquirer.intents.get(intent)), null)
  return wire
}

/** Cancels the PaymentIntent and drops an unanswered challenge. Its charge is not changed here. */
export function cancelIntent(acquirer: Acquirer, intent: KeptIntent, reason: string | null): PaymentIntent {
  const { asked: _, ...kept } = intent
  const to: Partial<PaymentIntent> = {
    amount_capturable: 0,
    canceled_at: seconds(),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  }
  return change(acquirer, acquirer.intents, kept, to, 'payment_intent.canceled')
}

/** The session as it is now: one whose time is over is expired, even if its task has not run yet. */
export function freshSession(acquirer: Acquirer, id: string): KeptSession | undefined {
  const session = acquirer.sessions.get(id)
  if (session?.wire.status !== 'open' || seconds() < session.wire.expires_at) return session
  acquirer.store.together(() => endSession(acquirer, session))
  return acquirer.sessions.get(id)
}
