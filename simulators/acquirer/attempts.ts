// A payer enters a card on the page of a session: with or without a 3-D Secure challenge, it is declined, authorised or charged.
import { hash } from 'node:crypto'
import { seconds } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { given } from '../kit/given.ts'
import { newId, span, type Acquirer, type KeptIntent, type KeptSession, type UsedCard } from './acquirer.ts'
import { dashed } from './api-error.ts'
import { chargeFee, move } from './balance.ts'
import { declines, planOf, type CardPlan, type Decline } from './cards.ts'
import { emit } from './events.ts'
import { lapseSeconds, newCharge, type Authorising } from './new-charge.ts'
import { noCustomerDetails } from './sessions.ts'
import type { Charge, PaymentError, PaymentIntent, Session } from './wire.ts'

const disputeAfterSeconds = 2

export type CardEntry = {
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  readonly name: string | null
}

/** Tries a card. Only for an open session. Returns the PaymentIntent, which holds the result. */
export function tryCard(acquirer: Acquirer, session: KeptSession, entry: CardEntry): PaymentIntent {
  const intent = intentOf(acquirer, session)
  const card: UsedCard = {
    plan: planOf(entry.number),
    last4: entry.number.slice(-4),
    fingerprint: hash('sha256', `${acquirer.store.seed}:${entry.number}`, 'base64url').slice(0, 16),
    expMonth: entry.expMonth,
    expYear: entry.expYear,
    name: entry.name,
  }
  const { challenge } = card.plan
  const isRequested = session.threeDSecure !== 'automatic'
  if (challenge === 'fails' || (challenge === 'offered_fails' && isRequested))
    return fail(acquirer, intent, card, declines.processing)
  if (challenge === 'always' || (challenge === 'offered' && isRequested))
    return challengePayer(acquirer, intent, card)
  return charge(acquirer, session, intent, { card, isAuthenticated: false })
}

/** The payer answers the 3-D Secure challenge. Returns undefined when there is none. */
export function answerChallenge(
  acquirer: Acquirer,
  session: KeptSession,
  isPassed: boolean,
): PaymentIntent | undefined {
  const intent = acquirer.intents.get(session.wire.payment_intent ?? '')
  if (intent?.asked === undefined || intent.wire.status !== 'requires_action') return undefined
  const { asked, ...rest } = intent
  if (isPassed) return charge(acquirer, session, rest, { card: asked, isAuthenticated: true })
  return refuse(acquirer, rest, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    doc_url: docOf('payment_intent_authentication_failure'),
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
  })
}

/** The session's PaymentIntent; created with the first card that is tried. */
function intentOf(acquirer: Acquirer, session: KeptSession): KeptIntent {
  const { wire } = session
  if (wire.payment_intent !== null) {
    const { asked: _, ...intent } = present(acquirer.intents.get(wire.payment_intent))
    return intent
  }
  const id = newId(acquirer, 'pi')
  const intent: PaymentIntent = {
    ...nothingOfIntent,
    id,
    object: 'payment_intent',
    amount: wire.amount_total,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: session.intent.captureMethod,
    client_secret: `${id}_secret_${acquirer.store.name('pi-secret', 25)}`,
    created: seconds(),
    currency: wire.currency,
    description: session.intent.description,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: session.intent.metadata,
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    status: 'requires_payment_method',
  }
  const kept = acquirer.intents.put(id, { account: session.account, session: wire.id, wire: intent })
  acquirer.sessions.put(wire.id, { ...session, wire: { ...wire, payment_intent: id } })
  emit(acquirer, session.account, 'payment_intent.created', intent)
  return kept
}

/** The fields that are always the same or empty in this acquirer's PaymentIntents. */
export const nothingOfIntent = {
  allowed_payment_method_types: null,
  amount_details: { tip: {} },
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
  confirmation_method: 'automatic',
  customer: null,
  customer_account: null,
  excluded_payment_method_types: null,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} as const

function challengePayer(acquirer: Acquirer, intent: KeptIntent, card: UsedCard): PaymentIntent {
  const wire: PaymentIntent = {
    ...intent.wire,
    last_payment_error: null,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect', source: newId(acquirer, 'payatt') },
    },
    payment_method: newId(acquirer, 'pm'),
    status: 'requires_action',
  }
  acquirer.intents.put(wire.id, { ...intent, wire, asked: card })
  emit(acquirer, intent.account, 'payment_intent.requires_action', wire)
  return wire
}

