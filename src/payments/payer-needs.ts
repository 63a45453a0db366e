// What is known of a payer, by the merchant or by the page, and what a method still needs.
import { given } from '#/kernel/given.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Payer, Payment } from './payment.ts'

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

/** The needs that are not met. An address without region or postcode does not meet its need. */
export function lackingNeeds(needs: readonly PayerNeed[], payer: Payer): readonly PayerNeed[] {
  return needs.filter((need) => {
    if (need !== 'address') return (payer[need] ?? '').trim() === ''
    const { address } = payer
    return address?.region === undefined || address.postcode === undefined
  })
}
