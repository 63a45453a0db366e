// What is known of a payer, by the merchant or by the page, and what a method still needs.
import { given } from '#/kernel/given.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Payer, Payment, PaymentRequest } from './payment.ts'

/** The payer's own data counts before the merchant's. */
export function payerDetailsOf({
  request,
  payer = {},
}: {
  readonly request: PaymentRequest
  readonly payer?: Payment['payer']
}): Payer {
  const name = payer.name ?? request.customerName
  const email = payer.email ?? request.customerEmail
  const phone = payer.phone ?? request.customerPhone
  const taxId = payer.taxId ?? request.customerTaxId
  const address = payer.address ?? request.customerAddress
  const { iban, mandate } = payer
  return {
    ...given({ name, email, phone, taxId, address, iban, mandate }),
  }
}

/** The needs that are not met. An address without region or postcode does not meet its need. */
export function lackingNeeds(needs: readonly PayerNeed[], payer: Payer): readonly PayerNeed[] {
  return needs.filter((need) => {
    if (need !== 'address') return (payer[need] ?? '').trim() === ''
    const { address } = payer
    return address?.region === undefined || address.postcode === undefined
  })
}
