// The cards of this acquirer. Any other number is declined.

/** The reason of a decline, in the API's codes. */
export type Decline = { readonly code: string; readonly decline?: string; readonly message: string }

export type CardPlan = {
  readonly brand: string
  readonly funding?: 'credit' | 'debit'
  readonly country?: string
  /**
   * 3-D Secure:
   * - `always`: a challenge at each payment
   * - `offered`: a challenge only when the merchant requests it
   * - `fails`: as `always`, but the challenge fails, and so does the payment
   * - `offered_fails`: as `offered`, but the challenge fails, and so does the payment
   */
  readonly challenge?: 'always' | 'offered' | 'fails' | 'offered_fails'
  /** The result of the payment after that. Absent: it succeeds. */
  readonly decline?: Decline
  /** What happens some time after it succeeded, without a further call. */
  readonly dispute?: { readonly reason: string; readonly isInquiry: boolean }
  /** How its refunds go. Absent: they succeed at once. */
  readonly refunds?: 'pending_first' | 'fail_later'
}

const generic = 'Your card was declined.'
const decline = (reason: string): Decline => ({ code: 'card_declined', decline: reason, message: generic })

export const declines = {
  generic: decline('generic_decline'),
  insufficientFunds: {
    code: 'card_declined',
    decline: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  lost: decline('lost_card'),
  stolen: decline('stolen_card'),
  velocity: {
    code: 'card_declined',
    decline: 'card_velocity_exceeded',
    message:
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  },
  expired: { code: 'expired_card', decline: 'expired_card', message: 'Your card has expired.' },
  cvc: {
    code: 'incorrect_cvc',
    decline: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processing: {
    code: 'processing_error',
    decline: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  /** The number of a real card, or of none. */
  unknown: {
    code: 'card_declined',
    decline: 'test_mode_live_card',
    message:
      'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  },
} as const satisfies Record<string, Decline>

const visa = { brand: 'visa' } as const

export const cards: Readonly<Record<string, CardPlan>> = {
  '4242424242424242': visa,
  '4000056655665556': { ...visa, funding: 'debit' },
  '4000000760000002': { ...visa, country: 'BR' },
  '4000006200000007': { ...visa, country: 'PT' },
  '5555555555554444': { brand: 'mastercard' },
  '5200828282828210': { brand: 'mastercard', funding: 'debit' },
  '378282246310005': { brand: 'amex' },
  '6011111111111117': { brand: 'discover' },
  '4000002760003184': { ...visa, challenge: 'always' },
  '4000000000003220': { ...visa, challenge: 'always' },
  '4000002500003155': { ...visa, challenge: 'always' },
  '4000000000003055': { ...visa, challenge: 'offered' },
  '4000000000003097': { ...visa, challenge: 'offered_fails' },
  '4000008400001629': { ...visa, challenge: 'always', decline: declines.generic },
  '4000008260003178': { ...visa, challenge: 'always', decline: declines.insufficientFunds },
  '4000008400001280': { ...visa, challenge: 'fails' },
  '4000000000000002': { ...visa, decline: declines.generic },
  '4000000000009995': { ...visa, decline: declines.insufficientFunds },
  '4000000000009987': { ...visa, decline: declines.lost },
  '4000000000009979': { ...visa, decline: declines.stolen },
  '4000000000006975': { ...visa, decline: declines.velocity },
  '4000000000000069': { ...visa, decline: declines.expired },
  '4000000000000127': { ...visa, decline: declines.cvc },
  '4000000000000119': { ...visa, decline: declines.processing },
  '4000000000000259': { ...visa, dispute: { reason: 'fraudulent', isInquiry: false } },
  '4000000000002685': { ...visa, dispute: { reason: 'product_not_received', isInquiry: false } },
  '4000000000001976': { ...visa, dispute: { reason: 'fraudulent', isInquiry: true } },
  '4000000000007726': { ...visa, refunds: 'pending_first' },
  '4000000000005126': { ...visa, refunds: 'fail_later' },
}

/** Short names that a control call may use instead of a number. */
export const cardNames: Readonly<Record<string, string>> = {
  success: '4242424242424242',
  decline: '4000000000000002',
  insufficient_funds: '4000000000009995',
  challenge: '4000002760003184',
  dispute: '4000000000000259',
  inquiry: '4000000000001976',
  refund_pending: '4000000000007726',
  refund_fails: '4000000000005126',
}

/** The card of a number; one that is not in the table is declined. */
export function planOf(number: string): CardPlan {
  return cards[number] ?? { brand: brandOf(number), decline: declines.unknown }
}

export function brandOf(number: string): string {
  if (/^3[47]/.test(number)) return 'amex'
  if (/^(?:5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  return number.startsWith('4') ? 'visa' : 'unknown'
}

/** Whether the last digit fits the others (ISO/IEC 7812-1, annex B). */
export function isCardNumber(number: string): boolean {
  if (!/^\d{13,19}$/.test(number)) return false
  const sum = number
    .split('')
    .reverse()
    .reduce((total, sign, i) => {
      const digit = Number.parseInt(sign, 10) * (i % 2 === 0 ? 1 : 2)
      return total + (digit > 9 ? digit - 9 : digit)
    }, 0)
  return sum % 10 === 0
}
