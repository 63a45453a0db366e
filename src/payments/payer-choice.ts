// What the payer of a page chose: what it makes of the payment, and of what a provider is asked for.
import type { Method } from '#/rails/words.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { addMs } from '#/kernel/time.ts'
import type { OpeningTerms } from './initiate-queries.ts'
import { checkoutEnd, type Payer, type Payment } from './payment.ts'

/** What the payer chose on the page of a checkout. */
export type Choice = {
  /** All that is known of the payer from the page; absent: what was known before. */
  readonly payer?: Payer
  /** How long the payer has for this method; absent: until the payment ends by itself. */
  readonly expiryMs?: number
}

/** What is wanted of a page. `HOSTED`: the payer goes to the provider's own page. `locale`: BCP 47. */
export type PageChoice = {
  readonly method: Method
  readonly presentation?: 'HOSTED'
  readonly locale?: string
}

/** The payment with what the payer told of themselves. */
export function withPayer(payment: Payment, payer: Payer | undefined): Payment {
  const isNew = payer !== undefined && canonicalJson(payer) !== canonicalJson(payment.payer ?? {})
  return isNew ? { ...payment, payer, version: payment.version + 1 } : payment
}

/** The payment, to be paid by this method from now on. */
export function withMethod(
  payment: Payment,
  method: Method,
  { expiresAt }: Pick<OpeningTerms, 'expiresAt'>,
): Payment {
  const end = new Date(expiresAt)
  if (payment.method === method && payment.expiresAt?.getTime() === end.getTime()) return payment
  return { ...payment, method, expiresAt: end, version: payment.version + 1 }
}

/** What the provider of a new attempt is asked for: the payer's own word counts before the merchant's. */
export function askedFor(
  payment: Payment,
  { presentation, locale }: PageChoice,
  choice: Choice | undefined,
  now: Date,
): OpeningTerms {
  const { request, payer = {} } = payment
  const name = payer.name ?? request.customerName
  const email = payer.email ?? request.customerEmail
  const taxId = payer.taxId ?? request.customerTaxId
  return {
    expiresAt: endOf(payment, choice, now).toISOString(),
    ...(presentation === undefined ? {} : { presentation }),
    ...(locale === undefined ? {} : { locale }),
    ...(name === undefined ? {} : { customerName: name }),
    ...(email === undefined ? {} : { customerEmail: email }),
    ...(taxId === undefined ? {} : { customerTaxId: taxId }),
  }
}

/** Until when the attempt can be paid: at most until the payment ends, and for as long as the template gives the method. */
function endOf({ request, expiresAt, createdAt }: Payment, choice: Choice | undefined, now: Date): Date {
  const end = choice === undefined && expiresAt !== undefined ? expiresAt : checkoutEnd(createdAt, request)
  const chosen = choice?.expiryMs === undefined ? end : addMs(now, choice.expiryMs)
  return chosen < end ? chosen : end
}
