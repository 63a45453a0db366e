// What a payment's state means to Medusa. The state is always the one that Vintem tells when it is asked, never that of an event.
import type { Payment } from '../../../sdk/typescript/src/vintem.ts'

export type SessionStatus = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled'
export type WebhookAction = 'authorized' | 'captured' | 'failed' | 'pending' | 'requires_more' | 'canceled'

type State = Pick<Payment, 'status' | 'amount' | 'amountReceived'>

/**
 * The status of the payment's session. A card of which less was captured than authorised, outside of Medusa, stays `authorized`, because
 * Medusa would record `captured` as the whole amount. The webhook then says how much was captured.
 */
export function sessionStatusOf({ status, amount, amountReceived }: State): SessionStatus {
  if (status === 'PAID') return amountReceived < amount ? 'authorized' : 'captured'
  if (status === 'APPROVED') return 'authorized'
  // The payer has to act: to pay, or to pay the rest. Medusa keeps the cart open.
  if (status === 'WAITING_PAYMENT') return 'requires_more'
  if (status === 'FAILED') return 'error'
  return isOver(status) ? 'canceled' : 'pending'
}

/** What Medusa is to do about a webhook of this payment. */
export function actionOf(payment: State): WebhookAction {
  if (payment.status === 'PAID') return 'captured'
  const status = sessionStatusOf(payment)
  return status === 'error' ? 'failed' : status
}

/** Whether nothing more is expected of the payer, and nothing came. */
export function isOver(status: Payment['status']): boolean {
  return status === 'CANCELED' || status === 'EXPIRED' || status === 'FAILED'
}

/** How much of the session is paid. What came beyond it is for a person: Medusa can record no more than the session's amount. */
export function paidOf({ status, amount, amountReceived }: State): number {
  return status === 'PAID' ? Math.min(amount, amountReceived) : amount
}
