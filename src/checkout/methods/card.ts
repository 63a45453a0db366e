// Cards: typed into the provider's own form, in a frame of the page or on the provider's page.
import { sha256 } from '#/kernel/secret.ts'
import type { Mark } from '../page-values.ts'
import { cardWords } from './card-words.ts'
import type { CheckoutMethod } from './method.ts'

export const card: CheckoutMethod<'CREDIT_CARD', (typeof cardWords)['en']> = {
  words: cardWords,
  isPaidElsewhere: false,
  /** Schemes that card accounts of a currency usually accept. The provider's form decides. */
  accepts: (currency) =>
    currency === 'BRL' ? ['visa', 'mastercard', 'elo'] : ['visa', 'mastercard', 'amex'],
  ready({ means: { presentation }, locale, page }) {
    const { headline, message, hosted } = cardWords[locale].waiting
    const hostedUrl = `${page}/provider`
    if (presentation?.kind === 'HOSTED')
      return { panel: { method: 'CREDIT_CARD', hostedUrl }, notice: { headline, message: hosted } }
    if (presentation?.kind !== 'FRAME') return undefined
    // An open page loads another frame only when the provider has another session for the payment.
    const session = sha256(presentation.clientSecret).toString('base64url').slice(0, 8)
    return {
      panel: { method: 'CREDIT_CARD', frameUrl: `${page}/frame?session=${session}`, hostedUrl },
      notice: { headline, message },
      hasForm: true,
    }
  },
  confirming({ payment, merchant, locale }) {
    if (payment.status !== 'APPROVED') return undefined
    const { headline, message } = cardWords[locale].authorised
    return { headline, message: message(merchant) }
  },
  /** Its brand and last digits, as printed on the card. */
  paidWith({ card: paid }, usual) {
    const { brand, last4 } = (paid ?? {}) as { readonly brand?: unknown; readonly last4?: unknown }
    const named = brands.get(brand) ?? { name: usual.value, mark: usual.mark }
    const digits = typeof last4 === 'string' && /^\d{1,4}$/.test(last4) ? `\u00a0•••• ${last4}` : ''
    return { value: `${named.name}${digits}`, mark: named.mark }
  },
}

/** By the names that Stripe's API gives them (https://docs.stripe.com/api/charges/object, `card.brand`). */
const brands: ReadonlyMap<unknown, { readonly name: string; readonly mark: Mark }> = new Map(
  Object.entries({
    visa: { name: 'Visa', mark: 'visa' },
    mastercard: { name: 'Mastercard', mark: 'mastercard' },
    elo: { name: 'Elo', mark: 'elo' },
    amex: { name: 'American Express', mark: 'amex' },
    hipercard: { name: 'Hipercard', mark: 'card' },
    diners: { name: 'Diners Club', mark: 'card' },
    discover: { name: 'Discover', mark: 'card' },
    jcb: { name: 'JCB', mark: 'card' },
    unionpay: { name: 'UnionPay', mark: 'card' },
  }),
)
