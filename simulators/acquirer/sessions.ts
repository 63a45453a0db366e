// Checkout Sessions: created by the account, paid on the acquirer's page, expired after a while.
import { randomBytes } from 'node:crypto'
import { now, seconds } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { newId, type Account, type Acquirer, type KeptIntent, type KeptSession } from './acquirer.ts'
import { badState } from './api-error.ts'
import { emit } from './events.ts'
import type { Params } from './params.ts'
import { readTerms } from './session-terms.ts'
import type { PaymentIntent, Session } from './wire.ts'

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
      after_submit: null,
      shipping_address: null,
      submit: rest.submitText === undefined ? null : { message: rest.submitText },
      terms_of_service_acceptance: null,
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
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  wallet_options: null,
} as const

/**
 * Completes a session whose payer got a voucher: it stays unpaid until the voucher's money arrives. From now on nobody can pay by
 * card in it.
 */
export function completeUnpaid(acquirer: Acquirer, { wire: { id } }: KeptSession, intent: string): void {
  const session = present(acquirer.sessions.get(id))
  acquirer.store.cancel(`session ${id}`)
  const wire: Session = { ...session.wire, payment_intent: intent, status: 'complete', url: null }
  acquirer.sessions.put(id, { ...session, wire })
  emit(acquirer, session.account, 'checkout.session.completed', wire)
}

/** The money of a voucher came, or never comes: the session says so. An intent of no session is its caller's own affair. */
export function endDelayed(
  acquirer: Acquirer,
  { session: id }: KeptIntent,
  end: 'succeeded' | 'failed',
): void {
  if (id === undefined) return
  const session = present(acquirer.sessions.get(id))
  const wire: Session = { ...session.wire, payment_status: end === 'succeeded' ? 'paid' : 'unpaid' }
  acquirer.sessions.put(id, { ...session, wire })
  emit(acquirer, session.account, `checkout.session.async_payment_${end}`, wire)
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
  const { id } = session.wire
  acquirer.store.cancel(`session ${id}`)
  const wire: Session = { ...session.wire, status: 'expired', url: null }
  acquirer.sessions.put(id, { ...session, wire })
  emit(acquirer, session.account, 'checkout.session.expired', wire)
  if (wire.payment_intent !== null) {
    const intent = present(acquirer.intents.get(wire.payment_intent))
    cancelIntent(acquirer, intent, null)
  }
  return wire
}

/** Cancels the PaymentIntent and drops an unanswered challenge. Its charge is not changed here. */
export function cancelIntent(acquirer: Acquirer, intent: KeptIntent, reason: string | null): PaymentIntent {
  const { asked: _, ...kept } = intent
  const wire: PaymentIntent = {
    ...kept.wire,
    amount_capturable: 0,
    canceled_at: seconds(),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  }
  acquirer.intents.put(wire.id, { ...kept, wire })
  emit(acquirer, intent.account, 'payment_intent.canceled', wire)
  return wire
}

/** The session as it is now: one whose time is over is expired, even if its task has not run yet. */
export function freshSession(acquirer: Acquirer, id: string): KeptSession | undefined {
  const session = acquirer.sessions.get(id)
  if (session?.wire.status !== 'open' || seconds() < session.wire.expires_at) return session
  acquirer.store.together(() => endSession(acquirer, session))
  return acquirer.sessions.get(id)
}
