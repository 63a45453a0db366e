// The end of an authorisation: captured, canceled, or lapsed.
import { present } from '../kit/event-store.ts'
import { type Acquirer, type KeptIntent } from './acquirer.ts'
import { badParam, badState } from './api-error.ts'
import { planDispute } from './attempts.ts'
import { collect } from './balance.ts'
import { change } from './events.ts'
import { cancelable } from './intents.ts'
import { choiceOf, flagOf, integerOf, mergedMetadata, only, type Params } from './params.ts'
import { cancelIntent } from './sessions.ts'
import type { PaymentIntent } from './wire.ts'

/** POST /v1/payment_intents/{id}/capture. What is not captured is released. */
export function capture(acquirer: Acquirer, intent: KeptIntent, params: Params): PaymentIntent {
  only(params, ['amount_to_capture', 'final_capture', 'metadata', 'expand'])
  const { wire, account } = intent
  if (wire.status !== 'requires_capture')
    throw badState(
      'payment_intent_unexpected_state',
      `This PaymentIntent could not be captured because it has a status of ${wire.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
      { payment_intent: wire },
    )
  if (flagOf(params, 'final_capture') === false)
    throw badParam('final_capture', 'Multicapture is not available for this card.')
  const amount = integerOf(params, 'amount_to_capture', 1, 99_999_999) ?? wire.amount_capturable
  if (amount > wire.amount_capturable)
    throw badParam(
      'amount_to_capture',
      'The remaining amount to capture is less than the requested amount.',
      'amount_too_large',
    )
  const metadata = mergedMetadata(params, wire.metadata)
  const authorised = present(acquirer.charges.get(wire.latest_charge ?? ''))
  const left = authorised.wire.amount - amount
  const balance_transaction = collect(acquirer, account, authorised.wire, amount)
  const taken = { amount_captured: amount, amount_refunded: left, balance_transaction, captured: true }
  const captured = change(acquirer, acquirer.charges, authorised, taken, 'charge.captured')
  acquirer.store.cancel(`intent ${wire.id}`)
  const session = present(acquirer.sessions.get(intent.session ?? ''))
  acquirer.sessions.put(session.wire.id, { ...session, wire: { ...session.wire, payment_status: 'paid' } })
  const received: Partial<PaymentIntent> = { amount_received: amount, status: 'succeeded' }
  const to = { ...received, amount_capturable: 0, metadata }
  const next = change(acquirer, acquirer.intents, intent, to, 'payment_intent.succeeded')
  planDispute(acquirer, captured, authorised.plan)
  return next
}

const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const

/** POST /v1/payment_intents/{id}/cancel. */
export function cancel(acquirer: Acquirer, intent: KeptIntent, params: Params): PaymentIntent {
  only(params, ['cancellation_reason', 'expand'])
  const reason = choiceOf(params, 'cancellation_reason', reasons) ?? null
  const { wire } = intent
  if (wire.status === 'canceled' || wire.status === 'succeeded')
    throw badState(
      'payment_intent_unexpected_state',
      `You cannot cancel this PaymentIntent because it has a status of ${wire.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
      { payment_intent: wire },
    )
  if (intent.local !== undefined && cancelable(intent)) {
    acquirer.store.cancel(`intent ${wire.id}`)
    return cancelIntent(acquirer, intent, reason)
  }
  if (wire.status !== 'requires_capture')
    throw badState(
      'payment_intent_unexpected_state',
      'You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.',
      { payment_intent: wire },
    )
  release(acquirer, intent, 'charge.refunded')
  return cancelIntent(acquirer, present(acquirer.intents.get(wire.id)), reason)
}

/** The seven days of an authorisation ended without a capture. */
export function lapse(acquirer: Acquirer, intent: KeptIntent): void {
  if (intent.wire.status !== 'requires_capture') return
  release(acquirer, intent, 'charge.expired')
  cancelIntent(acquirer, intent, 'automatic')
}

/** Releases the held amount to the card's holder. */
function release(acquirer: Acquirer, { wire }: KeptIntent, happened: string): void {
  acquirer.store.cancel(`intent ${wire.id}`)
  const held = present(acquirer.charges.get(wire.latest_charge ?? ''))
  const to = { amount_refunded: held.wire.amount, refunded: true }
  change(acquirer, acquirer.charges, held, to, happened, { amount_refunded: 0, refunded: false })
}
