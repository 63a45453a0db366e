// The choice of a page's payer, and its effect on the payment and on the terms for the provider.
import { given } from '#/kernel/given.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { parseTaxId } from '#/kernel/tax-id.ts'
import { addMs } from '#/kernel/time.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Method } from '#/rails/method.ts'
import type { Brand } from '#/rails/rail.ts'
import type { OpeningTerms } from './attempt-queries.ts'
import { checkoutEnd, type Payer, type Payment } from './payment.ts'

/** What the payer chose on the page of a checkout. */
export type Choice = {
  /** All of the payer's data from the page. Absent: the data is as before. */
  readonly payer?: Payer
  /** How long the payer can pay by this method. Absent: until the payment expires. */
  readonly expiryMs?: number
  /** How long the method's own document (such as a boleto) is valid. Unless the merchant set an end, the payment waits that long. */
  readonly lifetimeMs?: number
}

/** What a page requests. `HOSTED`: the payer goes to the provider's own page. `locale`: BCP 47. */
export type PageChoice = {
  readonly method: Method
  readonly presentation?: 'HOSTED'
  readonly locale?: string
  readonly brand?: Brand
}

/** The payment with the payer's data. */
export function withPayer(payment: Payment, payer: Payer | undefined): Payment {
  const isNew = payer !== undefined && canonicalJson(payer) !== canonicalJson(payment.payer ?? {})
  return isNew ? { ...payment, payer, version: payment.version + 1 } : payment
}

/** The payment, to be paid by this method from now on, until `end`. */
export function withMethod(payment: Payment, method: Method, end: Date): Payment {
  if (payment.method === method && payment.expiresAt?.getTime() === end.getTime()) return payment
  return { ...payment, method, expiresAt: end, version: payment.version + 1 }
}

/**
 * The terms of a new attempt: the payer's own data counts before the merchant's. `movedMs`: how far a sandbox's clock was moved since the
 * payment was created.
 */
export function termsFor(
  payment: Payment,
  { presentation, locale, brand }: PageChoice,
  choice: Choice | undefined,
  { now, movedMs }: { readonly now: Date; readonly movedMs: number },
): OpeningTerms {
  const { name, email, phone, taxId, address, iban, mandate } = payerDetailsOf(payment)
  return {
    expiresAt: endOf(payment, choice, now, movedMs).toISOString(),
    ...given({
      presentation,
      locale,
      customerName: name,
      customerEmail: email,
      customerTaxId: taxId,
      customerPhone: phone,
      customerAddress: address,
      customerIban: iban,
      mandate,
      brand,
    }),
  }
}

/** When the attempt expires: after the time that the template gives the method, at the latest with the payment. */
function endOf(
  { request, expiresAt, createdAt }: Payment,
  choice: Choice | undefined,
  now: Date,
  movedMs: number,
): Date {
  const end =
    choice === undefined && expiresAt !== undefined
      ? expiresAt
      : checkoutEnd(addMs(createdAt, -movedMs), request)
  const paper =
    choice?.lifetimeMs === undefined || request.expiresIn !== undefined ? end : addMs(now, choice.lifetimeMs)
  const last = paper > end ? paper : end
  const chosen = choice?.expiryMs === undefined ? last : addMs(now, choice.expiryMs)
  return chosen < last ? chosen : last
}

// What is known of a payer, by the merchant or by the page, and what a method still needs.

/** The payer's own data counts before the merchant's. */
export function payerDetailsOf({ request, payer = {} }: Pick<Payment, 'request' | 'payer'>): Payer {
  return given({
    name: payer.name ?? request.customerName,
    email: payer.email ?? request.customerEmail,
    phone: payer.phone ?? request.customerPhone,
    taxId: payer.taxId ?? request.customerTaxId,
    address: payer.address ?? request.customerAddress,
    iban: payer.iban,
    mandate: payer.mandate,
  })
}

/** The needs that are not met. An address without region or postcode does not meet its need, and another country's tax id none of Brazil's. */
export function lackingNeeds(needs: readonly PayerNeed[], payer: Payer): readonly PayerNeed[] {
  return needs.filter((need) => {
    if (need === 'taxId') return payer.taxId === undefined || parseTaxId(payer.taxId) === undefined
    if (need !== 'address') return (payer[need] ?? '').trim() === ''
    const { address } = payer
    return address?.region === undefined || address.postcode === undefined
  })
}
