// A payer uses a link: the form of its page makes one payment with the link's terms. Reading the page makes none.
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentCreator } from '#/payments/create.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import type { LinkRequest, PaymentLink } from './link.ts'

/** What a payer sends. */
export type LinkUse = {
  /** Made with the page: the same form sent twice makes one payment. */
  readonly once: string
  /** Minor units, where the payer chooses. */
  readonly amount?: number
}

/**
 * Makes the payment of one use, or returns the one that this form made before. Errors:
 * - 400: the amount is not one that the link accepts
 * - 403: the merchant is suspended
 * - 409: the link is archived or expired
 * - 422: the link is used up, or no method accepts the payment now
 */
export async function useLink(
  creator: Pick<PaymentCreator, 'create'>,
  link: PaymentLink,
  { once, amount }: LinkUse,
): Promise<Payment> {
  const merchant = { id: link.merchantId, mode: link.mode }
  const request = paymentRequestOf(link, amountOf(link, amount))
  const { payment } = await creator.create(merchant, `link:${link.id}:${once}`, request, { linkId: link.id })
  return payment
}

/** The request of a payment of this link. */
export function paymentRequestOf({ request }: Pick<PaymentLink, 'request'>, amount: number): PaymentRequest {
  const { name, currency, checkout, paymentMethods, metadata, webhookUrl, returnUrl, expiresIn } = request
  return {
    amount,
    currency,
    description: name,
    checkout,
    expiresIn,
    ...given({ paymentMethods, metadata, webhookUrl, returnUrl }),
  }
}

function amountOf({ request }: PaymentLink, chosen: number | undefined): number {
  const { amount, minAmount = 0, maxAmount = 0 } = request
  if (amount !== undefined) return amount
  if (chosen !== undefined && chosen >= minAmount && chosen <= maxAmount) return chosen
  const message = `must be between ${minAmount} and ${maxAmount}`
  const faults = [{ pointer: '/amount', code: 'out_of_range', message }]
  throw new AppError('invalid_request', `The amount ${message}.`, { faults })
}

/** The least and the greatest amount of a link, for a check that its payments are possible. */
export function extremesOf({ amount, minAmount, maxAmount }: LinkRequest): readonly number[] {
  return [amount, minAmount, maxAmount].flatMap((each) => each ?? [])
}
