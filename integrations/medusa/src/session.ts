// What Medusa stores of a payment, in the `data` of its session and of its own payment. The shop's pages can read it.
import type { CreatedPayment, Payment } from '../../../sdk/typescript/src/vintem.ts'
import { refusal } from './refusal.ts'

export type Data = Readonly<Record<string, unknown>>

/** The key of the payment's metadata that names its session in Medusa. */
export const sessionKey = 'medusaSessionId'

/** The session that Medusa asks for. It sets `session_id` itself, after what the shop's page sent. */
export function sessionIdOf(data: Data | undefined): string {
  const id = data?.['session_id']
  if (typeof id !== 'string' || id === '') throw refusal('The payment session has no session_id')
  return id
}

/** Our payment's id; undefined when the session never got one. */
export function paymentIdOf(data: Data | undefined): string | undefined {
  const id = data?.['id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** `data` with the payment as it is now. What else Medusa stored there stays. */
export function dataOf(data: Data | undefined, payment: CreatedPayment | Payment): Record<string, unknown> {
  const { id, status, amount, currency, checkoutUrl, expiresAt } = payment
  const paymentMethod = 'paymentMethod' in payment ? payment.paymentMethod : undefined
  return { ...data, id, status, amount, currency, checkoutUrl, expiresAt, paymentMethod }
}

/** The session that a payment was made for; undefined when it is not of Medusa. */
export function sessionOf(metadata: unknown): string | undefined {
  const id = (metadata as Data | undefined)?.[sessionKey]
  return typeof id === 'string' ? id : undefined
}

/** The refunds of the payment that Medusa has on record, by their ids in Vintem. */
export function recordedIn(data: Data | undefined): readonly string[] {
  const ids = data?.['refundIds']
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
