// What Vintem gets to know of a customer who has an account at the shop. Of a guest Medusa tells a provider nothing.

/** Of Medusa's customer, what is used here. */
export type Customer = {
  readonly email?: string | null
  readonly company_name?: string | null
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly billing_address?: { readonly country_code?: string | null } | null
}

type Filled = {
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerCountry?: string
}

/** Fields that fill in the checkout's form. What Vintem would refuse is left out: a form can be filled in, a refused sale is lost. */
export function customerOf(customer: Customer | undefined): Filled {
  const { email, company_name, first_name, last_name, billing_address } = customer ?? {}
  const person = [first_name, last_name].filter((part) => typeof part === 'string' && part !== '').join(' ')
  const name = (company_name ?? '') || person
  const country = billing_address?.country_code?.toUpperCase()
  return {
    ...(name === '' || name.includes('\0') ? {} : { customerName: name.slice(0, 200) }),
    ...(email !== undefined && email !== null && isEmail(email) ? { customerEmail: email } : {}),
    ...(country !== undefined && /^[A-Z]{2}$/.test(country) ? { customerCountry: country } : {}),
  }
}

/** As the API demands it: two parts of visible characters. */
function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(text)
}
