// Whose tax id and whose national phone numbers are meant: one rule for the API and the payer's page.
import type { Method } from '#/rails/method.ts'
import { descriptorOf } from '#/rails/methods.ts'
import type { PaymentRequest } from './payment.ts'

/** The payer's country as the merchant said it. */
export function statedCountry({
  customerAddress,
  customerCountry,
}: Pick<PaymentRequest, 'customerAddress' | 'customerCountry'>): string | undefined {
  return customerAddress?.country ?? customerCountry
}

/**
 * The countries whose tax ids a payment accepts: the payer's own. Banks in Brazil take a CPF or CNPJ wherever its holder lives, so who
 * pays in BRL, or may, can have one. Nobody else can, but where nothing is known of the country.
 */
export function taxCountries(
  country: string | undefined,
  currency: string | undefined,
): readonly [string, ...string[]] {
  if (country === undefined || country === 'BR') return ['BR']
  return currency === undefined || currency === 'BRL' ? [country, 'BR'] : [country]
}

/** The country whose national phone numbers are meant: that of a method that needs one, else the payer's, else that of the currency. */
export function phoneCountry(
  method: Method | undefined,
  country: string | undefined,
  currency: string | undefined,
): string | undefined {
  const said = method === undefined ? undefined : descriptorOf[method]
  const [only, ...others] = said?.needs?.includes('phone') === true ? (said.countries ?? []) : []
  if (only !== undefined && others.length === 0) return only
  return country ?? (currency === 'BRL' ? 'BR' : undefined)
}
