// Why a card was declined, in words that a payer can act on. The bank's own reason may say more than the payer should know: that
// a card was reported stolen is not shown (https://docs.stripe.com/declines/codes).
import type { Receipt } from '#/rails/receipt.ts'
import type { Failure } from './wire.ts'

const words = {
  insufficient_funds: 'The card does not have enough money for this.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The security code is not right.',
  incorrect_number: 'The card number is not right.',
  card_not_supported: 'This kind of card is not accepted here.',
  limit_exceeded: 'The amount is over the limit of the card.',
  authentication_failed: 'The bank could not confirm that it is you.',
  processing_error: 'The bank could not be reached. Try again in a moment.',
  card_declined: 'The bank declined the card.',
  not_confirmed: 'The payer did not confirm the payment.',
  not_confirmed_in_time: 'The payer did not confirm the payment in time.',
} as const satisfies Record<string, string>

/** The provider's codes, by their meaning for a payer. */
const codes: ReadonlyMap<string, keyof typeof words> = new Map(
  Object.entries({
    insufficient_funds: 'insufficient_funds',
    expired_card: 'expired_card',
    invalid_expiry_month: 'expired_card',
    invalid_expiry_year: 'expired_card',
    incorrect_cvc: 'incorrect_cvc',
    invalid_cvc: 'incorrect_cvc',
    incorrect_number: 'incorrect_number',
    invalid_number: 'incorrect_number',
    card_not_supported: 'card_not_supported',
    currency_not_supported: 'card_not_supported',
    card_velocity_exceeded: 'limit_exceeded',
    withdrawal_count_limit_exceeded: 'limit_exceeded',
    authentication_required: 'authentication_failed',
    authentication_not_handled: 'authentication_failed',
    payment_intent_authentication_failure: 'authentication_failed',
    mobile_device_authentication_required: 'authentication_failed',
    processing_error: 'processing_error',
    issuer_not_available: 'processing_error',
    try_again_later: 'processing_error',
    reenter_transaction: 'processing_error',
    payment_intent_payment_attempt_failed: 'not_confirmed',
    payment_intent_payment_attempt_expired: 'not_confirmed_in_time',
    payment_method_provider_decline: 'not_confirmed',
    payment_method_customer_decline: 'not_confirmed',
    payment_method_provider_timeout: 'not_confirmed_in_time',
  } as const),
)

/** The code is one of ours; the message is for a person. */
export function declineOf({ code, declineCode }: Failure): NonNullable<Receipt['failure']> {
  const ourCode = codes.get(declineCode ?? '') ?? codes.get(code ?? '') ?? 'card_declined'
  return { code: ourCode, message: words[ourCode] }
}
