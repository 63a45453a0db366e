// The methods of the payer's page. One with a panel of its own is a file beside this one, and its line here.
import type { Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import { hasFlow, methods, type FlowName, type PanelName } from '#/rails/methods.ts'
import { card } from './card.ts'
import { crypto } from './crypto.ts'
import { methodByFlow } from './flow.ts'
import type { CheckoutMethod } from './method.ts'
import { partnerPay } from './partner-pay.ts'
import { pix } from './pix.ts'
import { sepa } from './sepa.ts'

const withPanel = {
  PIX: pix,
  CRYPTO: crypto,
  CREDIT_CARD: card,
  PARTNER_PAY: partnerPay,
  SEPA_TRANSFER: sepa,
} satisfies { readonly [M in PanelName]: CheckoutMethod<M> }

const byFlow = methods.filter(hasFlow).map((name) => [name, methodByFlow(name)] as const)

export const checkoutMethods = {
  ...withPanel,
  ...(Object.fromEntries(byFlow) as Record<FlowName, CheckoutMethod>),
}

/** The method by which the payment is paid, once there is one. */
export function methodOf({ method }: Payment): CheckoutMethod | undefined {
  return method === undefined ? undefined : checkoutMethods[method]
}

/** The texts of each panel once: methods of one flow share theirs. */
export const panelWords = [...new Set(Object.values(checkoutMethods).map(({ words }) => words))]

/** The labels of the panels of all methods, by name. */
export function methodLabels(locale: Locale): Readonly<Record<string, string>> {
  return Object.assign({}, ...panelWords.map((words) => words[locale].labels)) as Record<string, string>
}
