// The methods of the payer's page. A new one is a file beside this one, and its line here; the compiler names what else is missing.
import type { Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import { card } from './card.ts'
import { crypto } from './crypto.ts'
import { bancontact, bizum, boleto, ideal, mbWay, multibanco } from './local.ts'
import type { CheckoutMethod } from './method.ts'
import { partnerPay } from './partner-pay.ts'
import { pix } from './pix.ts'
import { sepa } from './sepa.ts'

export const checkoutMethods = {
  PIX: pix,
  CRYPTO: crypto,
  CREDIT_CARD: card,
  PARTNER_PAY: partnerPay,
  MULTIBANCO: multibanco,
  MB_WAY: mbWay,
  IDEAL: ideal,
  BANCONTACT: bancontact,
  BIZUM: bizum,
  BOLETO: boleto,
  SEPA_TRANSFER: sepa,
} satisfies { readonly [M in Method]: CheckoutMethod<M> }

/** The method by which the payment is paid, once there is one. */
export function methodOf({ method }: Payment): CheckoutMethod | undefined {
  return method === undefined ? undefined : checkoutMethods[method]
}

/** The labels of the panels of all methods, by name. */
export function methodLabels(locale: Locale): Readonly<Record<string, string>> {
  const labels = Object.values(checkoutMethods).map(({ words }) => Object.entries(words[locale].labels))
  return Object.fromEntries(labels.flat())
}
