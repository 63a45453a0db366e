// A payer's tax id and phone in the body of a creation.
import type { Static } from 'typebox'
import type { paymentRequest } from '#/contract/payment-requests.ts'
import type { FieldFault } from '#/kernel/error.ts'
import { parseTaxIdOf } from '#/kernel/foreign-tax-id.ts'
import { given } from '#/kernel/given.ts'
import { parsePhone } from '#/kernel/phone.ts'
import { phoneCountry, statedCountry, taxCountries } from '#/payments/payer-country.ts'
import { methods } from '#/rails/methods.ts'

type Body = Partial<Static<typeof paymentRequest>>

/** Both in their normal form, so that a body with a mask equals one without it. */
export function withPlainPayer<Sent extends Body>(body: Sent): Sent {
  const customerTaxId = taxIdOf(body)
  const customerPhone = phoneOf(body)
  return { ...body, ...given({ customerTaxId, customerPhone }) }
}

export function payerFaults(body: Body): readonly FieldFault[] {
  const faults: FieldFault[] = []
  if (body.customerTaxId !== undefined && taxIdOf(body) === undefined) {
    const [country] = taxCountriesOf(body)
    const what = country === 'BR' ? 'CPF or CNPJ' : `tax id of ${country}`
    const more = statedCountry(body) === undefined ? '. For that of another country send customerCountry' : ''
    const message = `is no ${what}: its check digits do not hold${more}`
    faults.push({ pointer: '/customerTaxId', code: 'malformed', message })
  }
  if (body.customerPhone !== undefined && phoneOf(body) === undefined) {
    const message = 'is no phone number: write it with its country code, such as +351912345678'
    faults.push({ pointer: '/customerPhone', code: 'malformed', message })
  }
  return faults
}

function taxIdOf(body: Body): string | undefined {
  const { customerTaxId } = body
  if (customerTaxId === undefined) return undefined
  return taxCountriesOf(body).flatMap((country) => parseTaxIdOf(country, customerTaxId) ?? [])[0]
}

function taxCountriesOf(body: Body) {
  return taxCountries(statedCountry(body), body.currency)
}

function phoneOf(body: Body): string | undefined {
  const { customerPhone, currency, paymentMethods = [] } = body
  if (customerPhone === undefined) return undefined
  const [first, ...others] = paymentMethods
  const method = others.length > 0 ? undefined : methods.find((each) => each === first)
  return parsePhone(customerPhone, phoneCountry(method, statedCountry(body), currency))
}