function charge(
  acquirer: Acquirer,
  session: KeptSession,
  intent: KeptIntent,
  how: Authorising,
): PaymentIntent {
  const { card } = how
  if (card.plan.decline !== undefined) return fail(acquirer, intent, card, card.plan.decline)
  const { account } = intent
  const isManual = intent.wire.capture_method === 'manual'
  const authorised = newCharge(acquirer, intent, how)
  const { amount, currency, id } = authorised
  const made: Charge = isManual
    ? authorised
    : {
        ...authorised,
        amount_captured: amount,
        captured: true,
        balance_transaction: move(acquirer, account, {
          amount,
          currency,
          fee: chargeFee(amount),
          reporting_category: 'charge',
          source: id,
          type: 'charge',
        }).id,
      }
  acquirer.charges.put(id, { account, wire: made, plan: card.plan })
  emit(acquirer, account, 'charge.succeeded', made)
  const wire: PaymentIntent = {
    ...intent.wire,
    amount_capturable: isManual ? amount : 0,
    amount_received: isManual ? 0 : amount,
    last_payment_error: null,
    latest_charge: id,
    next_action: null,
    payment_method: made.payment_method,
    status: isManual ? 'requires_capture' : 'succeeded',
  }
  acquirer.intents.put(wire.id, { ...intent, wire })
  const happened = isManual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded'
  emit(acquirer, account, happened, wire)
  complete(acquirer, session, wire, card)
  if (isManual) {
    acquirer.store.schedule(lapseSeconds * 1000, { do: 'lapse', intent: wire.id }, `intent ${wire.id}`)
  } else planDispute(acquirer, made, card.plan)
  return wire
}

function complete(acquirer: Acquirer, { wire: { id } }: KeptSession, intent: PaymentIntent, card: UsedCard) {
  const session = present(acquirer.sessions.get(id))
  acquirer.store.cancel(`session ${id}`)
  const wire: Session = {
    ...session.wire,
    customer_details: { ...noCustomerDetails, email: session.wire.customer_email, name: card.name },
    payment_intent: intent.id,
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
    status: 'complete',
    url: null,
  }
  acquirer.sessions.put(id, { ...session, wire })
  emit(acquirer, session.account, 'checkout.session.completed', wire)
}

/** Some cards are disputed without a further call, after they were charged. */
export function planDispute(acquirer: Acquirer, { id }: Charge, { dispute }: CardPlan): void {
  if (dispute === undefined) return
  const afterMs = span(acquirer.options, disputeAfterSeconds)
  acquirer.store.schedule(afterMs, { do: 'dispute', charge: id, ...dispute }, `dispute ${id}`)
}

function fail(acquirer: Acquirer, intent: KeptIntent, card: UsedCard, decline: Decline): PaymentIntent {
  const made: Charge = {
    ...newCharge(acquirer, intent, { card, isAuthenticated: false }),
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      advice_code: adviceOf(decline),
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'declined_by_network',
      reason: decline.decline ?? decline.code,
      risk_level: 'normal',
      risk_score: 12,
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    },
    paid: false,
    status: 'failed',
  }
  acquirer.charges.put(made.id, { account: intent.account, wire: made, plan: card.plan })
  emit(acquirer, intent.account, 'charge.failed', made)
  return refuse(acquirer, intent, {
    type: 'card_error',
    code: decline.code,
    ...given({ decline_code: decline.decline }),
    advice_code: adviceOf(decline),
    doc_url: docOf(decline.code),
    message: decline.message,
    charge: made.id,
  })
}

function refuse(acquirer: Acquirer, intent: KeptIntent, error: PaymentError): PaymentIntent {
  const { asked: _, ...kept } = intent
  const wire: PaymentIntent = {
    ...kept.wire,
    last_payment_error: error,
    latest_charge: error.charge ?? kept.wire.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
  acquirer.intents.put(wire.id, { ...kept, wire })
  emit(acquirer, intent.account, 'payment_intent.payment_failed', wire)
  return wire
}

function adviceOf({ decline }: Decline): string {
  if (decline === 'lost_card' || decline === 'stolen_card') return 'do_not_try_again'
  return decline === 'expired_card' || decline === 'incorrect_cvc' ? 'confirm_card_data' : 'try_again_later'
}

function docOf(code: string): string {
  return `https://stripe.com/docs/error-codes/${dashed(code)}`
}
