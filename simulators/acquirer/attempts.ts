// A payer enters a card on the page of a session: with or without a 3-D Secure challenge, it is declined, authorised or charged.
import { hash } from 'node:crypto'
import { present } from '../kit/event-store.ts'
import { given } from '../kit/given.ts'
import { newId, span, type Acquirer, type KeptIntent, type KeptSession, type UsedCard } from './acquirer.ts'
import { dashed } from './api-error.ts'
import { collect } from './balance.ts'
import { declines, planOf, type CardPlan, type Decline } from './cards.ts'
import { change, emit } from './events.ts'
import { lapseSeconds, newCharge, newPaymentIntent, type Authorising } from './new-objects.ts'
import { noCustomerDetails } from './sessions.ts'
import { nulls, type Charge, type PaymentError, type PaymentIntent, type Session } from './wire.ts'

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
  const { captureMethod: capture_method, metadata, description } = session.intent
  const intent = newPaymentIntent(acquirer, id, {
    amount: wire.amount_total,
    capture_method,
    currency: wire.currency,
    description,
    metadata,
    payment_method_types: ['card'],
  })
  const kept = acquirer.intents.put(id, { account: session.account, session: wire.id, wire: intent })
  acquirer.sessions.put(wire.id, { ...session, wire: { ...wire, payment_intent: id } })
  emit(acquirer, session.account, 'payment_intent.created', intent)
  return kept
}

function challengePayer(acquirer: Acquirer, intent: KeptIntent, card: UsedCard): PaymentIntent {
  const next: Partial<PaymentIntent> = {
    last_payment_error: null,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect', source: newId(acquirer, 'payatt') },
    },
    payment_method: newId(acquirer, 'pm'),
    status: 'requires_action',
  }
  const asked = { ...intent, asked: card }
  return change(acquirer, acquirer.intents, asked, next, 'payment_intent.requires_action')
}

function charge(
  acquirer: Acquirer,
  session: KeptSession,
  intent: KeptIntent,
  how: Authorising,
): PaymentIntent {
  const { card } = how
  if (card.plan.decline !== undefined) return fail(acquirer, intent, card, card.plan.decline)
  const isManual = intent.wire.capture_method === 'manual'
  const authorised = newCharge(acquirer, intent, how)
  if (!isManual) {
    const charged = collected(acquirer, intent, authorised, card.plan)
    complete(acquirer, session, charged, card)
    planDispute(acquirer, authorised, card.plan)
    return charged
  }
  const { account } = intent
  const { id, amount, payment_method } = authorised
  acquirer.charges.put(id, { account, wire: authorised, plan: card.plan })
  emit(acquirer, account, 'charge.succeeded', authorised)
  const to = { ...nothingOpen, amount_capturable: amount, latest_charge: id, payment_method } as const
  const held: Partial<PaymentIntent> = { ...to, status: 'requires_capture' }
  const wire = change(acquirer, acquirer.intents, intent, held, 'payment_intent.amount_capturable_updated')
  complete(acquirer, session, wire, card)
  acquirer.store.schedule(lapseSeconds * 1000, { do: 'lapse', intent: wire.id }, `intent ${wire.id}`)
  return wire
}

const nothingOpen = { last_payment_error: null, next_action: null } as const

/** A charge that brings its money at once. */
export function collected(
  acquirer: Acquirer,
  intent: KeptIntent,
  charge: Charge,
  plan: CardPlan,
): PaymentIntent {
  const { account } = intent
  const { id, amount, payment_method } = charge
  const balance_transaction = collect(acquirer, account, charge, amount)
  const wire: Charge = { ...charge, amount_captured: amount, captured: true, balance_transaction }
  acquirer.charges.put(id, { account, wire, plan })
  emit(acquirer, account, 'charge.succeeded', wire)
  const paid = { ...nothingOpen, amount_received: amount, latest_charge: id, payment_method } as const
  const to: Partial<PaymentIntent> = { ...paid, amount_capturable: 0, status: 'succeeded' }
  return change(acquirer, acquirer.intents, intent, to, 'payment_intent.succeeded')
}

function complete(acquirer: Acquirer, { wire: { id } }: KeptSession, intent: PaymentIntent, card: UsedCard) {
  const session = present(acquirer.sessions.get(id))
  const { customer_email: email } = session.wire
  acquirer.store.cancel(`session ${id}`)
  const done: Partial<Session> = {
    customer_details: { ...noCustomerDetails, email, name: card.name },
    payment_intent: intent.id,
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
    status: 'complete',
    url: null,
  }
  change(acquirer, acquirer.sessions, session, done, 'checkout.session.completed')
}

/** Some cards are disputed without a further call, after they were charged. */
export function planDispute(acquirer: Acquirer, { id }: Charge, { dispute }: CardPlan): void {
  if (dispute === undefined) return
  const afterMs = span(acquirer.options, disputeAfterSeconds)
  acquirer.store.schedule(afterMs, { do: 'dispute', charge: id, ...dispute }, `dispute ${id}`)
}

function fail(acquirer: Acquirer, intent: KeptIntent, card: UsedCard, decline: Decline): PaymentIntent {
  const how = { card, isAuthenticated: false }
  const made = newCharge(acquirer, intent, how, {
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      ...nulls('network_advice_code network_decline_code'),
      advice_code: adviceOf(decline),
      network_status: 'declined_by_network',
      reason: decline.decline ?? decline.code,
      risk_level: 'normal',
      risk_score: 12,
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    },
    paid: false,
    status: 'failed',
  })
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

/** The attempt has failed; the payer may try again. */
export function refuse(acquirer: Acquirer, intent: KeptIntent, error: PaymentError): PaymentIntent {
  const { asked: _, ...kept } = intent
  const to: Partial<PaymentIntent> = {
    last_payment_error: error,
    latest_charge: error.charge ?? kept.wire.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
  return change(acquirer, acquirer.intents, kept, to, 'payment_intent.payment_failed')
}

function adviceOf({ decline }: Decline): string {
  if (decline === 'lost_card' || decline === 'stolen_card') return 'do_not_try_again'
  return decline === 'expired_card' || decline === 'incorrect_cvc' ? 'confirm_card_data' : 'try_again_later'
}

export function docOf(code: string): string {
  return `https://stripe.com/docs/error-codes/${dashed(code)}`
}
